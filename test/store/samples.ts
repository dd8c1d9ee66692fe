// Rows and changes for tests of stores.

import { utf8 } from '../../src/core/base/bytes.ts';
import type {
  PageRequest,
  StoreChange,
  StoredActivity,
  StoredEvent,
  StoredLookup,
  StoredOrganization,
  StoredRecord,
} from '../../src/store/port.ts';

/** Returns the n-th of ascending ids in the form of UUIDv7. */
export function idAt(n: number): string {
  return `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** The organization of most tests. */
export const home = idAt(0xabc);

export function changeOf(parts: Partial<StoreChange>): StoreChange {
  return {
    conditions: [],
    organizations: [],
    records: [],
    deletedRecords: [],
    lookups: [],
    deletedLookups: [],
    activities: [],
    events: [],
    redeliveries: [],
    deployment: undefined,
    ...parts,
  };
}

export function organizationOf(parts: Partial<StoredOrganization> = {}): StoredOrganization {
  const { organizationId = home, version = 1 } = parts;
  const head = utf8(`head of ${organizationId} at ${version}`);
  return { organizationId, parentId: undefined, version, guard: version, head, ...parts };
}

export function recordOf(n: number, parts: Partial<StoredRecord> = {}): StoredRecord {
  return {
    organizationId: home,
    kind: 'user',
    id: idAt(n),
    groupId: undefined,
    version: 1,
    body: utf8(`record ${n}`),
    ...parts,
  };
}

export function lookupOf(n: number, parts: Partial<StoredLookup> = {}): StoredLookup {
  return {
    index: 'public_key',
    blind: utf8('a blind value'),
    organizationId: home,
    recordId: idAt(n),
    ...parts,
  };
}

export function activityOf(n: number, parts: Partial<StoredActivity> = {}): StoredActivity {
  return {
    organizationId: home,
    id: idAt(n),
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    status: 'ACTIVITY_STATUS_COMPLETED',
    bucket: 5_800_000,
    fingerprint: utf8(`fingerprint ${n}`),
    createdAtMs: 1_760_000_000_000 + n,
    updatedAtMs: 1_760_000_000_000 + n,
    version: 1,
    body: utf8(`activity ${n}`),
    ...parts,
  };
}

/** The endpoint of events, and the time of the first one. */
export const endpoint = idAt(0xe0);
export const start = 1_760_000_000_000;

export function eventOf(n: number, parts: Partial<StoredEvent> = {}): StoredEvent {
  return {
    endpointId: endpoint,
    organizationId: home,
    eventId: idAt(0x1000 + n),
    createdAtMs: start + n,
    body: utf8(`event ${n}`),
    ...parts,
  };
}

export function pageOf(parts: Partial<PageRequest> = {}): PageRequest {
  return { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 100, ...parts };
}

/** Returns the numbers from 0 to count − 1. */
export function countTo(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}
