// The stream of decided activities, for the process that writes the audit trail: events of a reserved
// endpoint. They are numbered like all events, in the deciding transaction, and stay until they are
// delivered. The deliverer holds a lease, so one of several gateways delivers.

import {
  type AuditSinkKind,
  auditPositionId,
  auditStreamId,
  type StoredActivity,
  type StoredDelivery,
  type StoredEvent,
} from '../port.ts';
import { integerOf, type Row, textOf } from '../tables/rows.ts';
import type { Steps } from '../tables/steps.ts';

/** A decided activity and its number. */
export type AuditEntry = {
  /** 1, 2, 3 … without a gap, in the order of commits of the whole database. */
  readonly number: number;
  readonly organizationId: string;
  readonly activityId: string;
  readonly version: number;
};

/** One of several destinations. A single destination needs no position of its own. */
export type SharedDestination = {
  readonly kind: AuditSinkKind;
  readonly others: readonly AuditSinkKind[];
};
type OfDestination = { readonly shared?: SharedDestination | undefined };

/** Each call is one transaction, complete when it resolves. A loss of power may undo all of it. */
export type AuditStream = {
  /** Takes or prolongs the lease; false if another process has it, or before the first decision. */
  lease(
    request: OfDestination & { owner: string; now: number; leaseUntilMs: number },
  ): Promise<boolean>;
  /** Returns the first undelivered entries; `limit` 1 to 1,000. */
  next(request: OfDestination & { limit: number }): Promise<readonly AuditEntry[]>;
  /** Stores the position of a destination. A single destination has none. */
  reached(request: OfDestination & { upTo: number }): Promise<void>;
  /**
   * Removes entries up to a number that all destinations have reached; works with and without the lease.
   * Leaves the row of the stream alone, because every commit would wait for it.
   */
  delivered(request: OfDestination & { upTo: number }): Promise<void>;
  /** Ends the lease. */
  release(request: OfDestination & { owner: string }): Promise<void>;
};

const endpointId = auditStreamId;

const decidedStatuses: readonly string[] = [
  'ACTIVITY_STATUS_COMPLETED',
  'ACTIVITY_STATUS_FAILED',
  'ACTIVITY_STATUS_REJECTED',
];

/** Returns the entries of a change: one for each decided activity. */
export function auditEventsOf(activities: readonly StoredActivity[]): readonly StoredEvent[] {
  return activities
    .filter(({ status }) => decidedStatuses.includes(status))
    .map(({ organizationId, id, version, updatedAtMs }) => ({
      endpointId,
      organizationId,
      eventId: `${id}/${version}`,
      createdAtMs: updatedAtMs,
      // The stored activity is the content.
      body: new Uint8Array(0),
    }));
}

/** Returns true if a row of the outbox is an audit entry, which contains no sealed data. */
export function isAuditEntry(event: Pick<StoredDelivery, 'endpointId'>): boolean {
  return event.endpointId === auditStreamId;
}

/** The calls as steps. */
export const auditSteps: {
  readonly [Name in keyof AuditStream]: (
    ...request: Parameters<AuditStream[Name]>
  ) => Steps<Awaited<ReturnType<AuditStream[Name]>>>;
} = {
  *lease({ owner, now, leaseUntilMs, shared }) {
    if (shared !== undefined) yield* advance(shared.kind, 0);
    const values = [owner, leaseUntilMs, leaseIdOf(shared), now, owner];
    const leased = yield { query: 'leaseStream', values };
    return leased.length > 0;
  },

  *next({ limit, shared }) {
    const position = shared === undefined ? 0 : yield* positionOf(shared.kind);
    const rows = yield { query: 'eventPage', values: [endpointId, position, limit] };
    return rows.map(entryOfRow);
  },

  *reached({ upTo, shared }) {
    if (shared !== undefined) yield* advance(shared.kind, upTo);
  },

  *delivered({ upTo, shared }) {
    let everywhere = upTo;
    for (const other of shared?.others ?? []) {
      everywhere = Math.min(everywhere, yield* positionOf(other));
    }
    yield { query: 'removeEvents', values: [endpointId, everywhere] };
  },

  *release({ owner, shared }) {
    yield { query: 'holdStream', values: [leaseIdOf(shared), owner] };
  },
};

const leaseIdOf = (shared: SharedDestination | undefined): string =>
  shared === undefined ? endpointId : auditPositionId(shared.kind);

/** Moves the position of a destination forward, never back. */
function* advance(kind: AuditSinkKind, upTo: number): Steps<void> {
  yield { query: 'advancePosition', values: [auditPositionId(kind), upTo] };
}

/** Returns the greatest number that a destination has reached; 0 for a new destination. */
function* positionOf(kind: AuditSinkKind): Steps<number> {
  const [row] = yield { query: 'stream', values: [auditPositionId(kind)] };
  return row === undefined ? 0 : integerOf(row['last_sequence']);
}

function entryOfRow(row: Row): AuditEntry {
  const [activityId = '', version = ''] = textOf(row['event_id']).split('/');
  return {
    number: integerOf(row['sequence']),
    organizationId: textOf(row['organization_id']),
    activityId,
    version: Number(version),
  };
}

/** Number of waiting entries. */
export type AuditVitals = {
  readonly waitingAuditLines: number;
  /** Decision time of the oldest entry (milliseconds since 1970); undefined if none waits. */
  readonly oldestAuditLineMs: number | undefined;
};

/** Counts the waiting audit lines, and returns the time of the oldest, as steps. */
export function* waitingAuditLines(): Steps<AuditVitals> {
  const [stream] = yield { query: 'stream', values: [endpointId] };
  const [first] = yield { query: 'eventPage', values: [endpointId, 0, 1] };
  if (first === undefined) return { waitingAuditLines: 0, oldestAuditLineMs: undefined };
  const number = integerOf(first['sequence']);
  const last = stream === undefined ? number : integerOf(stream['last_sequence']);
  return {
    waitingAuditLines: Math.max(1, 1 + last - number),
    oldestAuditLineMs: integerOf(first['created_at_ms']),
  };
}
