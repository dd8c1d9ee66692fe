// Events for webhook endpoints, for the process that delivers them. The events of an endpoint are a stream.
// The deliverer holds its lease, so one of several gateways delivers.

import type { DeliveryState, StoredAttempt, StoredDelivery } from '../port.ts';
import { deliveryOfRow, integerOf, optionalIntegerOf, type Row, textOf } from '../tables/rows.ts';
import type { QueryStep, Steps } from '../tables/steps.ts';

/** An endpoint with due events, as of the start of its lease. */
export type Stream = {
  readonly endpointId: string;
  /** Failed attempts in a row, for any events. */
  readonly failures: number;
  /** Time of the first failure since the last success; undefined if the last attempt succeeded. */
  readonly failingSinceMs: number | undefined;
};

type Lease = { readonly endpointId: string; readonly owner: string };

export type DeliveryOutcome = Lease & {
  readonly delivery: Pick<StoredDelivery, 'sequence' | 'sinceMs' | 'attempts'>;
  readonly attempt: Omit<StoredAttempt, 'sequence' | 'attempt'>;
  readonly state: DeliveryState;
  /** Time of the next attempt of a waiting delivery. */
  readonly dueAtMs: number | undefined;
  /** Attempts that failed since the delivery began. */
  readonly failures: number;
  readonly stream: Omit<Stream, 'endpointId'> & {
    /** The endpoint receives nothing before this time. */
    readonly pausedUntilMs: number;
  };
  readonly leaseUntilMs: number;
  /** If set, all waiting deliveries become due at this time, because the endpoint works again. */
  readonly bringForwardToMs: number | undefined;
};

/**
 * Each call is one transaction, complete when it resolves. A loss of power may undo the whole transaction;
 * its events are then delivered again.
 */
export type Outbox = {
  /**
   * Leases streams with due events that no other owner holds: at most `limit`, of which `failing` belong to
   * endpoints whose last attempt failed. Excludes the `busy` streams of this owner. An owner gets back its
   * own abandoned streams at once.
   */
  claim(request: {
    owner: string;
    now: number;
    leaseUntilMs: number;
    limit: number;
    failing: number;
    busy: readonly string[];
  }): Promise<readonly Stream[]>;
  /** Returns the first due events, at most `limit`, in the order of their numbers. */
  next(request: {
    endpointId: string;
    now: number;
    limit: number;
  }): Promise<readonly StoredDelivery[]>;
  /**
   * Stores the outcomes of attempts in the order of each endpoint, and prolongs its lease. Returns false for
   * outcomes whose lease another node has taken.
   */
  record(outcomes: readonly DeliveryOutcome[]): Promise<readonly boolean[]>;
  /** Pauses the whole stream without an attempt, and prolongs the lease. */
  pause(request: Lease & { until: number; stream: Omit<Stream, 'endpointId'> }): Promise<void>;
  /**
   * Ends leases. Further due deliveries of these streams wait behind those of other streams that are due now.
   * A stream without waiting deliveries is due when its oldest event reaches the age of deletion.
   */
  release(request: {
    owner: string;
    endpointIds: readonly string[];
    now: number;
    forgetAfterMs: number;
  }): Promise<void>;
  /** Drops all waiting deliveries of an endpoint that was deleted or fetches its events. */
  drop(request: { endpointId: string; state: 'dropped' | 'pulled' }): Promise<void>;
  /** Deletes finished deliveries of events older than a time, at most `limit`; returns their number. */
  forget(request: { endpointId: string; beforeMs: number; limit: number }): Promise<number>;
};

type Request<Name extends keyof Outbox> = Parameters<Outbox[Name]>[0];
type StepsOf<Name extends keyof Outbox> = Steps<Awaited<ReturnType<Outbox[Name]>>>;

/** The calls as steps. */
export const outboxSteps: {
  readonly [Name in keyof Outbox]: (...request: Parameters<Outbox[Name]>) => StepsOf<Name>;
} = { claim, next, record, pause, release, drop, forget };

function* claim(request: Request<'claim'>): StepsOf<'claim'> {
  const { owner, now, leaseUntilMs } = request;
  const leased: Stream[] = [];
  for (const endpointId of yield* streamsToLease(request)) {
    const values = [owner, leaseUntilMs, endpointId, now, owner];
    const [stream] = yield { query: 'leaseStream', values };
    if (stream === undefined) continue;
    leased.push({
      endpointId,
      failures: integerOf(stream['failures']),
      failingSinceMs: optionalIntegerOf(stream['failing_since_ms']),
    });
  }
  return leased;
}

/** Finds due streams: at most `limit`, of which the last attempt failed for at most `failing`. */
function* streamsToLease(request: Request<'claim'>): Steps<readonly string[]> {
  const { owner, now, limit, failing, busy } = request;
  const idsOf = (rows: readonly Row[], count: number): readonly string[] =>
    rows
      .map((row) => textOf(row['endpoint_id']))
      .filter((endpointId) => !busy.includes(endpointId))
      .slice(0, Math.max(0, count));
  const asked = [now, now, now, owner];
  const troubled = yield { query: 'dueFailingStreams', values: [...asked, failing + busy.length] };
  const last = idsOf(troubled, Math.min(failing, limit));
  const sound = yield { query: 'dueStreams', values: [...asked, limit + busy.length] };
  // Commits lock the same rows in this order, which prevents deadlocks.
  return [...idsOf(sound, limit - last.length), ...last].sort();
}

function* next({ endpointId, now, limit }: Request<'next'>): StepsOf<'next'> {
  const rows = yield { query: 'nextEvents', values: [endpointId, now, limit] };
  return rows.map(deliveryOfRow);
}

function* record(outcomes: Request<'record'>): StepsOf<'record'> {
  // One row for each endpoint, in the order of commits.
  const newest = new Map(outcomes.map((outcome) => [outcome.endpointId, outcome]));
  const rows = yield [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, of]) => streamOf(of));
  const held = new Set(rows.map((row) => textOf(row['endpoint_id'])));
  const isHeld = outcomes.map(({ endpointId }) => held.has(endpointId));
  yield outcomes.filter((_, i) => isHeld[i]).flatMap(eventOf);
  return isHeld;
}

function* pause({ endpointId, owner, until, stream }: Request<'pause'>): StepsOf<'pause'> {
  const { failures, failingSinceMs } = stream;
  yield {
    query: 'updateStream',
    values: [failures, failingSinceMs ?? null, until, until, endpointId, owner],
  };
}

function* release(request: Request<'release'>): StepsOf<'release'> {
  const { owner, endpointIds, now, forgetAfterMs } = request;
  const holds = endpointIds.toSorted().map((endpointId): QueryStep => {
    return { query: 'holdStream', values: [endpointId, owner] };
  });
  const held = (yield holds).map((row) => textOf(row['endpoint_id']));
  const dueAt = yield* dueTimesOf(held, now, forgetAfterMs);
  yield held.map((endpointId) => ({
    query: 'releaseStream',
    values: [dueAt.get(endpointId) ?? null, endpointId],
  }));
}

/**
 * Returns when each endpoint is due next, at the earliest `now`, so that busy endpoints wait behind others.
 * Omits endpoints without events.
 */
function* dueTimesOf(
  endpointIds: readonly string[],
  now: number,
  forgetAfterMs: number,
): Steps<ReadonlyMap<string, number>> {
  // Most streams have a due delivery or none at all. The waiting deliveries are only read for the others.
  const due = yield endpointIds.map((endpointId) => {
    return { query: 'dueEvent', values: [endpointId, now] };
  });
  const areDue = new Set(due.map((row) => textOf(row['endpoint_id'])));
  const others = endpointIds.filter((endpointId) => !areDue.has(endpointId));
  // Waiting events take precedence; otherwise the oldest event is due for deletion.
  const later = yield [
    ...others.map((endpointId): QueryStep => {
      return { query: 'oldestEvent', values: [forgetAfterMs, endpointId] };
    }),
    ...others.map((endpointId): QueryStep => ({ query: 'firstDue', values: [endpointId] })),
  ];
  return new Map([
    ...later.map((row): [string, number] => [
      textOf(row['endpoint_id']),
      Math.max(now, integerOf(row['due_at_ms'])),
    ]),
    ...[...areDue].map((endpointId): [string, number] => [endpointId, now]),
  ]);
}

function* drop({ endpointId, state }: Request<'drop'>): StepsOf<'drop'> {
  yield { query: 'dropEvents', values: [state, endpointId] };
}

function* forget({ endpointId, beforeMs, limit }: Request<'forget'>): StepsOf<'forget'> {
  const oldest = yield { query: 'oldEvents', values: [endpointId, limit] };
  const old = oldest.filter((row) => integerOf(row['created_at_ms']) < beforeMs);
  const last = old.at(-1)?.['sequence'];
  if (last === undefined) return 0;
  const values = [endpointId, integerOf(last), beforeMs];
  yield { query: 'deleteEvents', values };
  yield { query: 'deleteAttempts', values };
  return old.filter((row) => row['state'] !== 'waiting').length;
}

function streamOf({ endpointId, owner, stream, leaseUntilMs }: DeliveryOutcome): QueryStep {
  const { failures, failingSinceMs, pausedUntilMs } = stream;
  return {
    query: 'updateStream',
    values: [failures, failingSinceMs ?? null, pausedUntilMs, leaseUntilMs, endpointId, owner],
  };
}

function eventOf(recorded: DeliveryOutcome): readonly QueryStep[] {
  const { endpointId, delivery, attempt, state, dueAtMs, failures } = recorded;
  const { sequence, sinceMs, attempts } = delivery;
  const { atMs, durationMs, outcome, status } = attempt;
  const due = recorded.bringForwardToMs;
  return [
    {
      query: 'updateEvent',
      values: [
        ...[sinceMs, state, sinceMs, dueAtMs ?? null, sinceMs, failures],
        ...[endpointId, sequence, attempts],
      ],
    },
    {
      query: 'insertAttempt',
      values: [endpointId, sequence, attempts + 1, atMs, durationMs, outcome, status ?? null],
    },
    ...(due === undefined
      ? []
      : [{ query: 'bringForward', values: [due, endpointId, due] } as const]),
  ];
}
