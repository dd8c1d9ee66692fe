// Converts rows of the tables to values of the port, and checks the bounds of requests.

import { assert } from '../../core/errors/errors.ts';
import type {
  PageRequest,
  StoredActivity,
  StoredAttempt,
  StoredDelivery,
  StoredLookup,
  StoredOrganization,
  StoredRecord,
} from '../port.ts';
import { deliveryStates } from '../port.ts';
import type { ActivityIdentity, PresentOrganization } from './refusal.ts';

export type Row = { readonly [column: string]: unknown };

const maximumPageRows = 10_000;
export const maximumRecordIds = 1_000;
export const maximumDeliveries = 1_000;
export const maximumBlinds = 1_000;
/** Maximum kinds of one organization, statuses of one filter, and types of one filter. */
export const maximumNames = { kinds: 256, statuses: 16, types: 256 } as const;

export function organizationOfRow(row: Row): StoredOrganization {
  return {
    organizationId: textOf(row['id']),
    parentId: optionalTextOf(row['parent_id']),
    version: integerOf(row['version']),
    guard: integerOf(row['guard']),
    head: bytesOf(row['head']),
  };
}

export function organizationIdentityOfRow(row: Row): PresentOrganization {
  return {
    version: integerOf(row['version']),
    guard: integerOf(row['guard']),
    parentId: optionalTextOf(row['parent_id']),
  };
}

/** NULL means a body that is too large. Its empty form is unambiguous: no sealed body is empty. */
const bodyOf = (value: unknown): Uint8Array => (value === null ? noBody : bytesOf(value));
const noBody = new Uint8Array(0);

/** Omits all bodies from the first one that takes their sum above a bound. */
export function withinBytes<Stored extends { readonly body: Uint8Array }>(
  rows: readonly Stored[],
  maximumBytes: number,
): readonly Stored[] {
  let bytes = 0;
  const first = rows.findIndex(({ body }) => {
    bytes += body.length;
    return bytes > maximumBytes;
  });
  if (first === -1) return rows;
  return rows.map((row, i) => (i < first ? row : { ...row, body: noBody }));
}

export function recordOfRow(row: Row): StoredRecord {
  return {
    organizationId: textOf(row['organization_id']),
    kind: textOf(row['kind']),
    id: textOf(row['id']),
    groupId: optionalTextOf(row['group_id']),
    version: integerOf(row['version']),
    body: bodyOf(row['body']),
  };
}

export function lookupOfRow(row: Row): StoredLookup {
  return {
    index: textOf(row['index_name']),
    blind: bytesOf(row['blind']),
    organizationId: textOf(row['organization_id']),
    recordId: textOf(row['record_id']),
  };
}

export function activityOfRow(row: Row): StoredActivity {
  return {
    organizationId: textOf(row['organization_id']),
    id: textOf(row['id']),
    type: textOf(row['type']),
    status: textOf(row['status']),
    bucket: integerOf(row['bucket']),
    fingerprint: bytesOf(row['fingerprint']),
    createdAtMs: integerOf(row['created_at_ms']),
    updatedAtMs: integerOf(row['updated_at_ms']),
    version: integerOf(row['version']),
    body: bodyOf(row['body']),
  };
}

export function activityIdentityOfRow(row: Row): ActivityIdentity {
  return {
    version: integerOf(row['version']),
    type: textOf(row['type']),
    bucket: integerOf(row['bucket']),
    fingerprint: bytesOf(row['fingerprint']),
    createdAtMs: integerOf(row['created_at_ms']),
  };
}

export function deliveryOfRow(row: Row): StoredDelivery {
  const state = textOf(row['state']);
  return {
    endpointId: textOf(row['endpoint_id']),
    sequence: integerOf(row['sequence']),
    organizationId: textOf(row['organization_id']),
    eventId: textOf(row['event_id']),
    createdAtMs: integerOf(row['created_at_ms']),
    body: bytesOf(row['body']),
    // A delivery in an unknown state cannot be made.
    state: deliveryStates.find((each) => each === state) ?? 'dropped',
    sinceMs: integerOf(row['since_ms']),
    dueAtMs: optionalIntegerOf(row['due_at_ms']),
    attempts: integerOf(row['attempts']),
    failures: integerOf(row['failures']),
  };
}

export function attemptOfRow(row: Row): StoredAttempt {
  return {
    sequence: integerOf(row['sequence']),
    attempt: integerOf(row['attempt']),
    atMs: integerOf(row['at_ms']),
    durationMs: integerOf(row['duration_ms']),
    outcome: textOf(row['outcome']),
    status: optionalIntegerOf(row['status']),
  };
}

/**
 * Returns the parameters of a page: its exclusive bounds and its limit. An open end becomes a text that sorts
 * before or after every id.
 */
export function boundsOf(page: PageRequest): [string, string, number] {
  assertLimit(page.limit);
  return [page.greaterThan ?? '', page.lessThan ?? '\u{10FFFF}', page.limit];
}

export function assertLimit(limit: number): void {
  assert(
    Number.isInteger(limit) && limit >= 1 && limit <= maximumPageRows,
    `the limit of a page is 1 to ${maximumPageRows}`,
  );
}

export function textOf(value: unknown): string {
  assert(typeof value === 'string', 'the column holds text');
  return value;
}

export function integerOf(value: unknown): number {
  assert(Number.isSafeInteger(value) && typeof value === 'number', 'the column holds an integer');
  return value;
}

export function bytesOf(value: unknown): Uint8Array {
  assert(value instanceof Uint8Array, 'the column holds bytes');
  return value;
}

export function optionalIntegerOf(value: unknown): number | undefined {
  return value === null ? undefined : integerOf(value);
}

function optionalTextOf(value: unknown): string | undefined {
  return value === null ? undefined : textOf(value);
}
