// Delivers events to webhook endpoints: one at a time to each, many endpoints beside each other. What
// became of an attempt is durable before the next one to the same endpoint begins.

import { ServiceError } from '../../core/errors.ts';
import type { SignOutcome } from '../../enclave/deliveries.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../enclave/protocol.ts';
import type { Outbox, Stream } from '../../store/outbox.ts';
import type { StoredDelivery } from '../../store/port.ts';
import type { Log } from '../log.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { pauseMs, retryDelayMs } from './retry_schedule.ts';
import { type Verdict, verdictOn } from './verdict.ts';

export type WebhookWorkerOptions = {
  readonly outbox: Outbox;
  /** Names this process among those that share the database. */
  readonly owner: string;
  readonly sign: (
    request: RequestOf<EnclaveMessages['signDelivery']>,
  ) => Promise<AnswerOf<EnclaveMessages['signDelivery']>>;
  readonly disable: (request: RequestOf<EnclaveMessages['disableEndpoint']>) => Promise<unknown>;
  readonly send: Outbound['send'];
  readonly clock: WorkerClock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
  /** Told of every attempt, for the numbers. */
  readonly attempted?: (outcome: string) => void;
  readonly limits: {
    readonly timeoutMs: number;
    readonly concurrency: number;
    readonly retryMs: number;
    readonly retriesTooManyRequests: boolean;
    /** 0: never. */
    readonly disableAfterMs: number;
    readonly retentionMs: number;
    /** Between two looks at the database, for what other processes wrote and for what became due. */
    readonly pollMs: number;
  };
};

/** Milliseconds since 1970, and a timer; replaced by tests. */
export type WorkerClock = {
  readonly now: () => number;
  /** Runs a function once, later; gives what calls that off. */
  readonly after: (delayMs: number, run: () => void) => () => void;
};

export type WebhookWorker = {
  /** Looks for what is due, now and from then on. */
  wake(): void;
  /** Begins nothing more and waits for what is under way. */
  stop(): Promise<void>;
};

/** An endpoint that is inactive is looked at again after this. */
const inactivePauseMs = 60_000;
/** Deliveries to one endpoint before others that wait get their turn. */
const turnDeliveries = 100;
/** A lease outlives an attempt by this. */
const leaseMarginMs = 20_000;
/** From so many failures without a success on, a success lets all that waits be due. */
const outageFailures = 3;
const disableFailures = 10;
const maximumAnswerBytes = 64 * 1024;
const forgetEveryMs = 60 * 60 * 1000;
const forgottenAtOnce = 1_000;
const maximumRemembered = 10_000;

export function startWebhookWorker(options: WebhookWorkerOptions): WebhookWorker {
  const { outbox, owner, clock, random, log, limits } = options;
  const leaseMs = limits.timeoutMs + leaseMarginMs;
  const busy = new Map<string, Promise<void>>();
  /** When ended deliveries of an endpoint were forgotten last. */
  const forgottenAt = new Map<string, number>();
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
    const limit = limits.concurrency - busy.size;
    if (limit <= 0) return;
    try {
      const now = clock.now();
      const request = { owner, now, leaseUntilMs: now + leaseMs, limit, busy: [...busy.keys()] };
      for (const stream of await outbox.claim(request)) {
        const { endpointId } = stream;
        const ended = serve(stream).then((isDone) => {
          busy.delete(endpointId);
          // After a fault the next look is soon enough.
          if (isDone) wake();
        });
        busy.set(endpointId, ended);
      }
    } catch (error) {
      complain(error);
    }
  }

  /** What is unavailable now is tried again at the next look; the lease ends by itself. */
  function complain(error: unknown): void {
    if (error instanceof ServiceError && error.code !== 'internal') return;
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log('error', 'webhook deliveries failed unexpectedly', { detail });
  }

  async function serve(leased: Stream): Promise<boolean> {
    const { endpointId } = leased;
    try {
      let stream: Stream | undefined = leased;
      for (let count = 0; count < turnDeliveries && stream !== undefined; count += 1) {
        if (isStopping) break;
        const delivery = await outbox.next({ endpointId, now: clock.now() });
        stream = delivery === undefined ? undefined : await deliver(stream, delivery);
      }
      await forget(endpointId);
      await outbox.release({ endpointId, owner, now: clock.now() });
      return true;
    } catch (error) {
      complain(error);
      return false;
    }
  }

  /** One attempt. Undefined where the endpoint is to be left alone. */
  async function deliver(stream: Stream, delivery: StoredDelivery): Promise<Stream | undefined> {
    const { endpointId, organizationId, eventId, sequence, body } = delivery;
    const signed = await options.sign({ endpointId, organizationId, eventId, sequence, body });
    const outcome = signed.outcome as SignOutcome;
    if (outcome === 'gone') {
      await outbox.drop({ endpointId });
      return undefined;
    }
    if (outcome === 'paused') return wait(stream, inactivePauseMs);
    const atMs = clock.now();
    if (outcome === 'refused') {
      const verdict = { result: 'failed', outcome: 'record_refused', status: undefined } as const;
      return settle(stream, delivery, verdict, atMs);
    }
    const answer = await options.send({
      url: signed.url,
      method: 'POST',
      headers: Object.fromEntries(signed.headers.map(({ name, value }) => [name, value])),
      body: signed.body,
      timeoutMs: limits.timeoutMs,
      maximumBytes: maximumAnswerBytes,
    });
    // Too much is under way from here, which says nothing of the endpoint.
    if ('failure' in answer && answer.failure === 'busy') return wait(stream, limits.pollMs);
    return settle(stream, delivery, verdictOn(answer, limits, clock.now()), atMs);
  }

  async function wait(stream: Stream, forMs: number): Promise<undefined> {
    const { endpointId, failures, failingSinceMs } = stream;
    const until = clock.now() + forMs;
    await outbox.pause({ endpointId, owner, until, stream: { failures, failingSinceMs } });
  }

  async function settle(
    stream: Stream,
    delivery: StoredDelivery,
    verdict: Verdict,
    atMs: number,
  ): Promise<Stream | undefined> {
    const { endpointId } = stream;
    const { outcome, status } = verdict;
    const now = clock.now();
    const isDelivered = verdict.result === 'delivered';
    const failures = isDelivered ? 0 : stream.failures + 1;
    const failingSinceMs = isDelivered ? undefined : (stream.failingSinceMs ?? atMs);
    const own = isDelivered ? delivery.failures : delivery.failures + 1;
    const waitMs =
      verdict.result === 'later' ? (verdict.retryAfterMs ?? retryDelayMs(own, random())) : 0;
    const isGivenUp = now + waitMs > delivery.sinceMs + limits.retryMs;
    const waits = verdict.result === 'later' && !isGivenUp;
    const restMs = verdict.retryAfterMs ?? pauseMs(failures, random());
    const pausedUntilMs = verdict.result === 'later' ? now + restMs : 0;
    const wasDown = isDelivered && stream.failures >= outageFailures;
    options.attempted?.(outcome);
    const isOurs = await outbox.settle({
      endpointId,
      owner,
      delivery,
      attempt: { atMs, durationMs: Math.max(0, now - atMs), outcome, status },
      state: waits ? 'waiting' : isDelivered ? 'delivered' : 'failed',
      dueAtMs: waits ? now + waitMs : undefined,
      failures: own,
      stream: { failures, failingSinceMs, pausedUntilMs },
      leaseUntilMs: now + leaseMs,
      bringForwardToMs: wasDown ? now : undefined,
    });
    if (!isOurs) return undefined;
    if (failingSinceMs !== undefined && isLongEnough(failures, now - failingSinceMs)) {
      await disable(delivery, failingSinceMs);
      return undefined;
    }
    return pausedUntilMs > now ? undefined : { endpointId, failures, failingSinceMs };
  }

  function isLongEnough(failures: number, failingMs: number): boolean {
    const { disableAfterMs } = limits;
    return disableAfterMs > 0 && failures >= disableFailures && failingMs >= disableAfterMs;
  }

  async function disable(
    { organizationId, endpointId }: StoredDelivery,
    failingSinceMs: number,
  ): Promise<void> {
    await options.disable({ organizationId, endpointId, failingSinceMs });
    log('warn', 'a webhook endpoint failed for long and was made inactive', {
      organizationId,
      endpointId,
    });
  }

  async function forget(endpointId: string): Promise<void> {
    const now = clock.now();
    if (now - (forgottenAt.get(endpointId) ?? 0) < forgetEveryMs) return;
    if (forgottenAt.size >= maximumRemembered) forgottenAt.clear();
    const beforeMs = now - limits.retentionMs;
    const count = await outbox.forget({ endpointId, beforeMs, limit: forgottenAtOnce });
    // A full measure says that there is more.
    if (count < forgottenAtOnce) forgottenAt.set(endpointId, now);
  }

  wake();
  return {
    wake,
    stop: async () => {
      isStopping = true;
      cancelPoll();
      await looking;
      await Promise.all(busy.values());
    },
  };
}
