// The log of the deployment. The enclave appends durable activities, and signs each checkpoint. It trusts
// neither the gateway nor the database: see `log_state.ts` and `log_anchor.ts`.

import { publicSha256 } from '../../core/crypto/hashes.ts';
import { assert } from '../../core/errors/errors.ts';
import { originOf } from '../../core/log/origin.ts';
import { restoreEntry } from '../../core/log/own_entries.ts';
import { readTilePath } from '../../core/log/tiles.ts';
import { emptyFrontier } from '../../core/log/tree.ts';
import type { LogChain } from '../../operations/proofs/receipt_source.ts';
import { noChange } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { createLogRows, type LogHead, logHeadPlace } from '../records/log_rows.ts';
import { growTree } from '../records/log_tiles.ts';
import { RecordRefusedError, refuseRecord } from '../records/record_codec.ts';
import type { RequireNewest } from '../records/shared_rows.ts';
import type { Waiting } from '../records/waiting_activities.ts';
import { type AnchorPorts, readAnchors } from './log_anchor.ts';
import { type AppenderPorts, createAppender } from './log_appender.ts';
import { readChain } from './log_chain.ts';
import { createCosignedCheckpoint } from './log_cosigned.ts';
import { createLogGuard } from './log_guard.ts';
import { anyReader } from './log_line.ts';
import {
  type LoggedActivity,
  type LogProof,
  proveActivity,
  proveConsistency,
  readTile,
} from './log_proofs.ts';
import { createRunWriter, type LogRun } from './log_run.ts';
import { createLogSigner } from './log_signer.ts';
import { createLogState, frontierOf, type KnownHead, type LogState, treeOf } from './log_state.ts';
import { createWrittenEntries } from './log_written.ts';

/** Maximum activities of one batch. */
const maximumBatch = 512;

type LogPorts = AnchorPorts &
  AppenderPorts & {
    readonly keys: RootKeys;
    /** Returns true if this replica may change data. */
    readonly mayChange: () => Promise<boolean>;
    /** The run of this enclave. */
    readonly run: LogRun;
  };

export type DeploymentLog = {
  /** Called at the start. Throws an error with the reason if the database does not match the anchor. */
  begin(): Promise<void>;
  /** Returns why the anchor does not match, as a sentence; undefined if it matches. */
  refusal(): string | undefined;
  /** Appends activities. `isLost`: another node appended meanwhile, and nothing was written. */
  append(waiting: readonly Waiting[]): Promise<{ readonly isLost: boolean; readonly note: string }>;
  /** Checks an organization against the map at its first load. */
  readonly requireNewest: RequireNewest;
  /** Returns the newest checkpoint; undefined before the first entry. */
  checkpoint(): Promise<string | undefined>;
  verifierKey(): Promise<string>;
  /** Returns the consistency proof between two sizes of the log. */
  consistency(from: number, to: number): Promise<readonly Uint8Array[]>;
  /** Remembers a cosigned checkpoint of this log for receipts. Raises `log_anchor_unreadable`. */
  rememberCosigned(note: string): Promise<undefined>;
  /** Returns a tile or a bundle of entries by its path; undefined if the log has no such tile. */
  tileAt(path: string): Promise<Uint8Array | undefined>;
  /** Returns entries of an organization after a cursor. An empty cursor starts with the first entry. */
  chainOf(organizationId: string, cursor: string): Promise<LogChain>;
  /** Returns the proof of an activity; undefined if the log does not have it in that version. */
  proofOf(activity: LoggedActivity): Promise<LogProof | undefined>;
};

export function createLog(ports: LogPorts): DeploymentLog {
  const { store, codec, keys, clock } = ports;
  const rows = createLogRows({ store, codec });
  const signer = createLogSigner(keys);
  // A replica that is not accepted signs nothing, and its log may lack entries.
  const state = createLogState(rows, async () =>
    (await ports.mayChange()) ? readAnchors(ports, signer.checkpointIn, rows) : undefined,
  );
  const cosigned = createCosignedCheckpoint();
  const written = createWrittenEntries(rows);
  const addAll = createAppender(ports, rows, written);
  const runs = createRunWriter(ports.run, rows);
  let ownVersion = 0;

  async function append(waiting: readonly Waiting[]) {
    assert(waiting.length <= maximumBatch, 'a batch is bounded');
    await state.begin();
    ports.sealed.begin();
    const before = await state.read();
    return appendAfter(before, waiting).catch((error) => lostIfMoved(error, state, before));
  }

  async function appendAfter(before: KnownHead | undefined, waiting: readonly Waiting[]) {
    if ((before?.version ?? 0) !== ownVersion) written.foreign();
    const owner = await ports.owner();
    const { epoch } = owner;
    if (before !== undefined && before.head.era > epoch) refuseRecord(logHeadPlace(before.version));
    const version = (before?.version ?? 0) + 1;
    const tree = await growTree(rows, before ? frontierOf(before.head) : emptyFrontier);
    if (before !== undefined && before.head.era < epoch) {
      tree.add(restoreEntry(publicSha256, { epoch, before: before.head.note }));
    }
    const from = { version, size: before?.head.size ?? 0, map: before?.head.map };
    const batch = runs.begin(tree);
    const appended = await addAll(waiting, tree, from, batch.enter);
    const { frontier, tiles } = tree.finish();
    if (tiles.length === 0) return { isLost: false, note: before?.head.note ?? '' };
    const tileRows = tiles.map(({ level, index, hashes }) =>
      rows.rowOfTile(level, index, hashes, version),
    );
    const signed = { origin: originOf(owner), ...treeOf(frontier) };
    const note = signer.sign(signed);
    const records = [...appended.records, ...tileRows, ...batch.rows(signed, version)];
    const peaks = frontier.peaks.map((peak) => peak.toBase64());
    const { map } = appended;
    const size = { era: epoch, size: frontier.size, peaks };
    const signedSince = before?.head.signedSince ?? from.size;
    const head: LogHead = { ...size, note, atMs: clock(), ...(map && { map }), signedSince };
    const organizations = [rows.rowOfHead(head, version)];
    const outcome = await store.commit({ ...noChange, organizations, records });
    if (outcome !== 'committed') return { isLost: true, note: '' };
    state.wrote({ version, head });
    batch.committed();
    ownVersion = version;
    written.wrote(appended.added, waiting.length < maximumBatch);
    return { isLost: false, note };
  }

  const { inTurn } = state;
  return {
    begin: () => inTurn(state.begin),
    refusal: state.refusal,
    requireNewest: createLogGuard(rows, state),
    append: (waiting) => inTurn(() => append(waiting)),
    checkpoint: () =>
      inTurn(async () => {
        await state.begin();
        const head = (await state.read())?.head;
        return head && cosigned.noteOf(head);
      }, anyReader),
    verifierKey: async () => signer.verifierKey(originOf(await ports.owner())),
    consistency: (from, to) => inTurn(() => proveConsistency(rows, state, from, to)),
    rememberCosigned: async (note) =>
      cosigned.remember(signer.checkpointIn(note), originOf(await ports.owner()), note),
    tileAt: async (path) => {
      const name = readTilePath(path);
      return name && inTurn(() => readTile(rows, state, name), anyReader);
    },
    chainOf: (organizationId, cursor) =>
      inTurn(async () => {
        await state.begin();
        return readChain(rows, { state, cosigned }, organizationId, cursor);
      }, organizationId),
    proofOf: (activity) =>
      inTurn(async () => {
        await state.begin();
        return proveActivity(rows, { state, cosigned }, activity);
      }, activity.organizationId),
  };
}

/** Reports a lost batch. If another node wrote meanwhile, rows do not match the previous head. */
async function lostIfMoved(error: unknown, state: LogState, before: KnownHead | undefined) {
  const isLost = (await state.read())?.version !== before?.version;
  if (isLost && error instanceof RecordRefusedError) return { isLost, note: '' };
  throw error;
}
