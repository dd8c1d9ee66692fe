// The log of the deployment. The enclave appends what became durable, and signs each checkpoint. It trusts
// neither the gateway nor the database: see `log_state.ts` and `log_anchor.ts`.

import { hex } from '../../core/base/bytes.ts';
import { sha256 } from '../../core/crypto/hashes.ts';
import { assert } from '../../core/errors/errors.ts';
import { noPrevious, restoreEntry } from '../../core/log/entry.ts';
import { type LogOwner, originOf } from '../../core/log/origin.ts';
import { readTilePath } from '../../core/log/tiles.ts';
import { emptyFrontier, hashBytes } from '../../core/log/tree.ts';
import { noChange, type StoredRecord, type StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import {
  createLogRows,
  entriesOfOpenings,
  type LogHead,
  type LogRows,
  logHeadPlace,
  type OpenedEntry,
  type Openings,
  openingsId,
} from '../records/log_rows.ts';
import { type GrowingTree, growTree } from '../records/log_tiles.ts';
import {
  type RecordCodec,
  type RecordRefusedError,
  refuseRecord,
} from '../records/record_codec.ts';
import { createWaitingReader, type Waiting } from '../records/waiting_activities.ts';
import { requireAnchored } from './log_anchor.ts';
import { type LoggedActivity, type LogProof, proveActivity, readTile } from './log_proofs.ts';
import { createLogSigner } from './log_signer.ts';
import { createLogState, frontierOf, treeOf } from './log_state.ts';
import { createWrittenEntries, type WrittenEntries } from './log_written.ts';

/** Activities of one batch. */
const maximumBatch = 512;

export type LogPorts = {
  readonly store: StorePort;
  readonly codec: RecordCodec;
  readonly keys: RootKeys;
  readonly clock: () => number;
  readonly random: (length: number) => Uint8Array;
  /** The first organization and the custody epoch, which name the log. */
  readonly owner: () => Promise<LogOwner>;
  /** Returns true if this copy of the data may change. */
  readonly mayChange: () => Promise<boolean>;
  /** The newest checkpoint that is remembered outside of the database, as a signed note. */
  readonly anchor: () => Promise<string | undefined>;
  readonly refusedRow: (error: RecordRefusedError) => void;
};

export type DeploymentLog = {
  /** At a start: refuses a database that the anchor does not fit, with an error that says why. */
  begin(): Promise<void>;
  /** Why the anchor does not fit, as a sentence. */
  refusal(): string | undefined;
  /** Appends activities. `isLost`: another node appended meanwhile, and nothing was written. */
  append(waiting: readonly Waiting[]): Promise<{ readonly isLost: boolean; readonly note: string }>;
  /** The newest checkpoint; undefined before the first entry. */
  checkpoint(): Promise<string | undefined>;
  verifierKey(): Promise<string>;
  /** Returns a tile or a bundle of entries by its path; undefined where the log has no such tile. */
  tileAt(path: string): Promise<Uint8Array | undefined>;
  /** Returns undefined if the log does not have the activity in that version. */
  proofOf(activity: LoggedActivity): Promise<LogProof | undefined>;
};

export function createLog(ports: LogPorts): DeploymentLog {
  const { store, codec, keys, clock } = ports;
  const rows = createLogRows({ store, codec });
  const signer = createLogSigner(keys);
  const state = createLogState(rows, async (head) => {
    // A copy that was not accepted yet signs nothing, and its log may lack entries.
    if (!(await ports.mayChange())) return false;
    const anchored = signer.checkpointIn(await ports.anchor());
    await requireAnchored({ anchored, owner: await ports.owner(), head, rows });
    return true;
  });
  const written = createWrittenEntries(rows);
  const addAll = createAppender(ports, rows, written);
  let ownVersion = 0;

  async function append(waiting: readonly Waiting[]) {
    assert(waiting.length <= maximumBatch, 'a batch is bounded');
    await state.begin();
    const before = await state.read();
    if ((before?.version ?? 0) !== ownVersion) written.foreign();
    const owner = await ports.owner();
    const { epoch } = owner;
    if (before !== undefined && before.head.era > epoch) refuseRecord(logHeadPlace(before.version));
    const version = (before?.version ?? 0) + 1;
    const tree = await growTree(rows, before ? frontierOf(before.head) : emptyFrontier);
    if (before !== undefined && before.head.era < epoch) {
      tree.add(restoreEntry(sha256, { epoch, before: before.head.note }));
    }
    const { records, added } = await addAll(waiting, tree, version);
    const { frontier, tiles } = tree.finish();
    if (tiles.length === 0) return { isLost: false, note: before?.head.note ?? '' };
    for (const { level, index, hashes } of tiles) {
      records.push(rows.rowOfTile(level, index, hashes, version));
    }
    const note = signer.sign(originOf(owner), treeOf(frontier));
    const peaks = frontier.peaks.map((peak) => peak.toBase64());
    const head: LogHead = { era: epoch, size: frontier.size, peaks, note, atMs: clock() };
    const organizations = [rows.rowOfHead(head, version)];
    const outcome = await store.commit({ ...noChange, organizations, records });
    if (outcome !== 'committed') return { isLost: true, note: '' };
    state.wrote({ version, head });
    ownVersion = version;
    written.wrote(added, waiting.length < maximumBatch);
    return { isLost: false, note };
  }

  const { inTurn } = state;
  return {
    begin: () => inTurn(state.begin),
    refusal: state.refusal,
    append: (waiting) => inTurn(() => append(waiting)),
    checkpoint: () =>
      inTurn(async () => {
        await state.begin();
        return (await state.read())?.head.note;
      }),
    verifierKey: async () => signer.verifierKey(originOf(await ports.owner())),
    tileAt: async (path) => {
      const name = readTilePath(path);
      return name && inTurn(() => readTile(rows, state, name));
    },
    proofOf: (activity) =>
      inTurn(async () => {
        await state.begin();
        return proveActivity(rows, state, activity);
      }),
  };
}

/** Returns what adds activities to a tree, and gives their openings as rows. */
function createAppender(
  { store, codec, clock, random, refusedRow }: LogPorts,
  rows: LogRows,
  written: WrittenEntries,
): (
  waiting: readonly Waiting[],
  tree: GrowingTree,
  version: number,
) => Promise<{ readonly records: StoredRecord[]; readonly added: readonly OpenedEntry[] }> {
  const activities = createWaitingReader({ store, codec });

  /** Returns the openings of entries; undefined if there are none. */
  async function newOpenings(
    organizationId: string,
    fresh: readonly OpenedEntry[],
    index: number,
  ): Promise<Openings | undefined> {
    if (fresh.length === 0) return undefined;
    const last = await rows.lastOpenings(organizationId);
    const lastEntry = last && entriesOfOpenings(organizationId, last).at(-1);
    return {
      id: openingsId(clock(), index),
      salt: random(hashBytes).toBase64(),
      index,
      number: last === undefined ? 1 : last.number + last.entries.length,
      previous: lastEntry === undefined ? noPrevious : hex(lastEntry.entry),
      entries: fresh,
    };
  }

  return async (waiting, tree, version) => {
    const records: StoredRecord[] = [];
    const added: OpenedEntry[] = [];
    for (const [organizationId, list] of Map.groupBy(waiting, (each) => each.organizationId)) {
      const entries = await activities.read(organizationId, list, refusedRow);
      const fresh = await written.fresh(organizationId, entries);
      const openings = await newOpenings(organizationId, fresh, tree.size());
      if (openings === undefined) continue;
      added.push(...fresh);
      for (const { entry } of entriesOfOpenings(organizationId, openings)) tree.add(entry);
      records.push(rows.rowOfOpenings(organizationId, openings, version));
    }
    return { records, added };
  };
}
