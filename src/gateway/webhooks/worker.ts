// Delivers events to webhook endpoints in turns, so that a failing or slow endpoint does not delay the
// others.

import type { Log } from '../observability/log.ts';
import {
  type DeliveryBatchOptions,
  deliverBatch,
  isFault,
  type Leased,
  turnMs,
} from './delivery_batch.ts';
import { leaseMarginMs } from './lease.ts';
import { createOutcomeWriter } from './outcome_writer.ts';
import type { WorkerClock } from './worker_clock.ts';

export type WebhookWorkerOptions = Omit<DeliveryBatchOptions, 'outcomes' | 'now' | 'isStopping'> & {
  readonly clock: WorkerClock;
  readonly log: Log;
  /** `owner` identifies this process among those that share the database. */
  readonly limits: DeliveryBatchOptions['limits'] & {
    readonly concurrency: number;
    readonly retentionMs: number;
    /** Interval of polls for due rows and rows of other processes. */
    readonly pollMs: number;
  };
};

export type WebhookWorker = {
  /** Delivers due events now, and continues. */
  wake(): void;
  /** Starts no further turn, and waits for those in progress. */
  stop(): Promise<void>;
};

/** A turn in progress. */
type Turn = {
  readonly ended: Promise<void>;
  readonly isFailing: boolean;
  readonly sinceMs: number;
};

/** The share of places for endpoints whose last attempt failed: one in this many. */
const failingShare = 4;
const forgetEveryMs = 60 * 60 * 1000;
const forgottenAtOnce = 1_000;
const maximumRemembered = 10_000;

export function startWebhookWorker(options: WebhookWorkerOptions): WebhookWorker {
  const { outbox, owner, clock, log, limits } = options;
  const leaseMs = limits.timeoutMs + leaseMarginMs;
  // Later than the age at which a turn deletes events anyway, so that not every event needs its own turn.
  const outcomes = createOutcomeWriter(outbox, owner, clock, limits.retentionMs + forgetEveryMs);
  const busy = new Map<string, Turn>();
  const forget = createForgetting(options);
  let isStopping = false;
  let looking: Promise<void> | undefined;
  let looksAgain = false;
  let cancelPoll = (): void => undefined;

  function wake(): void {
    if (isStopping) return;
    looksAgain = true;
    looking ??= look();
  }

  async function look(): Promise<void> {
    while (looksAgain && !isStopping) {
      looksAgain = false;
      await claim();
    }
    looking = undefined;
    cancelPoll();
    if (!isStopping) cancelPoll = clock.after(limits.pollMs, wake);
  }

  async function claim(): Promise<void> {
    const now = clock.now();
    const { limit, failing } = freeTurns([...busy.values()], limits.concurrency, now);
    if (limit <= 0) return;
    try {
      const leaseUntilMs = now + leaseMs;
      const request = { owner, now, leaseUntilMs, limit, failing, busy: [...busy.keys()] };
      for (const stream of await outbox.claim(request)) {
        const { endpointId } = stream;
        const ended = serve({ ...stream, leaseUntilMs }).then((isDone) => {
          busy.delete(endpointId);
          // After a fault, the next poll is early enough.
          if (isDone) wake();
        });
        busy.set(endpointId, { ended, isFailing: stream.failures > 0, sinceMs: now });
      }
    } catch (error) {
      complain(log, error);
    }
  }

  async function serve(leased: Leased): Promise<boolean> {
    const { endpointId } = leased;
    try {
      const restMs = await deliverBatch(turn, leased);
      await forget(endpointId);
      await outcomes.release(endpointId);
      // Wakes again if the pause ends before the next poll.
      if (restMs > 0 && restMs < limits.pollMs) clock.after(restMs, wake);
      return true;
    } catch (error) {
      complain(log, error);
      return false;
    }
  }

  const turn: DeliveryBatchOptions = {
    ...options,
    outcomes,
    now: clock.now,
    isStopping: () => isStopping,
  };
  wake();
  return {
    wake,
    stop: async () => {
      isStopping = true;
      cancelPoll();
      await looking;
      await Promise.all([...busy.values()].map(({ ended }) => ended));
    },
  };
}

/** Returns how many turns may begin now, and how many of these at failing endpoints. */
function freeTurns(
  turns: readonly Turn[],
  concurrency: number,
  now: number,
): { readonly limit: number; readonly failing: number } {
  // A turn that waits for an answer beyond its time frees its place; as many extra turns are allowed.
  const slow = turns.filter(({ sinceMs }) => now - sinceMs >= turnMs).length;
  const failing = turns.filter(({ isFailing }) => isFailing).length;
  return {
    limit: concurrency - (turns.length - Math.min(slow, concurrency)),
    failing: Math.max(0, Math.ceil(concurrency / failingShare) - failing),
  };
}

/** Creates a function that deletes the old deliveries of an endpoint, once in `forgetEveryMs`. */
function createForgetting({
  outbox,
  clock,
  limits,
}: Pick<WebhookWorkerOptions, 'outbox' | 'clock' | 'limits'>) {
  const forgottenAt = new Map<string, number>();
  return async (endpointId: string): Promise<void> => {
    const now = clock.now();
    if (now - (forgottenAt.get(endpointId) ?? 0) < forgetEveryMs) return;
    if (forgottenAt.size >= maximumRemembered) forgottenAt.clear();
    const beforeMs = now - limits.retentionMs;
    const count = await outbox.forget({ endpointId, beforeMs, limit: forgottenAtOnce });
    // After a full page, the next call continues without a pause.
    if (count < forgottenAtOnce) forgottenAt.set(endpointId, now);
  };
}

/** Logs a fault. The next poll retries a stream that is unavailable now; its lease expires. */
function complain(log: Log, error: unknown): void {
  if (!isFault(error)) return;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log('error', 'webhook deliveries failed unexpectedly', { detail });
}
