// Adds activities to the tree of the log and to its map, and returns the new rows.

import { publicSha256 } from '../../core/crypto/hashes.ts';
import { commitmentOf, noPrevious } from '../../core/log/entry.ts';
import { hashBytes } from '../../core/log/inclusion.ts';
import { type MapValue, textOfMapEntry } from '../../core/log/map.ts';
import type { StoredOrganization, StoredRecord, StorePort } from '../../store/port.ts';
import { sealDigest } from '../keys/sealing.ts';
import { headAddress } from '../records/change_writer.ts';
import { growMap, rowsOfPages } from '../records/log_map.ts';
import {
  entriesOfOpenings,
  type LogMap,
  type LogRows,
  type OpenedEntry,
  type Openings,
  type OpeningsEnd,
  openingsId,
  timeOfOpenings,
} from '../records/log_rows.ts';
import type { GrowingTree } from '../records/log_tiles.ts';
import {
  openJson,
  type RecordCodec,
  type RecordRefusedError,
  refuseRecord,
} from '../records/record_codec.ts';
import type { SealedEntries } from '../records/sealed_entries.ts';
import { createWaitingReader, type Waiting } from '../records/waiting_activities.ts';
import type { WrittenEntries } from './log_written.ts';

export type AppenderPorts = {
  readonly store: StorePort;
  readonly codec: RecordCodec;
  /** Entries of activities that this enclave sealed. */
  readonly sealed: SealedEntries;
  readonly clock: () => number;
  readonly random: (length: number) => Uint8Array;
  /** Returns the newest version of an organization in the memory of this enclave. */
  readonly knownVersion: (organizationId: string) => number | undefined;
  readonly refusedRow: (error: RecordRefusedError) => void;
};

type Appended = {
  readonly records: readonly StoredRecord[];
  readonly added: readonly OpenedEntry[];
  readonly map: LogMap | undefined;
};

/**
 * Adds activities to a tree. `version` is the version of the head written with the rows. `enter` is called
 * before the first entry.
 */
type Appender = (
  waiting: readonly Waiting[],
  tree: GrowingTree,
  at: { readonly version: number; readonly size: number; readonly map: LogMap | undefined },
  enter: () => void,
) => Promise<Appended>;

export function createAppender(
  ports: AppenderPorts,
  rows: LogRows,
  written: WrittenEntries,
): Appender {
  const { clock, random, refusedRow } = ports;
  const activities = createWaitingReader(ports);
  const readHead = createHeadReader(ports);

  function openingsOf(
    fresh: readonly OpenedEntry[],
    { last, place, index }: { last: OpeningsEnd | undefined; place: Chain; index: number },
  ): Openings {
    // The clock of another node may be ahead. IDs keep the order of the entries.
    const atMs = Math.max(clock(), last === undefined ? 0 : timeOfOpenings(last.id));
    return {
      id: openingsId(atMs, index),
      salt: random(hashBytes).toBase64(),
      index,
      number: place.entries + 1,
      previous: place.last,
      entries: fresh,
    };
  }

  return async (waiting, tree, { version, size, map: before }, enter) => {
    const lists = Map.groupBy(waiting, (each) => each.organizationId);
    const map = await growMap(rows, before?.root, [...lists.keys()]);
    const since = before?.since ?? tree.size();
    const records: StoredRecord[] = [];
    const added: OpenedEntry[] = [];
    for (const [organizationId, list] of lists) {
      const entries = await activities.read(organizationId, list, refusedRow);
      const fresh = await written.fresh(organizationId, entries);
      if (fresh.length === 0) continue;
      const mapped = map.get(organizationId);
      const last = await rows.lastEnd(organizationId);
      const place = requireChain(organizationId, last, { mapped, since });
      const head = await readHead(organizationId, mapped);
      if (records.length === 0) enter();
      const openings = openingsOf(fresh, { last, place, index: tree.size() });
      const opened = entriesOfOpenings(organizationId, openings);
      for (const { entry } of opened) tree.add(entry);
      const { row, end } = rows.rowOfOpenings(organizationId, openings, opened, version);
      map.put({ organizationId, ...head, ...chainOf(end) });
      records.push(row);
      added.push(...fresh);
    }
    // The first entry after a restore is also a batch.
    if (tree.size() === size) return { records, added, map: before };
    const { root, pages } = map.finish();
    tree.add(
      commitmentOf(publicSha256, new Uint8Array(0), textOfMapEntry(Uint8Array.fromHex(root))),
    );
    records.push(...rowsOfPages(rows, pages, version));
    return { records, added, map: { root, since } };
  };
}

/** The end of an organization's chain of entries. */
type Chain = Pick<MapValue, 'entries' | 'last'>;

function chainOf(end: OpeningsEnd | undefined): Chain {
  return { entries: end?.entries ?? 0, last: end?.last ?? noPrevious };
}

/**
 * Returns the end of the chain in the database. Rejects openings that do not match the last entry in the map.
 */
export function requireChain(
  organizationId: string,
  openings: OpeningsEnd | undefined,
  { mapped, since }: { readonly mapped: MapValue | undefined; readonly since: number },
): Chain {
  const chain = chainOf(openings);
  const isAtMap = chain.entries === mapped?.entries && chain.last === mapped.last;
  const isBeforeMap = mapped === undefined && (openings?.index ?? -1) < since;
  if (isAtMap || isBeforeMap) return chain;
  const id = openings?.id ?? '';
  return refuseRecord({ organizationId, kind: 'log_openings', id, version: 0 });
}

type Head = Pick<MapValue, 'version' | 'head'>;

/**
 * Returns a function that reads the version of an organization for the map. Rejects a rolled-back version.
 */
function createHeadReader({
  store,
  codec,
  knownVersion,
}: Pick<AppenderPorts, 'store' | 'codec' | 'knownVersion'>) {
  return async (organizationId: string, mapped: MapValue | undefined): Promise<Head> => {
    const known = knownVersion(organizationId) ?? 0;
    const asked = { organizationId, kinds: [], knownVersion: 0, fingerprint: undefined };
    const { organization } = await store.organization(asked);
    requireAtMap(organizationId, organization, mapped);
    if (organization === undefined || organization.version < known) {
      return refuseRecord(headAddress(organizationId, organization?.version ?? 0));
    }
    const { version, head } = organization;
    openJson(codec.sealing, headAddress(organizationId, version), head);
    return { version, head: sealDigest(head) };
  };
}

/** Rejects an organization row that is older than its state in the map or differs from it. */
export function requireAtMap(
  organizationId: string,
  row: StoredOrganization | undefined,
  mapped: MapValue | undefined,
): void {
  if (mapped === undefined) return;
  const { version, head } = mapped;
  const isNewer = row !== undefined && row.version > version;
  if (isNewer || (row?.version === version && sealDigest(row.head) === head)) return;
  refuseRecord(headAddress(organizationId, version));
}
