// Decides a batch of changes in memory, in order, on the rows of the database. Returns the outcome of each
// change and the rows to write together.

import { hex } from '../../core/base/bytes.ts';
import { assert } from '../../core/errors/errors.ts';
import type { Redelivery } from '../../core/organization/changes.ts';
import type {
  StoreChange,
  StoredActivity,
  StoredEvent,
  StoredLookup,
  StoredOrganization,
  StoredRecord,
} from '../port.ts';
import type { ActivityIdentity, Present, PresentOrganization } from '../tables/refusal.ts';
import { refusalOf } from '../tables/refusal.ts';
import type { CommitResult } from './commit_queue.ts';

/** The database rows that a batch refers to. Each change of the batch updates them. */
export type Held = {
  readonly organizations: Map<string, PresentOrganization>;
  /** By `activityKey`. */
  readonly activities: Map<string, ActivityIdentity>;
  /** By `fingerprintKey`. */
  readonly fingerprints: Set<string>;
  hasDeployment: boolean;
};

type RecordKey = Pick<StoredRecord, 'organizationId' | 'kind' | 'id'>;

/** The rows to write: each row once, in the order of keys. */
export type Written = {
  readonly organizations: readonly StoredOrganization[];
  readonly deletedRecords: readonly RecordKey[];
  readonly records: readonly StoredRecord[];
  readonly deletedLookups: readonly StoredLookup[];
  readonly lookups: readonly StoredLookup[];
  readonly insertedActivities: readonly StoredActivity[];
  readonly updatedActivities: readonly StoredActivity[];
  /** In the order of the changes. */
  readonly events: readonly StoredEvent[];
  readonly redeliveries: readonly Redelivery[];
  readonly deployment: Uint8Array | undefined;
};

/** Decides in order. A faulty change has its error as the result and changes nothing. */
export function decideBatch(
  changes: readonly StoreChange[],
  held: Held,
): { readonly results: readonly CommitResult[]; readonly written: Written } {
  const present = presentIn(held);
  const rows = noRows();
  const results = changes.map((change): CommitResult => {
    try {
      const refusal = refusalOf(present, change);
      if (refusal !== undefined) return { outcome: refusal };
      assertEachRowOnce(change);
    } catch (error) {
      return { error };
    }
    write(rows, held, change);
    return { outcome: 'committed' };
  });
  return { results, written: writtenOf(rows) };
}

export function activityKey({
  organizationId,
  id,
}: Pick<StoredActivity, 'organizationId' | 'id'>): string {
  return JSON.stringify([organizationId, id]);
}

export function fingerprintKey({
  bucket,
  fingerprint,
  organizationId,
}: Pick<StoredActivity, 'bucket' | 'fingerprint' | 'organizationId'>): string {
  return JSON.stringify([bucket, hex(fingerprint), organizationId]);
}

function presentIn(held: Held): Present {
  return {
    organization: (id) => held.organizations.get(id),
    activity: (organizationId, id) => held.activities.get(activityKey({ organizationId, id })),
    hasFingerprint: (activity) => held.fingerprints.has(fingerprintKey(activity)),
    hasDeployment: () => held.hasDeployment,
  };
}

function assertEachRowOnce({ organizations, activities }: StoreChange): void {
  const inserted = activities.filter(({ version }) => version === 1);
  for (const keys of [
    organizations.map(({ organizationId }) => organizationId),
    activities.map(activityKey),
    inserted.map(fingerprintKey),
  ]) {
    assert(new Set(keys).size === keys.length, 'a change names each row once');
  }
}

/** The last change of each row, by key. */
type Rows = {
  readonly organizations: Map<string, StoredOrganization>;
  readonly records: Map<string, { readonly key: RecordKey; readonly put?: StoredRecord }>;
  readonly lookups: Map<string, { readonly entry: StoredLookup; readonly isPut: boolean }>;
  readonly insertedActivities: Map<string, StoredActivity>;
  readonly updatedActivities: Map<string, StoredActivity>;
  readonly events: StoredEvent[];
  readonly redeliveries: Redelivery[];
  deployment: Uint8Array | undefined;
};

function noRows(): Rows {
  return {
    organizations: new Map(),
    records: new Map(),
    lookups: new Map(),
    insertedActivities: new Map(),
    updatedActivities: new Map(),
    events: [],
    redeliveries: [],
    deployment: undefined,
  };
}

/** Applies deletions first, so that a row that is both deleted and put exists afterwards. */
function write(rows: Rows, held: Held, change: StoreChange): void {
  if (change.deployment !== undefined) {
    rows.deployment = change.deployment;
    held.hasDeployment = true;
  }
  for (const organization of change.organizations) {
    rows.organizations.set(organization.organizationId, organization);
    held.organizations.set(organization.organizationId, organization);
  }
  for (const key of change.deletedRecords) rows.records.set(recordKey(key), { key });
  for (const put of change.records) rows.records.set(recordKey(put), { key: put, put });
  for (const entry of change.deletedLookups) {
    rows.lookups.set(lookupKey(entry), { entry, isPut: false });
  }
  for (const entry of change.lookups) rows.lookups.set(lookupKey(entry), { entry, isPut: true });
  for (const activity of change.activities) {
    const key = activityKey(activity);
    const isNew = activity.version === 1 || rows.insertedActivities.has(key);
    (isNew ? rows.insertedActivities : rows.updatedActivities).set(key, activity);
    held.activities.set(key, activity);
    held.fingerprints.add(fingerprintKey(activity));
  }
  rows.events.push(...change.events);
  rows.redeliveries.push(...change.redeliveries);
}

// All nodes use the same order of keys, which prevents deadlocks between batches.
function writtenOf(rows: Rows): Written {
  const records = inOrder(rows.records);
  const lookups = inOrder(rows.lookups);
  return {
    organizations: inOrder(rows.organizations),
    deletedRecords: records.filter(({ put }) => put === undefined).map(({ key }) => key),
    records: records.flatMap(({ put }) => put ?? []),
    deletedLookups: lookups.filter(({ isPut }) => !isPut).map(({ entry }) => entry),
    lookups: lookups.filter(({ isPut }) => isPut).map(({ entry }) => entry),
    insertedActivities: inOrder(rows.insertedActivities),
    updatedActivities: inOrder(rows.updatedActivities),
    events: rows.events,
    redeliveries: rows.redeliveries,
    deployment: rows.deployment,
  };
}

function inOrder<Value>(rows: ReadonlyMap<string, Value>): Value[] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

function recordKey({ organizationId, kind, id }: RecordKey): string {
  return JSON.stringify([organizationId, kind, id]);
}

function lookupKey({ index, blind, organizationId, recordId }: StoredLookup): string {
  return JSON.stringify([index, hex(blind), organizationId, recordId]);
}
