// The run of an enclave in the log. Before its first batch, the run appends its boot statement as an entry.
// With its own key, which exists until the process ends, it signs the tree after each of its batches together
// with the start of the batch.

import { publicSha256 } from '../../core/crypto/hashes.ts';
import { runSigner } from '../../core/log/boot_entry.ts';
import { commitmentOf } from '../../core/log/entry.ts';
import { leafHash } from '../../core/log/inclusion.ts';
import { type Checkpoint, verifierKeyOf } from '../../core/log/note.ts';
import { signNote, textOfCheckpoint, textOfNote } from '../../core/log/note_writer.ts';
import { textOfBatch, textOfBoot } from '../../core/log/own_entries.ts';
import { textOfPlace, textOfProof } from '../../core/log/proof_writer.ts';
import type { Proofs } from '../../pipeline/ports.ts';
import type { StoredRecord } from '../../store/port.ts';
import { logId } from '../records/log_codec.ts';
import type { LogRows } from '../records/log_rows.ts';
import type { GrowingTree } from '../records/log_tiles.ts';
import { refuseRecord } from '../records/record_codec.ts';
import type { TileSource } from '../records/tile_hashes.ts';
import { type ProvenPlace, proveEntry, rootOfNote } from './prove_entry.ts';

export type LogRun = {
  /** The text of its boot entry. */
  readonly bootText: string;
  /** Returns the signed checkpoint after the batch that begins at the index `from`, as a note. */
  sign(tree: Checkpoint, from: number): string;
};

/** Returns the run that signs with the key of these proofs. */
export function logRunOf({
  key,
  latestBootProof,
}: Pick<Proofs, 'key' | 'latestBootProof'>): LogRun {
  // The second half of the key signs.
  const publicKey = key.publicKey.slice(key.publicKey.length / 2);
  const signer = verifierKeyOf(publicSha256, { ...runSigner, publicKey });
  return {
    bootText: textOfBoot(latestBootProof().softwareStatement),
    sign: (tree, from) => {
      const text = `${textOfCheckpoint(tree)}${textOfBatch(from)}`;
      const signature = signNote(text, signer, (message) => key.sign(publicSha256(message)));
      return textOfNote({ text, signatures: [signature] });
    },
  };
}

type RunBatch = {
  /** Adds the boot entry if the log does not have it. Called before the first activity of the batch. */
  enter(): void;
  /** Returns the rows of the batch; an empty list if the batch has no activity. */
  rows(tree: Checkpoint, version: number): readonly StoredRecord[];
  /** Called once the batch is committed. */
  committed(): void;
};

export function createRunWriter(
  { bootText, sign }: LogRun,
  rows: Pick<LogRows, 'rowOfBoot' | 'rowOfSignedTree'>,
): { begin(tree: Pick<GrowingTree, 'size' | 'add'>): RunBatch } {
  let logged: number | undefined;
  return {
    begin: (tree) => {
      const isNew = logged === undefined;
      const from = tree.size();
      let boot: number | undefined;
      return {
        enter: () => {
          boot = logged ?? from;
          if (isNew) tree.add(bootCommitment(bootText));
        },
        rows: (signed, version) => {
          if (boot === undefined) return [];
          const { size } = signed;
          const row = rows.rowOfSignedTree({ size, from, boot, note: sign(signed, from) }, version);
          return isNew ? [rows.rowOfBoot(boot, bootText, version), row] : [row];
        },
        committed: () => {
          logged ??= boot;
        },
      };
    },
  };
}

/** The members of a receipt about the run that appended its entry: see docs/receipts.md. */
export type ProvenRun = {
  readonly bootEntry: string;
  readonly bootPlace: string;
  readonly runProof: string;
};

/** Proves which run appended an entry of the tree of the receipt. Raises `record_refused`. */
export async function proveRun(
  rows: TileSource & Pick<LogRows, 'bootAt' | 'signedTreeWith'>,
  entry: ProvenPlace,
): Promise<ProvenRun> {
  const { leaf, index } = entry;
  const refuse = (kind: string, id: number) =>
    refuseRecord({ organizationId: logId, kind, id: String(id), version: 0 });
  const signed = await rows.signedTreeWith(index);
  if (signed === undefined) return refuse('log_signed_tree', index);
  const { size, boot, note } = signed;
  const hashes = await proveEntry(rows, { leaf, index, size, root: rootOfNote(note) });
  if (hashes === undefined) return refuse('log_signed_tree', size);
  const bootEntry = (await rows.bootAt(boot)) ?? refuse('log_boot', boot);
  const bootLeaf = leafHash(publicSha256, bootCommitment(bootEntry));
  const bootHashes = await proveEntry(rows, { ...entry, leaf: bootLeaf, index: boot });
  if (bootHashes === undefined) return refuse('log_boot', boot);
  return {
    bootEntry,
    bootPlace: textOfPlace({ index: boot, hashes: bootHashes }),
    runProof: textOfProof({ index, hashes, note }),
  };
}

function bootCommitment(bootText: string): Uint8Array {
  return commitmentOf(publicSha256, new Uint8Array(0), bootText);
}
