// A model of the store port with maps: the durable rows, and the effect of a change.

import { hex } from '../../src/core/base/bytes.ts';
import type {
  CommitOutcome,
  PageRequest,
  StoreChange,
  StoredActivity,
  StoredDelivery,
  StoredLookup,
  StoredOrganization,
  StoredRecord,
  StorePort,
} from '../../src/store/port.ts';

export type StoreModel = ReturnType<typeof createStoreModel>;

/** Creates an empty database. Every call is atomic and immediate. */
export function createStoreModel() {
  const organizations = new Map<string, StoredOrganization>();
  const records = new Map<string, StoredRecord>();
  const lookups = new Map<string, StoredLookup>();
  const entriesOf = (index: string, blind: Uint8Array): StoredLookup[] =>
    [...lookups]
      .filter(([key]) => key.startsWith(`${index}/${hex(blind)}/`))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, row]) => row);
  const activities = new Map<string, StoredActivity>();
  const events: StoredDelivery[] = [];
  let deployment: Uint8Array | undefined;

  const versionOf = (id: string) => organizations.get(id)?.version ?? 0;
  const activityBy = (wanted: string) =>
    [...activities.values()].find((row) => fingerprintKey(row) === wanted);

  function commit(change: StoreChange): CommitOutcome {
    const isDuplicate = change.activities.some(
      (row) => row.version === 1 && activityBy(fingerprintKey(row)) !== undefined,
    );
    if (isDuplicate) return 'duplicate';
    const holds =
      change.conditions.every(({ organizationId, version, orLater }) => {
        if (!orLater) return versionOf(organizationId) === version;
        const found = organizations.get(organizationId);
        return found !== undefined && found.guard <= version && version <= found.version;
      }) &&
      change.organizations.every(({ organizationId, version }) => {
        return versionOf(organizationId) === version - 1;
      }) &&
      change.activities.every((row) => {
        return (activities.get(activityKey(row))?.version ?? 0) === row.version - 1;
      }) &&
      (change.deployment === undefined || deployment === undefined);
    if (!holds) return 'conflict';

    deployment ??= change.deployment;
    for (const row of change.organizations) organizations.set(row.organizationId, row);
    for (const row of change.deletedRecords) records.delete(recordKey(row));
    for (const row of change.records) records.set(recordKey(row), row);
    for (const row of change.deletedLookups) lookups.delete(lookupKey(row));
    for (const row of change.lookups) lookups.set(lookupKey(row), row);
    for (const row of change.activities) activities.set(activityKey(row), row);
    for (const event of change.events) {
      const { createdAtMs: sinceMs } = event;
      const sequence = 1 + events.filter((row) => row.endpointId === event.endpointId).length;
      const begun = { state: 'waiting', sinceMs, dueAtMs: sinceMs } as const;
      events.push({ ...event, ...begun, sequence, attempts: 0, failures: 0 });
    }
    return 'committed';
  }

  const port: StorePort = {
    deployment: async () => deployment,
    organization: async ({ organizationId, kinds, knownVersion, fingerprint }) => {
      const organization = organizations.get(organizationId);
      const isNews = organization !== undefined && organization.version !== knownVersion;
      return {
        version: organization?.version,
        guard: organization?.guard,
        organization: isNews ? organization : undefined,
        records: isNews
          ? [...records.values()].filter(
              (row) => row.organizationId === organizationId && kinds.includes(row.kind),
            )
          : [],
        activity: fingerprint && activityBy(fingerprintKey({ organizationId, ...fingerprint })),
      };
    },
    children: async ({ parentId, page }) =>
      pageOf(
        [...organizations.values()].filter((row) => row.parentId === parentId),
        page,
        (row) => row.organizationId,
      ).map((row) => row.organizationId),
    records: async ({ organizationId, kind, ids }) =>
      ids.flatMap((id) => records.get(recordKey({ organizationId, kind, id })) ?? []),
    recordPage: async ({ organizationId, kind, groupId, page }) =>
      pageOf(
        [...records.values()].filter(
          (row) =>
            row.organizationId === organizationId &&
            row.kind === kind &&
            (groupId === undefined || row.groupId === groupId),
        ),
        page,
        (row) => row.id,
      ),
    lookup: async ({ index, blind, limit }) => entriesOf(index, blind).slice(0, limit),
    lookups: async ({ index, blinds }) =>
      blinds.flatMap((blind) => entriesOf(index, blind).slice(0, 100)),
    activity: async (wanted) => activities.get(activityKey(wanted)),
    activityPage: async ({ organizationId, statuses, types, page }) =>
      pageOf(
        [...activities.values()].filter(
          (row) =>
            row.organizationId === organizationId &&
            (statuses.length === 0 || statuses.includes(row.status)) &&
            (types.length === 0 || types.includes(row.type)),
        ),
        page,
        (row) => row.id,
      ),
    deliveryPage: async ({ endpointId, after, limit, eventIds }) => {
      const ofEndpoint = events.filter((row) => row.endpointId === endpointId);
      const page =
        eventIds.length > 0
          ? ofEndpoint.filter(({ eventId }) => eventIds.includes(eventId))
          : ofEndpoint.filter(({ sequence }) => sequence > after).slice(0, limit);
      return { lastSequence: ofEndpoint.length, deliveries: page, attempts: [] };
    },
    commit: async (change) => commit(change),
  };

  return { port, commit, versionOf };
}

function pageOf<Row>(
  rows: readonly Row[],
  { greaterThan, lessThan, ascending, limit }: PageRequest,
  idOf: (row: Row) => string,
): Row[] {
  const ordered = rows
    .filter((row) => greaterThan === undefined || idOf(row) > greaterThan)
    .filter((row) => lessThan === undefined || idOf(row) < lessThan)
    .toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  return (ascending ? ordered : ordered.toReversed()).slice(0, limit);
}

function recordKey(row: { organizationId: string; kind: string; id: string }): string {
  return `${row.organizationId}/${row.kind}/${row.id}`;
}

function lookupKey({ index, blind, organizationId, recordId }: StoredLookup): string {
  return `${index}/${hex(blind)}/${organizationId}/${recordId}`;
}

function activityKey({ organizationId, id }: { organizationId: string; id: string }): string {
  return `${organizationId}/${id}`;
}

function fingerprintKey(row: {
  organizationId: string;
  bucket: number;
  fingerprint: Uint8Array;
}): string {
  return `${row.organizationId}/${row.bucket}/${hex(row.fingerprint)}`;
}
