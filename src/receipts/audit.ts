// Audits the chain of an organization: all its entries are present, in order and at their log indexes, and
// the log has no further entries.

import { sha256 } from '@noble/hashes/sha2.js';
import {
  type ActivityEntry,
  commitmentOf,
  noPrevious,
  readEntry,
  saltBytes,
} from '../core/log/entry.ts';
import { isIncluded, leafHash, sameBytes } from '../core/log/inclusion.ts';
import { isMapped, type MapValue, readMapEntry, readMapValue } from '../core/log/map.ts';
import { bytesOfBase64 } from '../core/log/note.ts';
import { entriesOf, pathOfTile, tileWidth } from '../core/log/tiles.ts';
import { emptyFrontier, type Frontier, rootOf, withLeaf } from '../core/log/tree.ts';
import { readPolicy } from '../core/log/trust_policy.ts';
import { readTrustedProof } from './trusted_proof.ts';

export type ShownEntry = { readonly index: number; readonly entry: string; readonly salt: string };

/** The proof of the last entry, as supplied by the service. */
export type ShownEnd = {
  readonly mapState: string;
  readonly pages: readonly string[];
  readonly mapEntry: string;
  readonly proof: string;
};

type AuditedEntry = ActivityEntry & {
  readonly index: number;
  /** The entry in its logged form. */
  readonly commitment: Uint8Array;
};

export type AuditedChain = {
  readonly log: string;
  readonly size: number;
  readonly root: Uint8Array;
  readonly witnesses: readonly string[];
  readonly state: MapValue;
  readonly entries: readonly AuditedEntry[];
};

/** Checks a chain from its first to its last entry. Throws an error with the failed check. */
export function auditChain(
  organizationId: string,
  shown: readonly ShownEntry[],
  end: ShownEnd,
  policyText: string,
): AuditedChain {
  const policy = readPolicy(sha256, policyText);
  const { proof, log, size, root, witnesses } = readTrustedProof(end.proof, policy);
  const state = provenState(organizationId, end, { ...proof, size, root });
  const entries: AuditedEntry[] = [];
  let previous = noPrevious;
  for (const [i, { index, entry: text, salt: encoded }] of shown.entries()) {
    const refuse = (reason: string): never => {
      throw new Error(`entry ${i + 1} of the organization ${reason}`);
    };
    const salt = bytesOfBase64(encoded);
    const entry = readEntry(text) ?? refuse('is malformed');
    if (salt?.length !== saltBytes) return refuse('has a malformed salt');
    if (entry.organizationId !== organizationId) refuse('is of another organization');
    if (entry.number !== i + 1) refuse(`has the number ${entry.number}`);
    if (entry.previous !== previous) refuse('does not follow the entry before');
    const isNext = Number.isSafeInteger(index) && index > (entries.at(-1)?.index ?? -1);
    if (!isNext || index >= size) refuse('stands at a wrong place');
    const commitment = commitmentOf(sha256, salt, text);
    previous = commitment.toHex();
    entries.push({ ...entry, index, commitment });
  }
  if (entries.length !== state.entries) {
    throw new Error(`the log has ${state.entries} entries, of which ${entries.length} are shown`);
  }
  if (previous !== state.last)
    throw new Error('the last entry is not the one that the log ends with');
  return { log, size, root, witnesses, state, entries };
}

/** Returns the state proved by the last entry of a checkpoint. */
function provenState(
  organizationId: string,
  end: ShownEnd,
  checkpoint: {
    readonly index: number;
    readonly hashes: readonly Uint8Array[];
    readonly size: number;
    readonly root: Uint8Array;
  },
): MapValue {
  const { index, hashes, size, root } = checkpoint;
  // An earlier map would prove an earlier end.
  if (index !== size - 1) throw new Error('the map is not the one of the checkpoint');
  const leaf = leafHash(sha256, commitmentOf(sha256, new Uint8Array(0), end.mapEntry));
  if (!isIncluded(sha256, { leaf, index, size, root, proof: hashes })) {
    throw new Error('the checkpoint does not end with the map');
  }
  const mapRoot = readMapEntry(end.mapEntry);
  const value = readMapValue(end.mapState);
  const pages = end.pages.map(bytesOfBase64).filter((page) => page !== undefined);
  if (mapRoot === undefined || value === undefined) throw new Error('the map is malformed');
  if (value.organizationId !== organizationId)
    throw new Error('the map is of another organization');
  if (!isMapped(sha256, { root: mapRoot, value, pages })) {
    throw new Error('the map does not have this state of the organization');
  }
  return value;
}

/** The checkpoint of an earlier audit. */
export type EarlierTree = { readonly size: number; readonly root: Uint8Array };

/**
 * Reads all entries of the log, and checks its root, the entries of a chain and an earlier tree. `read`
 * returns a tile by its path. Throws an error with the failed check.
 */
export async function auditLog(
  { size, root, entries }: Pick<AuditedChain, 'size' | 'root' | 'entries'>,
  read: (path: string) => Promise<Uint8Array>,
  earlier?: EarlierTree,
): Promise<void> {
  const own = new Map(entries.map(({ index, commitment }) => [index, commitment]));
  if (earlier !== undefined && earlier.size > size) {
    throw new Error(`the log has ${size} entries, and had ${earlier.size} at the last audit`);
  }
  let frontier: Frontier = emptyFrontier;
  const checkEarlier = () => {
    if (earlier?.size !== frontier.size) return;
    if (sameBytes(rootOf(sha256, frontier), earlier.root)) return;
    throw new Error('the log has other entries than at the last audit');
  };
  for (let index = 0; frontier.size < size; index += 1) {
    const width = Math.min(tileWidth, size - frontier.size);
    const path = pathOfTile({ level: 'entries', index, width });
    const bundle = entriesOf(await read(path));
    if (bundle?.length !== width) throw new Error(`the tile ${path} is malformed`);
    for (const entry of bundle) {
      const expected = own.get(frontier.size);
      if (expected !== undefined && !sameBytes(entry, expected)) {
        throw new Error(`the log has another entry at the place ${frontier.size}`);
      }
      frontier = withLeaf(sha256, frontier, leafHash(sha256, entry)).frontier;
      checkEarlier();
    }
  }
  if (!sameBytes(rootOf(sha256, frontier), root)) {
    throw new Error('the tiles of the log do not match the checkpoint');
  }
}

export type ShownActivity = { readonly id: string; readonly status: string };

/** The archived activities, according to the service: those up to an ID that were decided before a time. */
type ShownArchive = { readonly lastActivityId: string; readonly decidedBefore: number };

const noArchive: ShownArchive = { lastActivityId: '', decidedBefore: 0 };

/**
 * Returns a finding for each difference between the chain and the activity list of the service. `archived`
 * counts the activities that only the archive can explain, which nothing here verifies.
 */
export function compareActivities(
  chain: readonly ActivityEntry[],
  activities: readonly ShownActivity[],
  { lastActivityId, decidedBefore }: ShownArchive = noArchive,
): {
  readonly findings: readonly string[];
  readonly withoutEntry: number;
  readonly archived: number;
} {
  const last = new Map(chain.map((entry) => [entry.activityId, entry]));
  const shown = new Map(activities.map((each) => [each.id, each]));
  const findings: string[] = [];
  let archived = 0;
  for (const { activityId: id, number, status, atMs } of last.values()) {
    const activity = shown.get(id);
    if (activity === undefined) {
      if (id <= lastActivityId && atMs < decidedBefore) archived += 1;
      else findings.push(`activity ${id} of entry ${number} is withheld`);
    } else if (activity.status !== status) {
      findings.push(`activity ${id} is ${activity.status}, and ${status} in entry ${number}`);
    }
  }
  const withoutEntry = activities.filter(({ id }) => !last.has(id));
  // IDs begin with a timestamp. The log appends with a delay, and may have started after the first
  // activities.
  const first = chain.reduce((least, { activityId: id }) => (id < least ? id : least), '~');
  const newest = chain.reduce((most, { activityId: id }) => (id > most ? id : most), '');
  for (const { id } of withoutEntry) {
    if (id > first && id < newest) findings.push(`activity ${id} has no entry in the log`);
  }
  return { findings, withoutEntry: withoutEntry.length, archived };
}
