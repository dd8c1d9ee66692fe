// What is on its way to webhook endpoints, for the process that delivers it. The events of an endpoint
// are a stream; whoever delivers has a lease of it, so that of several gateways one does.

import type { DeliveryState, StoredAttempt, StoredDelivery } from './port.ts';
import { deliveryOfRow, integerOf, optionalIntegerOf, textOf } from './rows.ts';
import type { Steps } from './steps.ts';

/** An endpoint that has something due, as it was when it was leased. */
export type Stream = {
  readonly endpointId: string;
  /** Attempts that failed without one that did not, whatever their events. */
  readonly failures: number;
  /** Since when none was answered well; undefined where the last one was. */
  readonly failingSinceMs: number | undefined;
};

type Lease = { readonly endpointId: string; readonly owner: string };

export type Settlement = Lease & {
  readonly delivery: Pick<StoredDelivery, 'sequence' | 'sinceMs' | 'attempts'>;
  readonly attempt: Omit<StoredAttempt, 'sequence' | 'attempt'>;
  readonly state: DeliveryState;
  /** Of the next attempt, where the delivery waits. */
  readonly dueAtMs: number | undefined;
  /** Attempts that failed since the delivery began. */
  readonly failures: number;
  readonly stream: Omit<Stream, 'endpointId'> & {
    /** Nothing is sent to the endpoint before. */
    readonly pausedUntilMs: number;
  };
  readonly leaseUntilMs: number;
  /** Lets all that waits be due at this time: the endpoint answers again. */
  readonly bringForwardToMs: number | undefined;
};

/**
 * Each call is one transaction, done when it resolves. A loss of power may take it back, whole; then
 * what was delivered is delivered again.
 */
export type Outbox = {
  /**
   * Leases streams that have something due and that nobody else has; at most `limit` of them, and none
   * of those that the owner is busy with. What an owner left behind it gets back at once.
   */
  claim(request: {
    owner: string;
    now: number;
    leaseUntilMs: number;
    limit: number;
    busy: readonly string[];
  }): Promise<readonly Stream[]>;
  /** The first event that is due, in the order of the numbers. */
  next(request: { endpointId: string; now: number }): Promise<StoredDelivery | undefined>;
  /** Keeps what came of an attempt and prolongs the lease; false where the lease is another's by now. */
  settle(settlement: Settlement): Promise<boolean>;
  /** Waits with the whole stream, without an attempt, and prolongs the lease. */
  pause(request: Lease & { until: number; stream: Omit<Stream, 'endpointId'> }): Promise<void>;
  /** Ends the lease; what is due waits behind what others have that is due by now. */
  release(request: Lease & { now: number }): Promise<void>;
  /** Gives up all that waits: there is no such endpoint any more. */
  drop(request: { endpointId: string }): Promise<void>;
  /** Forgets ended deliveries of events older than that, at most `limit`; gives how many. */
  forget(request: { endpointId: string; beforeMs: number; limit: number }): Promise<number>;
};

/** The calls as steps. */
export const outboxSteps: {
  readonly [Name in keyof Outbox]: (
    ...request: Parameters<Outbox[Name]>
  ) => Steps<Awaited<ReturnType<Outbox[Name]>>>;
} = {
  *claim({ owner, now, leaseUntilMs, limit, busy }) {
    const wanted = limit + busy.length;
    const due = yield { query: 'dueStreams', values: [now, now, now, owner, wanted] };
    const leased: Stream[] = [];
    for (const endpointId of due.map((row) => textOf(row['endpoint_id']))) {
      if (busy.includes(endpointId) || leased.length === limit) continue;
      const values = [owner, leaseUntilMs, endpointId, now, owner];
      const [row] = yield { query: 'leaseStream', values };
      if (row === undefined) continue;
      const [stream] = yield { query: 'stream', values: [endpointId] };
      leased.push({
        endpointId,
        failures: integerOf(stream?.['failures']),
        failingSinceMs: optionalIntegerOf(stream?.['failing_since_ms']),
      });
    }
    return leased;
  },

  *next({ endpointId, now }) {
    const [row] = yield { query: 'nextEvent', values: [endpointId, now] };
    return row === undefined ? undefined : deliveryOfRow(row);
  },

  *settle(settlement) {
    const { endpointId, owner, delivery, attempt, state, stream } = settlement;
    const { sequence, sinceMs, attempts } = delivery;
    const [held] = yield {
      query: 'settleStream',
      values: [
        ...[stream.failures, stream.failingSinceMs ?? null, stream.pausedUntilMs],
        ...[settlement.leaseUntilMs, endpointId, owner],
      ],
    };
    if (held === undefined) return false;
    // Where it was asked for once more meanwhile, that stands.
    yield {
      query: 'settleEvent',
      values: [
        ...[state, settlement.dueAtMs ?? null, settlement.failures],
        ...[endpointId, sequence, sinceMs, attempts],
      ],
    };
    yield {
      query: 'insertAttempt',
      values: [
        ...[endpointId, sequence, attempts + 1, attempt.atMs, attempt.durationMs],
        ...[attempt.outcome, attempt.status ?? null],
      ],
    };
    const due = settlement.bringForwardToMs;
    if (due !== undefined) yield { query: 'bringForward', values: [due, endpointId, due] };
    return true;
  },

  *pause({ endpointId, owner, until, stream }) {
    const { failures, failingSinceMs } = stream;
    yield {
      query: 'settleStream',
      values: [failures, failingSinceMs ?? null, until, until, endpointId, owner],
    };
  },

  *release({ endpointId, owner, now }) {
    const [held] = yield { query: 'holdStream', values: [endpointId, owner] };
    if (held === undefined) return;
    const [first] = yield { query: 'firstDue', values: [endpointId] };
    const due = optionalIntegerOf(first?.['due_at_ms'] ?? null);
    // Behind the others that are due: one that has much to send must not keep them from it.
    const dueAtMs = due === undefined ? null : Math.max(due, now);
    yield { query: 'releaseStream', values: [dueAtMs, endpointId] };
  },

  *drop({ endpointId }) {
    yield { query: 'dropEvents', values: [endpointId] };
  },

  *forget({ endpointId, beforeMs, limit }) {
    const oldest = yield { query: 'oldEvents', values: [endpointId, limit] };
    const old = oldest.filter((row) => integerOf(row['created_at_ms']) < beforeMs);
    const last = old.at(-1)?.['sequence'];
    if (last === undefined) return 0;
    const values = [endpointId, integerOf(last), beforeMs];
    yield { query: 'deleteEvents', values };
    yield { query: 'deleteAttempts', values };
    return old.filter((row) => row['state'] !== 'waiting').length;
  },
};
