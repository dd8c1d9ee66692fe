// The stream of decided activities, for the process that writes the audit trail: events of a reserved
// endpoint. They are numbered like all events, in the deciding transaction, and stay until they are
// delivered. The deliverer holds a lease, so one of several gateways delivers.

import {
  auditStreamId,
  type StoredActivity,
  type StoredDelivery,
  type StoredEvent,
} from '../port.ts';
import { integerOf, type Row, textOf } from '../tables/rows.ts';
import type { Steps } from '../tables/steps.ts';

/** A decided activity under its number. */
export type AuditEntry = {
  /** 1, 2, 3 … without a gap, in the order of the commits, of the whole database. */
  readonly number: number;
  readonly organizationId: string;
  readonly activityId: string;
  readonly version: number;
};

/** Each call is one transaction, done when it resolves. A loss of power may take it back, whole. */
export type AuditStream = {
  /** Takes the lease or prolongs it; false where another has it, or nothing was ever decided. */
  lease(request: { owner: string; now: number; leaseUntilMs: number }): Promise<boolean>;
  /** The first entries that were not delivered; `limit` 1 to 1,000. */
  next(request: { limit: number }): Promise<readonly AuditEntry[]>;
  /**
   * Removes delivered entries up to a number; works with and without the lease. The row of the stream is not
   * touched, since every commit waits for it.
   */
  delivered(request: { upTo: number }): Promise<void>;
  /** Ends the lease. */
  release(request: { owner: string }): Promise<void>;
};

const endpointId = auditStreamId;

const decidedStatuses: readonly string[] = [
  'ACTIVITY_STATUS_COMPLETED',
  'ACTIVITY_STATUS_FAILED',
  'ACTIVITY_STATUS_REJECTED',
];

/** The entries that a change brings: one for each activity that it decides. */
export function auditEventsOf(activities: readonly StoredActivity[]): readonly StoredEvent[] {
  return activities
    .filter(({ status }) => decidedStatuses.includes(status))
    .map(({ organizationId, id, version, updatedAtMs }) => ({
      endpointId,
      organizationId,
      eventId: `${id}/${version}`,
      createdAtMs: updatedAtMs,
      // The activity itself is the text.
      body: new Uint8Array(0),
    }));
}

/** Returns true if a row of the outbox is an entry: it holds nothing sealed. */
export function isAuditEntry(event: Pick<StoredDelivery, 'endpointId'>): boolean {
  return event.endpointId === auditStreamId;
}

/** The calls as steps. */
export const auditSteps: {
  readonly [Name in keyof AuditStream]: (
    ...request: Parameters<AuditStream[Name]>
  ) => Steps<Awaited<ReturnType<AuditStream[Name]>>>;
} = {
  *lease({ owner, now, leaseUntilMs }) {
    const values = [owner, leaseUntilMs, endpointId, now, owner];
    const leased = yield { query: 'leaseStream', values };
    return leased.length > 0;
  },

  *next({ limit }) {
    const rows = yield { query: 'eventPage', values: [endpointId, 0, limit] };
    return rows.map(entryOfRow);
  },

  *delivered({ upTo }) {
    yield { query: 'removeEvents', values: [endpointId, upTo] };
  },

  *release({ owner }) {
    yield { query: 'holdStream', values: [endpointId, owner] };
  },
};

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

/** Reads the waiting events, as steps. */
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
