// Reads from the log: the proof of an entry, and tiles in their published form.

import { publicSha256 } from '../../core/crypto/hashes.ts';
import { hashBytes, leafHash } from '../../core/log/inclusion.ts';
import { bundleOf, hashIn, lengthOfLevel, type TileName, tileWidth } from '../../core/log/tiles.ts';
import { consistencyPlan, proofOf } from '../../core/log/tree.ts';
import { idOfTime, type LogRows, type Openings, openingAt } from '../records/log_rows.ts';
import { readHashes } from '../records/log_tiles.ts';
import { refuseRecord } from '../records/record_codec.ts';
import { type NeededTile, readTiles, type TileSource } from '../records/tile_hashes.ts';
import type { CosignedCheckpoint } from './log_cosigned.ts';
import { type ProvenRun, proveRun } from './log_run.ts';
import type { LogState } from './log_state.ts';
import { proveEntry, rootOfNote } from './prove_entry.ts';

/** Openings one of which usually has an activity. A busy organization has 512 entries in each. */
const usualReads = 2;
/** Number of openings in a page. */
const pageLength = 16;
/** Maximum pages of one search, because the log may append an activity late. */
const maximumPages = 256;
/** Maximum clock difference between two nodes. */
const clockSkewMs = 5_000;

/** The entry of an activity, its opening, and the proof that a checkpoint includes it. */
export type LogProof = {
  readonly salt: Uint8Array;
  readonly text: string;
  readonly index: number;
  readonly hashes: readonly Uint8Array[];
  /** The checkpoint, as a signed note. */
  readonly note: string;
  /** Undefined for an entry of an earlier release. */
  readonly run: ProvenRun | undefined;
};

/** An activity in the requested version. */
export type LoggedActivity = {
  readonly organizationId: string;
  readonly id: string;
  readonly version: number;
  readonly updatedAtMs: number;
};

/** Yields the openings of an organization that may contain an activity of a time, oldest first. */
export async function* openingsSince(
  rows: Pick<LogRows, 'openingsAfter'>,
  organizationId: string,
  atMs: number,
): AsyncGenerator<Openings> {
  let after = idOfTime(atMs - clockSkewMs);
  for (let page = 0; page < maximumPages; page += 1) {
    const found = await rows.openingsAfter(organizationId, after, pageLength);
    yield* found;
    const last = found.at(-1);
    if (last === undefined || found.length < pageLength) return;
    after = last.id;
  }
}

/** Returns the openings with an activity, and its index among their entries. */
async function findOpenings(
  rows: Pick<LogRows, 'openingsAfter'>,
  { organizationId, id, version, updatedAtMs }: LoggedActivity,
): Promise<{ readonly openings: Openings; readonly place: number } | undefined> {
  const foundIn = (openings: Openings) => {
    const place = openings.entries.findIndex(
      (each) => each.activityId === id && each.version === version,
    );
    return place < 0 ? undefined : { openings, place };
  };
  // The log usually appends an activity within a second, by the clock of the same node.
  let after = idOfTime(updatedAtMs);
  for (let read = 0; read < usualReads; read += 1) {
    const [openings] = await rows.openingsAfter(organizationId, after, 1);
    if (openings === undefined) break;
    const found = foundIn(openings);
    if (found !== undefined) return found;
    after = openings.id;
  }
  for await (const openings of openingsSince(rows, organizationId, updatedAtMs)) {
    const found = foundIn(openings);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns undefined if the log lacks the activity in that version. Raises `record_refused`. */
export async function proveActivity(
  rows: LogRows,
  { state, cosigned }: { readonly state: LogState; readonly cosigned: CosignedCheckpoint },
  activity: LoggedActivity,
): Promise<LogProof | undefined> {
  const { organizationId } = activity;
  const found = await findOpenings(rows, activity);
  const newest = await state.read();
  if (found === undefined || newest === undefined) return undefined;
  const { openings, place } = found;
  const index = openings.index + place;
  const before = place === 0 ? undefined : await entryAt(rows, index - 1);
  const opening = openingAt(organizationId, openings, place, before);
  const leaf = leafHash(publicSha256, opening.entry);
  const { size, note } = cosigned.treeFor(index, newest.head);
  const proven = { leaf, index, size, root: rootOfNote(note) };
  const hashes = await proveEntry(rows, proven);
  if (hashes === undefined) {
    return refuseRecord({ organizationId, kind: 'log_openings', id: openings.id, version: 0 });
  }
  const { salt, text } = opening;
  const { signedSince = Number.POSITIVE_INFINITY } = newest.head;
  const run = index < signedSince ? undefined : await proveRun(rows, proven);
  return { salt, text, index, hashes, note, run };
}

/** Returns an entry of the log. Raises `record_refused` if its tile is too short. */
async function entryAt(rows: TileSource, index: number): Promise<Uint8Array> {
  const place = index % tileWidth;
  const tile = { index: Math.floor(index / tileWidth), length: place + 1 };
  // The proof needs the tile of hashes, which one read fetches as well.
  const needed: NeededTile[] = [
    { ...tile, level: 'entries' },
    { ...tile, level: 0 },
  ];
  return (await readTiles(rows, needed))('entries', tile.index).rootAt(place, 1);
}

/** Returns a consistency proof; an empty one for sizes that the log does not have. */
export async function proveConsistency(
  rows: TileSource,
  state: LogState,
  from: number,
  to: number,
): Promise<readonly Uint8Array[]> {
  const size = (await state.read())?.head.size ?? 0;
  if (from <= 0 || from >= to || to > size) return [];
  const plan = consistencyPlan(from, to);
  return proofOf(publicSha256, plan, await readHashes(rows, plan.flat()));
}

/** Returns a tile or a bundle of entries; undefined if the log has no such tile. */
export async function readTile(
  rows: Pick<LogRows, 'tile'>,
  state: LogState,
  { level, index, width }: TileName,
): Promise<Uint8Array | undefined> {
  const size = (await state.read())?.head.size ?? 0;
  if (lengthOfLevel(level, size) - index * tileWidth < width) return undefined;
  const hashes = (await rows.tile(level, index)).subarray(0, width * hashBytes);
  if (level !== 'entries') return hashes;
  const entries = Array.from({ length: width }, (_, i) => hashIn(hashes, i));
  return bundleOf(entries.filter((entry) => entry !== undefined));
}
