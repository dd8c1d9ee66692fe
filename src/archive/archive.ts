// Moves decided activities into segments: writes the segment durably, records it in the database as the last
// segment, records the location of its activities, deletes them, and renames the file. Each step can be
// repeated.

import { isOpen } from '../core/activity/activity.ts';
import { firstIdAt } from '../core/base/ids.ts';
import type { ArchiveEnd } from '../core/custody/record.ts';
import type { ArchivedActivities } from '../core/organization/records/archive.ts';
import type { RecordCodec } from '../enclave/records/record_codec.ts';
import {
  noChange,
  type StoreChange,
  type StoredActivity,
  type StoredRecord,
} from '../store/port.ts';
import type { Store } from '../store/store.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';
import { checkedSegment, segmentsOf } from './chain.ts';
import { type ArchiveDirectory, type SegmentFile, segmentNumberText } from './directory.ts';
import type { ArchiveEnds } from './ends.ts';
import { encodeSegment, type Segment, SegmentRefusedError } from './segment.ts';

export type ArchiveTools = {
  readonly store: Pick<Store, 'port' | 'archive'>;
  readonly codec: RecordCodec;
  readonly ends: ArchiveEnds;
  /** r ‖ s over a digest. */
  readonly sign: (digest: Uint8Array) => Uint8Array;
  /** A compressed P-256 point, 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly directory: ArchiveDirectory;
  readonly clock: () => number;
  /** Called before each step, for progress and for tests that stop there. */
  readonly step?: (name: ArchiveStep, segment: string) => void;
  readonly segmentBytes?: number;
  /** Continues with the segments in the folder, even if the database has recorded more. */
  readonly acceptsLoss?: boolean | undefined;
};

export const archiveSteps = ['write', 'check', 'end', 'note', 'delete', 'rename', 'done'] as const;
export type ArchiveStep = (typeof archiveSteps)[number];

export type Archived = { readonly segments: number; readonly activities: number };

const defaultSegmentBytes = 16 * 1024 * 1024;
/** Each row may have the maximum size, and a page is in memory as a whole. */
const pageRows = 16;
const rowsTogether = 1_000;
const voterKind = 'voter';
const markerKind = 'archived_activities';

/** Archives activities decided before a time (milliseconds since 1970), of one organization or of all. */
export async function archiveActivities(
  {
    before,
    organizationId,
  }: { readonly before: number; readonly organizationId?: string | undefined },
  tools: ArchiveTools,
): Promise<Archived> {
  let end = await tools.ends.read();
  let last: Segment | undefined;
  for (const { file, segment } of segmentsOf(tools.directory, expecting(end, tools))) {
    last = segment;
    if (!file.isMoving) continue;
    // An earlier run was interrupted. An attacker may have renamed a file to `moving`, so the recorded end
    // never moves back here.
    end = await laterEnd(segment, end, tools);
    await takeOut(file, segment, tools);
  }
  if (last !== undefined) end = await notedEnd(last, end, tools);
  const total = { segments: 0, activities: 0 };
  let batch: StoredActivity[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const written = await writeSegment(batch, last, tools);
    end = await notedEnd(written.segment, end, tools);
    await takeOut(written.file, written.segment, tools);
    last = written.segment;
    total.segments += 1;
    total.activities += batch.length;
    batch = [];
    bytes = 0;
  };
  for await (const row of decidedBefore(before, organizationId, tools)) {
    batch.push(row);
    bytes += row.body.length;
    if (bytes >= (tools.segmentBytes ?? defaultSegmentBytes)) await flush();
  }
  await flush();
  return total;
}

/** Yields activities decided before a time, by organization and then by time. */
async function* decidedBefore(
  before: number,
  only: string | undefined,
  { store, codec }: ArchiveTools,
): AsyncGenerator<StoredActivity> {
  const lessThan = firstIdAt(before);
  let organizationId = only ?? (await store.archive.nextOrganization(''));
  while (organizationId !== undefined) {
    let greaterThan: string | undefined;
    for (;;) {
      const page = { greaterThan, lessThan, ascending: true, limit: pageRows };
      const rows = await store.port.activityPage({ organizationId, statuses: [], types: [], page });
      for (const listed of rows) {
        const row = await wholeOf(listed, store.port);
        if (row === undefined) continue;
        // The columns are not sealed. The sealed activity has the status and the time of its decision.
        const activity = codec.openActivity(organizationId, row);
        if (!isOpen(activity) && activity.updatedAtMs < before) yield row;
      }
      if (rows.length < pageRows) break;
      greaterThan = rows.at(-1)?.id;
    }
    if (only !== undefined) return;
    organizationId = await store.archive.nextOrganization(organizationId);
  }
}

/** Reads a large row whose body the page omitted; returns undefined if the row was removed since. */
async function wholeOf(
  row: StoredActivity,
  store: Pick<Store['port'], 'activity'>,
): Promise<StoredActivity | undefined> {
  return row.body.length > 0 ? row : store.activity(row);
}

async function writeSegment(
  activities: readonly StoredActivity[],
  previous: Segment | undefined,
  tools: ArchiveTools,
): Promise<{ readonly file: SegmentFile; readonly segment: Segment }> {
  const number = (previous?.manifest.number ?? 0) + 1;
  const about = {
    number,
    previous: previous?.manifestDigest ?? '',
    madeAtMs: tools.clock(),
  };
  const rows = { activities, voters: await votersOf(activities, tools) };
  tools.step?.('write', segmentNumberText(number));
  const file = tools.directory.write(number, encodeSegment(rows, about, tools.sign));
  tools.step?.('check', file.name);
  // Reads the bytes from the disk, not from the memory of the writer.
  const segment = tools.directory.read(file, (content) => checkedSegment(file, content, tools));
  return { file, segment };
}

function expecting<Tools extends Pick<ArchiveTools, 'acceptsLoss'>>(
  end: ArchiveEnd | undefined,
  tools: Tools,
): Tools & { readonly end: ArchiveEnd | undefined } {
  return { ...tools, end: tools.acceptsLoss === true ? undefined : end };
}

/** Records this segment as the end if it is later than the recorded end. Returns the later end. */
async function laterEnd(
  segment: Segment,
  end: ArchiveEnd | undefined,
  tools: Pick<ArchiveTools, 'ends' | 'step'>,
): Promise<ArchiveEnd | undefined> {
  return segment.manifest.number > (end?.segments ?? 0) ? notedEnd(segment, end, tools) : end;
}

/**
 * Records this segment as the end of the archive, before any of its rows is deleted. A later check reports
 * the file if it is missing. Raises UnusableDataError if another command has recorded an end since.
 */
async function notedEnd(
  { manifest: { number }, manifestDigest }: Segment,
  from: ArchiveEnd | undefined,
  { ends, step }: Pick<ArchiveTools, 'ends' | 'step'>,
): Promise<ArchiveEnd> {
  if (from?.segments === number && from.manifestDigest === manifestDigest) return from;
  step?.('end', segmentNumberText(number));
  const to = { segments: number, manifestDigest };
  if (await ends.move(from, to)) return to;
  throw new UnusableDataError('another command archives this database into another folder');
}

/** Returns the users who voted, so that a segment is readable without a database. */
async function votersOf(
  activities: readonly StoredActivity[],
  { store, codec }: ArchiveTools,
): Promise<readonly StoredRecord[]> {
  const idsByOrganization = new Map<string, Set<string>>();
  for (const row of activities) {
    const ids = idsByOrganization.getOrInsertComputed(row.organizationId, () => new Set());
    for (const { voterId } of codec.openActivity(row.organizationId, row).votes) ids.add(voterId);
  }
  const found: StoredRecord[] = [];
  for (const [organizationId, ids] of idsByOrganization) {
    for (const part of chunks([...ids])) {
      found.push(...(await store.port.records({ organizationId, kind: voterKind, ids: part })));
    }
  }
  return found;
}

/** Runs the steps after a segment is durable. All of them are idempotent. */
async function takeOut(file: SegmentFile, segment: Segment, tools: ArchiveTools): Promise<void> {
  const { store, codec, directory, step } = tools;
  step?.('note', file.name);
  const markers = markersOf(segment).map(({ organizationId, marker }) =>
    codec.sealRecord(organizationId, markerKind, marker, 1),
  );
  for (const records of chunks(markers)) await put(store, { records });
  step?.('delete', file.name);
  for (const rows of chunks(segment.activities)) await store.archive.remove(rows);
  step?.('rename', file.name);
  directory.finish(file);
  step?.('done', file.name);
}

/** Restores all activities of a folder. Returns the number that the database lacked. */
export async function importSegments(
  tools: Pick<ArchiveTools, 'store' | 'codec' | 'ends' | 'publicKey' | 'directory' | 'acceptsLoss'>,
): Promise<Archived & { readonly restored: number }> {
  // Checks the whole folder before it writes.
  const end = await tools.ends.read();
  let last: Segment | undefined;
  const checked: string[] = [];
  for (const { segment } of segmentsOf(tools.directory, expecting(end, tools))) {
    last = segment;
    checked.push(segment.manifestDigest);
  }
  if (last !== undefined) await laterEnd(last, end, tools);
  const total = { segments: 0, activities: 0, restored: 0 };
  for (const { file, segment } of segmentsOf(tools.directory, tools)) {
    if (segment.manifestDigest !== checked[total.segments]) throw changedMeanwhile(file.name);
    total.segments += 1;
    total.activities += segment.activities.length;
    for (const records of chunks(segment.voters)) await put(tools.store, { records });
    for (const rows of chunks(segment.activities)) {
      total.restored += await tools.store.archive.restore(rows);
    }
    const markers = markersOf(segment).map(({ organizationId, marker: { id } }) => ({
      organizationId,
      kind: markerKind,
      id,
    }));
    for (const deletedRecords of chunks(markers)) await put(tools.store, { deletedRecords });
  }
  if (total.segments < checked.length) {
    throw changedMeanwhile(`${segmentNumberText(total.segments + 1)}.segment`);
  }
  return total;
}

function changedMeanwhile(name: string): SegmentRefusedError {
  return new SegmentRefusedError(name, 'the folder was changed meanwhile');
}

function markersOf({ manifest, manifestDigest }: Segment): readonly {
  readonly organizationId: string;
  readonly marker: ArchivedActivities;
}[] {
  const { number, madeAtMs, organizations } = manifest;
  return organizations.map(({ organizationId, activities, firstActivityId, lastActivityId }) => ({
    organizationId,
    marker: {
      id: lastActivityId,
      firstActivityId,
      activities,
      segment: segmentNumberText(number),
      manifestDigest,
      createdAtMs: madeAtMs,
      updatedAtMs: madeAtMs,
    },
  }));
}

async function put(
  { port }: Pick<Store, 'port'>,
  rows: Partial<Pick<StoreChange, 'records' | 'deletedRecords'>>,
): Promise<void> {
  const outcome = await port.commit({ ...noChange, ...rows });
  if (outcome !== 'committed') throw new Error(`the change was not committed: ${outcome}`);
}

function* chunks<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let first = 0; first < rows.length; first += rowsTogether) {
    yield rows.slice(first, first + rowsTogether);
  }
}
