// The rows of the log in the store: its head, its tiles, and the openings of each organization's entries. All
// are sealed. The head is one row, and each batch raises its version by one.

import { hex } from '../../core/base/bytes.ts';
import { createRecentCache } from '../../core/base/lru_cache.ts';
import { publicSha256, sha256 } from '../../core/crypto/hashes.ts';
import { assert } from '../../core/errors/errors.ts';
import { commitmentOf } from '../../core/log/entry.ts';
import { textOfEntry } from '../../core/log/entry_writer.ts';
import type { MapPage } from '../../core/log/map.ts';
import type { TileLevel } from '../../core/log/tiles.ts';
import type { StoredOrganization, StoredRecord, StorePort } from '../../store/port.ts';
import type { RecordAddress } from '../keys/sealing.ts';
import { createLogCodec, type LogCodec, logId } from './log_codec.ts';
import { createRunRows, type RunRows } from './log_run_rows.ts';
import { openJson, type RecordCodec, readOwnRow, refuseRecord } from './record_codec.ts';
import { createRecentTiles, nameOfTile, refuseTile, type TileSource } from './tile_hashes.ts';

/** The sealed head: the frontier of the tree, and the signed checkpoint of this size. */
export type LogHead = {
  /** The custody epoch that the log belongs to. */
  readonly era: number;
  readonly size: number;
  /** Base64. */
  readonly peaks: readonly string[];
  /** The checkpoint of this size, as a signed note. */
  readonly note: string;
  /** Time of the last append (milliseconds since 1970). */
  readonly atMs: number;
  /** Absent in heads written before the map. */
  readonly map?: LogMap;
  /** Size of the log before the first batch that a run signed; absent before that batch. */
  readonly signedSince?: number;
};

export type LogMap = {
  /** Hex. */
  readonly root: string;
  /** The size of the log at the start of its map. The map has no earlier entries. */
  readonly since: number;
};

/** The openings of entries of one organization that were appended together. */
export type Openings = {
  readonly id: string;
  /** Base64; the salt of each entry is derived from it. */
  readonly salt: string;
  /** Index of the first entry in the log; the others follow it. */
  readonly index: number;
  /** Number of the first entry in the organization. */
  readonly number: number;
  /** Commitment of the previous entry. */
  readonly previous: string;
  readonly entries: readonly OpenedEntry[];
};

export type OpenedEntry = {
  readonly activityId: string;
  readonly version: number;
  readonly status: string;
  readonly atMs: number;
  readonly record: string;
};

/** The last entry in a row of openings. */
export type OpeningsEnd = Pick<Openings, 'id' | 'index'> & {
  /** Number of the organization's last entry. */
  readonly entries: number;
  /** Hex. */
  readonly last: string;
};

type Tile = { readonly id: string; readonly hashes: string };
type Page = { readonly id: string; readonly slots: MapPage };

/** Number of map pages in one read. Together they stay below the page limit of the store. */
const mapPagesAtOnce = 64;
/** Maximum number of organizations whose last openings are cached. */
const maximumEnds = 4_096;

export type LogRows = RunRows &
  TileSource & {
    /** Returns the head and its version; undefined before the first batch. */
    head(knownVersion: number): Promise<{ version: number; head: LogHead | undefined } | undefined>;
    /** Returns the hashes of a tile, or the entries of a bundle: 32 bytes each. */
    tile(level: TileLevel, index: number): Promise<Uint8Array>;
    /** Returns the existing pages of the map by path. */
    mapPages(paths: readonly string[]): Promise<ReadonlyMap<string, MapPage>>;
    /** Returns openings of an organization with greater ids, in order, at most `limit`. */
    openingsAfter(organizationId: string, id: string, limit: number): Promise<readonly Openings[]>;
    /** Returns the end of an organization's last openings; undefined before the first entry. */
    lastEnd(organizationId: string): Promise<OpeningsEnd | undefined>;
    rowOfHead(head: LogHead, version: number): StoredOrganization;
    rowOfTile(level: TileLevel, index: number, hashes: Uint8Array, version: number): StoredRecord;
    rowOfMapPage(path: string, page: MapPage, version: number): StoredRecord;
    /** Seals openings, and returns their end with the row. `opened` is what `entriesOfOpenings` returns. */
    rowOfOpenings(
      organizationId: string,
      openings: Openings,
      opened: readonly Opening[],
      version: number,
    ): { readonly row: StoredRecord; readonly end: OpeningsEnd };
  };

/** Returns true if a row among the organizations is the head of the log, by its id. */
export function isLogHead(id: string): boolean {
  return id === logId;
}

export function logHeadPlace(version: number): RecordAddress {
  return { organizationId: logId, kind: 'log_head', id: logId, version };
}

/** Digits of a time in an id, so that ids sort by time. */
const timeDigits = 15;

/** Returns the id of openings, from the time of their append and their first index. */
export function openingsId(atMs: number, index: number): string {
  return `${idOfTime(atMs)}/${String(index).padStart(timeDigits + 1, '0')}`;
}

/** Returns the start of all ids of this time, which sorts before ids of later times. */
export function idOfTime(atMs: number): string {
  return String(Math.max(0, atMs)).padStart(timeDigits, '0');
}

/** Returns the timestamp at the start of an ID of openings. */
export function timeOfOpenings(id: string): number {
  return Number(id.slice(0, timeDigits));
}

export function createLogRows({
  store,
  codec,
}: {
  readonly store: Pick<StorePort, 'organization' | 'records' | 'recordPage'>;
  readonly codec: RecordCodec;
}): LogRows {
  const { sealing } = codec;

  const { sealed, opened } = createLogCodec(sealing);

  async function tiles(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const kind = 'log_tile';
    const stored = await store.records({ organizationId: logId, kind, ids: [...names] });
    return new Map(
      stored.map((row) => [row.id, Uint8Array.fromBase64(opened<Tile>(logId, kind, row).hashes)]),
    );
  }

  return {
    recent: createRecentTiles(),
    tiles,
    head: async (knownVersion) => {
      const place = { organizationId: logId, kind: 'log_head', id: logId };
      const { version, organization: row } = await readOwnRow(store, place, knownVersion);
      if (version === undefined)
        return knownVersion === 0 ? undefined : refuseRecord(logHeadPlace(0));
      if (row === undefined) {
        return version === knownVersion
          ? { version, head: undefined }
          : refuseRecord(logHeadPlace(version));
      }
      const sealedFor = logHeadPlace(row.version);
      // An earlier version than one that this enclave has seen is a rollback.
      if (row.organizationId !== logId || row.version <= knownVersion)
        return refuseRecord(sealedFor);
      return { version: row.version, head: openJson<LogHead>(sealing, sealedFor, row.head) };
    },
    tile: async (level, index) => {
      const name = nameOfTile(level, index);
      return (await tiles([name])).get(name) ?? refuseTile(level, index);
    },
    mapPages: async (paths) => {
      const kind = 'log_map';
      const found = new Map<string, MapPage>();
      for (let first = 0; first < paths.length; first += mapPagesAtOnce) {
        const ids = paths.slice(first, first + mapPagesAtOnce).map((path) => `/${path}`);
        const stored = await store.records({ organizationId: logId, kind, ids });
        for (const row of stored) {
          found.set(row.id.slice(1), opened<Page>(logId, kind, row).slots);
        }
      }
      return found;
    },
    ...createOpeningsRows(store, { sealed, opened }),
    ...createRunRows(store, { sealed, opened }),
    rowOfHead: (head, version) => {
      const body = sealing.seal(logHeadPlace(version), JSON.stringify(head));
      // The guard stays at 1, so that signatures do not conflict with changes of this row.
      return { organizationId: logId, parentId: undefined, version, guard: 1, head: body };
    },
    rowOfTile: (level, index, hashes, version) =>
      sealed(logId, 'log_tile', { id: `${level}/${index}`, hashes: hashes.toBase64() }, version),
    rowOfMapPage: (path, slots, version) =>
      sealed(logId, 'log_map', { id: `/${path}`, slots }, version),
  };
}

/** Creates the functions that read and write rows of openings. */
function createOpeningsRows(
  store: Pick<StorePort, 'recordPage'>,
  codec: LogCodec,
): Pick<LogRows, 'openingsAfter' | 'lastEnd' | 'rowOfOpenings'> {
  const kind = 'log_openings';
  /** Cached ends by row identity. Rows with the same address and bytes have the same openings. */
  const ends = createRecentCache<{ readonly row: string; readonly end: OpeningsEnd }>(maximumEnds);
  const identityOf = ({ organizationId, id, version, body, ...row }: StoredRecord): string =>
    JSON.stringify([organizationId, row.kind, id, version, hex(publicSha256(body))]);
  const rowsOf = (organizationId: string, page: Parameters<StorePort['recordPage']>[0]['page']) =>
    store.recordPage({ organizationId, kind, groupId: undefined, page });
  const open = (organizationId: string, row: StoredRecord) =>
    codec.opened<Openings>(organizationId, kind, row);

  return {
    openingsAfter: async (organizationId, id, limit) => {
      const page = { greaterThan: id, lessThan: undefined, ascending: true, limit };
      const rows = await rowsOf(organizationId, page);
      return rows.map((row) => open(organizationId, row));
    },
    lastEnd: async (organizationId) => {
      const page = { greaterThan: undefined, lessThan: undefined, ascending: false, limit: 1 };
      const [last] = await rowsOf(organizationId, page);
      if (last === undefined) return undefined;
      const row = identityOf(last);
      const known = ends.get(organizationId);
      if (known?.row === row) return known.end;
      const openings = open(organizationId, last);
      const end = endOf(openings, entriesOfOpenings(organizationId, openings));
      ends.set(organizationId, { row, end });
      return end;
    },
    rowOfOpenings: (organizationId, openings, entries, version) => {
      const row = codec.sealed(organizationId, kind, openings, version);
      const end = endOf(openings, entries);
      ends.set(organizationId, { row: identityOf(row), end });
      return { row, end };
    },
  };
}

function endOf({ id, index, number, previous }: Openings, opened: readonly Opening[]): OpeningsEnd {
  const last = opened.at(-1);
  const entries = number + opened.length - 1;
  return { id, index, entries, last: last === undefined ? previous : hex(last.entry) };
}

/** The salt, the text and the commitment of one entry. */
type Opening = {
  readonly salt: Uint8Array;
  readonly text: string;
  readonly entry: Uint8Array;
};

/** Returns all entries of openings, each with the hash of the previous entry. */
export function entriesOfOpenings(organizationId: string, openings: Openings): readonly Opening[] {
  const salt = Uint8Array.fromBase64(openings.salt);
  let { previous, number } = openings;
  return openings.entries.map((entry, place) => {
    const text = textOfEntry({ organizationId, number, previous, ...entry });
    const own = saltAt(salt, place);
    const commitment = commitmentOf(publicSha256, own, text);
    previous = hex(commitment);
    number += 1;
    return { salt: own, text, entry: commitment };
  });
}

/**
 * Returns the opening of one entry. `before` is the previous entry in the log, which the first entry of
 * openings does not need. A false value produces an entry that the log does not have.
 */
export function openingAt(
  organizationId: string,
  openings: Openings,
  place: number,
  before: Uint8Array | undefined,
): Opening {
  const entry = openings.entries[place];
  assert(entry !== undefined, 'openings have their entries');
  const previous = before === undefined ? openings.previous : hex(before);
  const number = openings.number + place;
  const text = textOfEntry({ organizationId, number, previous, ...entry });
  const salt = saltAt(Uint8Array.fromBase64(openings.salt), place);
  return { salt, text, entry: commitmentOf(publicSha256, salt, text) };
}

/** Derives separate salts, so that the opening of one entry reveals no other salt. */
function saltAt(salt: Uint8Array, place: number): Uint8Array {
  const bytes = new Uint8Array(salt.length + 4);
  bytes.set(salt);
  new DataView(bytes.buffer).setUint32(salt.length, place);
  return sha256(bytes);
}
