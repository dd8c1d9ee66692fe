// Reads of the port for every database: queries, and decoding of rows.

import { assert } from '../../core/errors/errors.ts';
import {
  maximumPageBytes,
  type StoredActivity,
  type StoredRecord,
  type StorePort,
} from '../port.ts';
import type { QueryName } from '../tables/queries.ts';
import type { Row } from '../tables/rows.ts';
import {
  activityOfRow,
  assertLimit,
  attemptOfRow,
  boundsOf,
  bytesOf,
  deliveryOfRow,
  integerOf,
  lookupOfRow,
  maximumBlinds,
  maximumDeliveries,
  maximumNames,
  maximumRecordIds,
  organizationOfRow,
  recordOfRow,
  textOf,
  withinBytes,
} from '../tables/rows.ts';
import type { Steps } from '../tables/steps.ts';
import { filteredActivityIds } from './activity_page.ts';

type ReadName = Exclude<keyof StorePort, 'commit'>;

/** The calls of the port as steps; each must see one snapshot. */
type Reads = {
  readonly [Name in ReadName]: (
    ...request: Parameters<StorePort[Name]>
  ) => Steps<Awaited<ReturnType<StorePort[Name]>>>;
};

export const reads: Reads = {
  *deployment() {
    const [row] = yield { query: 'deployment', values: [] };
    return optional(row, ({ body }) => bytesOf(body));
  },

  *organization({ organizationId, kinds, knownVersion, fingerprint }) {
    assert(kinds.length <= maximumNames.kinds, 'an organization has a few kinds of records');
    const [row] = yield { query: 'organization', values: [organizationId] };
    const found = optional(row, organizationOfRow);
    const isKnown = found === undefined || found.version === knownVersion;
    return {
      version: found?.version,
      guard: found?.guard,
      organization: isKnown ? undefined : found,
      records: isKnown ? [] : yield* recordsOfKinds(organizationId, kinds),
      activity: fingerprint && (yield* activityOfFingerprint(organizationId, fingerprint)),
    };
  },

  *children({ parentId, page }) {
    const query = page.ascending ? 'childrenAscending' : 'childrenDescending';
    const rows = yield { query, values: [parentId, ...boundsOf(page)] };
    return rows.map((row) => textOf(row['id']));
  },

  *records({ organizationId, kind, ids, maximumBytes }) {
    assert(ids.length <= maximumRecordIds, `at most ${maximumRecordIds} ids are asked for`);
    const each = [...new Set(ids)];
    const rows = yield maximumBytes === undefined
      ? { query: 'record', values: [organizationId, kind], each }
      : { query: 'recordWithin', values: [maximumBytes, organizationId, kind], each };
    const records = rows.map(recordOfRow).sort((a, b) => (a.id < b.id ? -1 : 1));
    return maximumBytes === undefined ? records : withinBytes(records, maximumBytes);
  },

  *recordPage({ organizationId, kind, groupId, page }) {
    const ofKind = page.ascending ? 'recordsOfKindAscending' : 'recordsOfKindDescending';
    const ofGroup = page.ascending ? 'recordsOfGroupAscending' : 'recordsOfGroupDescending';
    const query: QueryName = groupId === undefined ? ofKind : ofGroup;
    const group = groupId === undefined ? [] : [groupId];
    const values = [organizationId, kind, ...group, ...boundsOf(page)];
    return (yield { query, values }).map(recordOfRow);
  },

  *lookup({ index, blind, limit, after = '' }) {
    assertLimit(limit);
    const values = [index, blind, after, limit];
    return (yield { query: 'lookups', values }).map(lookupOfRow);
  },

  *lookups({ index, blinds }) {
    assert(blinds.length <= maximumBlinds, `at most ${maximumBlinds} values are looked up`);
    const query = 'lookupsOfBlind';
    return (yield { query, values: [index], each: blinds }).map(lookupOfRow);
  },

  *activity({ organizationId, id, maximumBytes }) {
    const [row] = yield maximumBytes === undefined
      ? { query: 'activity', values: [organizationId, id] }
      : { query: 'activityWithin', values: [maximumBytes, organizationId, id] };
    return optional(row, activityOfRow);
  },

  *activityPage(filter) {
    const { organizationId, statuses, types, page } = filter;
    if (statuses.length === 0 && types.length === 0) {
      const query = page.ascending ? 'activitiesAscending' : 'activitiesDescending';
      const rows = yield { query, values: [organizationId, ...boundsOf(page)] };
      return withinBytes(rows.map(activityOfRow), maximumPageBytes);
    }
    const ids = yield* filteredActivityIds(filter);
    const rows = yield { query: 'activityOfPage', values: [organizationId], each: ids };
    const found = new Map(rows.map(activityOfRow).map((activity) => [activity.id, activity]));
    const activities = ids.map((id) => found.get(id)).filter((each) => each !== undefined);
    return withinBytes(activities, maximumPageBytes);
  },

  *deliveryPage({ endpointId, after, limit, eventIds }) {
    const most = Math.max(limit, eventIds.length);
    assert(limit >= 1 && most <= maximumDeliveries, `at most ${maximumDeliveries} events a page`);
    const [stream] = yield { query: 'stream', values: [endpointId] };
    const lastSequence = stream === undefined ? 0 : integerOf(stream['last_sequence']);
    if (eventIds.length > 0) {
      const each = [...new Set(eventIds)];
      const found = (yield { query: 'eventOfId', values: [endpointId], each }).map(deliveryOfRow);
      const deliveries = found.sort((a, b) => a.sequence - b.sequence);
      return { lastSequence, deliveries, attempts: [] };
    }
    const rows = yield { query: 'eventPage', values: [endpointId, after, limit] };
    const deliveries = rows.map(deliveryOfRow);
    const last = deliveries.at(-1)?.sequence ?? after;
    const attempts = yield { query: 'attemptsOfEvents', values: [endpointId, after, last] };
    return { lastSequence, deliveries, attempts: attempts.map(attemptOfRow) };
  },
};

function* recordsOfKinds(organizationId: string, kinds: readonly string[]): Steps<StoredRecord[]> {
  const each = [...new Set(kinds)];
  return (yield { query: 'recordsOfKind', values: [organizationId], each }).map(recordOfRow);
}

function* activityOfFingerprint(
  organizationId: string,
  { bucket, fingerprint }: { readonly bucket: number; readonly fingerprint: Uint8Array },
): Steps<StoredActivity | undefined> {
  const values = [bucket, fingerprint, organizationId];
  const [row] = yield { query: 'activityOfFingerprint', values };
  return optional(row, activityOfRow);
}

function optional<Value>(row: Row | undefined, fromRow: (row: Row) => Value): Value | undefined {
  return row === undefined ? undefined : fromRow(row);
}
