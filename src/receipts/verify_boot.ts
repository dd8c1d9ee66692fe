// Verifies the boot statement of a receipt: the log has it, and its key signed the batch with the entry.

import { sha256 } from '@noble/hashes/sha2.js';
import { readBoot, runSigner } from '../core/log/boot_entry.ts';
import { commitmentOf } from '../core/log/entry.ts';
import { isIncluded, leafHash } from '../core/log/inclusion.ts';
import { bytesOf, verifierKeyOf, verifyNote } from '../core/log/note.ts';
import { readProof } from '../core/log/proof_file.ts';
import { verifyP256 } from './signatures.ts';
import { objectOf, parsed, readSignedProof } from './trusted_proof.ts';

/** The members of a receipt about the run that appended its entry. */
export type ShownRun = {
  readonly bootEntry: string;
  /** Inclusion proof of the boot entry in the log, without its checkpoint. */
  readonly bootPlace: string;
  /** The proof of the activity's entry in the tree that the run signed. */
  readonly runProof: string;
};

export type VerifiedBoot = {
  /** Index of the boot entry in the log. */
  readonly index: number;
  /** The attestation key of the deployment, hex. */
  readonly attestationKey: string;
  /** The members of the statement, as the enclave stated them. */
  readonly statement: Readonly<Record<string, unknown>>;
};

/** The entry of the receipt, in a tree that the policy trusts; `note` is the checkpoint of the tree. */
type TrustedEntry = Record<'leaf' | 'root', Uint8Array> &
  Record<'index' | 'size', number> & { readonly note: string };

/** Verifies the boot statement of a receipt. Throws an error that names the failed check. */
export function verifyBoot({ bootEntry, ...run }: ShownRun, entry: TrustedEntry): VerifiedBoot {
  const boot = readBoot(bootEntry);
  if (boot === undefined) throw new Error('the boot statement of the receipt is malformed');
  if (!verifyP256(fromHex(boot.signature), bytesOf(boot.statement), fromHex(boot.publicKey))) {
    throw new Error('the attestation key did not sign the boot statement');
  }
  const { leaf, index, note } = entry;
  const place = readProof(`${run.bootPlace}\n\n${note}`);
  const bootLeaf = leafHash(sha256, commitmentOf(sha256, new Uint8Array(0), bootEntry));
  const isLogged =
    place?.note === note &&
    place.index < index &&
    isIncluded(sha256, { ...entry, leaf: bootLeaf, index: place.index, proof: place.hashes });
  if (!isLogged) throw new Error('the log does not have the boot statement before the entry');
  const statement = objectOf(parsed(boot.statement));
  const { proof, note: signed, size, root } = readSignedProof(run.runProof);
  // The second point of the key signs.
  const publicKey = fromHex(`${statement['ephemeralPublicKeyHex']}`).slice(65);
  const key = verifierKeyOf(sha256, { ...runSigner, publicKey });
  // Entries before the batch may belong to other runs.
  const [, from] = /\nfrom ([0-9]+)\n$/.exec(signed.text) ?? [];
  const isSigned =
    Number(from) <= index &&
    signed.signatures.length === 1 &&
    typeof verifyNote(signed, key, verifyP256) === 'object' &&
    proof.index === index &&
    isIncluded(sha256, { leaf, index, size, root, proof: proof.hashes });
  if (!isSigned) throw new Error('the key of the boot statement did not sign the entry');
  return { index: place.index, attestationKey: boot.publicKey, statement };
}

const fromHex = (text: string): Uint8Array => Uint8Array.fromHex(text);
