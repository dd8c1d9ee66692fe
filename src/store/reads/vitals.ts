// Counts the events that wait for delivery, for metrics.

import { integerOf, textOf } from '../tables/rows.ts';
import type { Steps } from '../tables/steps.ts';
import { type AuditVitals, waitingAuditLines } from './audit_stream.ts';

export type StoreVitals = AuditVitals & {
  /**
   * Upper estimate of waiting events: for each endpoint, all events from its first waiting one. Covers the
   * 1,000 endpoints that have waited longest.
   */
  readonly waitingEvents: number;
  /** Creation time of the oldest one (milliseconds since 1970); undefined if none waits. */
  readonly oldestWaitingMs: number | undefined;
  /** Clock of the database if it runs on another machine (milliseconds since 1970). */
  readonly databaseMs: number | undefined;
};

/** Reads the waiting events, as steps. */
export function* waitingEvents(): Steps<Omit<StoreVitals, 'databaseMs'>> {
  const streams = yield { query: 'firstDueStreams', values: [Number.MAX_SAFE_INTEGER] };
  const last = new Map(
    streams.map((row) => [textOf(row['endpoint_id']), integerOf(row['last_sequence'])]),
  );
  const each = [...last.keys()];
  const first = each.length === 0 ? [] : yield { query: 'firstWaiting', values: [], each };
  const oldestMs = first.map((row) => integerOf(row['created_at_ms']));
  const waiting = first.map(
    (row) => 1 + (last.get(textOf(row['endpoint_id'])) ?? 0) - integerOf(row['sequence']),
  );
  return {
    ...(yield* waitingAuditLines()),
    waitingEvents: waiting.reduce((sum, count) => sum + Math.max(1, count), 0),
    oldestWaitingMs: oldestMs.length === 0 ? undefined : Math.min(...oldestMs),
  };
}
