// One turn at an endpoint: what is due goes out, one delivery after the other, in the order of the
// numbers.
//
// The next attempt begins as soon as the one before was answered well. Its outcome is kept a moment
// later, together with others; so after a crash the last few may come again. Whatever was not answered
// well is kept before anything else goes out.

import { ServiceError } from '../../core/errors/errors.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { DeliveryOutcome, Outbox, Stream } from '../../store/outbox.ts';
import type { StoredDelivery } from '../../store/port.ts';
import type { Log } from '../log.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { classifyResponse, type ResponseClass } from './classify_response.ts';
import type { OutcomeWriter } from './outcome_writer.ts';
import { pauseMs, retryDelayMs } from './retry_schedule.ts';
import { type SignDeliveries, type SignedDelivery, signAhead } from './sign_ahead.ts';

export type DeliveryBatchOptions = {
  readonly outbox: Outbox;
  readonly outcomes: OutcomeWriter;
  readonly owner: string;
  readonly sign: SignDeliveries;
  readonly disable: (
    request: RequestOf<EnclaveMessages['disableEndpoint']>,
  ) => Promise<AnswerOf<EnclaveMessages['disableEndpoint']>>;
  readonly send: Outbound['send'];
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
  /** Told of every attempt, for the numbers. */
  readonly attempted?: (outcome: string) => void;
  readonly isStopping: () => boolean;
  readonly limits: {
    readonly timeoutMs: number;
    readonly retryMs: number;
    readonly retriesTooManyRequests: boolean;
    /** 0: never. */
    readonly disableAfterMs: number;
  };
};

/** A stream that this process has leased until a time. */
export type Leased = Stream & { readonly leaseUntilMs: number };

/** What the last attempts leave: how the endpoint is doing, undefined where it is to be left alone. */
type Standing = Omit<Stream, 'endpointId'> | undefined;

/** An endpoint that is inactive is looked at again after this. */
const inactivePauseMs = 60_000;
/** So is one whose rows cannot be read, lest many of them take the turns of all others. */
const faultPauseMs = 60_000;
/** Where too much is under way from here. */
const busyPauseMs = 250;
/** Deliveries to one endpoint before others that wait get their turn. */
const turnDeliveries = 100;
/** Deliveries that are read at once: after a crash, as many may come again. */
const readAtOnce = 50;
/** A lease outlives an attempt by this. */
export const leaseMarginMs = 5_000;
/** From so many failures without a success on, a success lets all that waits be due. */
const outageFailures = 3;
const disableFailures = 10;
const maximumAnswerBytes = 64 * 1024;

/** Whether an error says more than that something is unavailable now. */
export function isFault(error: unknown): boolean {
  return !(error instanceof ServiceError) || error.code === 'internal';
}

/** Delivers what is due; gives the milliseconds for which the endpoint is left alone, 0 for none. */
export async function deliverBatch(options: DeliveryBatchOptions, leased: Leased): Promise<number> {
  const { outbox, outcomes, owner, now, limits } = options;
  const { endpointId } = leased;
  const leaseMs = limits.timeoutMs + leaseMarginMs;
  let { leaseUntilMs } = leased;
  let restMs = 0;
  /** Outcomes that are being kept; no more than were read at once. */
  let open: Promise<boolean>[] = [];

  async function due(): Promise<void> {
    let standing: Standing = leased;
    for (let count = 0; count < turnDeliveries && standing !== undefined; ) {
      const deliveries = await outbox.next({ endpointId, now: now(), limit: readAtOnce });
      if (deliveries.length === 0) return;
      standing = await deliverAll(deliveries, standing);
      // What comes meanwhile has its turn too: see `release`.
      if (deliveries.length < readAtOnce) return;
      count += deliveries.length;
    }
  }

  async function deliverAll(
    deliveries: readonly StoredDelivery[],
    before: NonNullable<Standing>,
  ): Promise<Standing> {
    const signed = signAhead(deliveries, options.sign, now);
    let standing: Standing = before;
    for (const [place, delivery] of deliveries.entries()) {
      if (options.isStopping()) {
        standing = undefined;
        break;
      }
      const stream: NonNullable<Standing> = standing;
      const next = await signed(place).catch((error: unknown) => pauseAfter(error, stream));
      // Outcomes that are kept prolong the lease; else, after a long wait, another node may be at it.
      if (!isCovered() && !((await areKept()) && isCovered())) return undefined;
      const isRecovering = stream.failures > 0;
      standing = await attempt(stream, delivery, next);
      // What waited longer is due now: it comes first.
      if (standing === undefined || (isRecovering && standing.failures === 0)) break;
    }
    return (await areKept()) ? standing : undefined;
  }

  async function attempt(
    stream: NonNullable<Standing>,
    delivery: StoredDelivery,
    signed: SignedDelivery,
  ): Promise<Standing> {
    const atMs = now();
    if (signed.outcome === 'gone' || signed.outcome === 'pulled') {
      await areKept();
      const state = signed.outcome === 'gone' ? 'dropped' : 'pulled';
      await outbox.drop({ endpointId, state });
      return undefined;
    }
    if (signed.outcome === 'paused') return wait(stream, inactivePauseMs);
    if (signed.outcome === 'refused') {
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
    // That too much is under way says nothing of the endpoint.
    if ('failure' in answer && answer.failure === 'busy') return wait(stream, busyPauseMs);
    return settle(stream, delivery, classifyResponse(answer, limits, now()), atMs);
  }

  async function wait(stream: NonNullable<Standing>, forMs: number): Promise<undefined> {
    if (!(await areKept())) return;
    const { failures, failingSinceMs } = stream;
    restMs = forMs;
    const until = now() + forMs;
    await outbox.pause({ endpointId, owner, until, stream: { failures, failingSinceMs } });
  }

  /** Of what only a fault of ours or a changed database explains, the next second brings no better. */
  async function pauseAfter(error: unknown, stream: NonNullable<Standing>): Promise<never> {
    if (isFault(error)) await wait(stream, faultPauseMs);
    throw error;
  }

  /** Waits for an outcome only where it is not the usual one. */
  async function settle(
    stream: NonNullable<Standing>,
    delivery: StoredDelivery,
    verdict: ResponseClass,
    atMs: number,
  ): Promise<Standing> {
    const settlement = settlementOf(stream, delivery, verdict, atMs);
    const { failures, failingSinceMs, pausedUntilMs } = settlement.stream;
    options.attempted?.(verdict.outcome);
    keep(settlement);
    if (failingSinceMs === undefined) return { failures, failingSinceMs };
    if (!(await areKept())) return undefined;
    const isLong = isLongEnough(failures, now() - failingSinceMs);
    if (isLong && (await disable(delivery, failingSinceMs))) return undefined;
    restMs = Math.max(0, pausedUntilMs - now());
    return restMs > 0 ? undefined : { failures, failingSinceMs };
  }

  function settlementOf(
    stream: NonNullable<Standing>,
    delivery: StoredDelivery,
    verdict: ResponseClass,
    atMs: number,
  ): DeliveryOutcome {
    const { outcome, status } = verdict;
    const endMs = now();
    const isDelivered = verdict.result === 'delivered';
    const failures = isDelivered ? 0 : stream.failures + 1;
    const failingSinceMs = isDelivered ? undefined : (stream.failingSinceMs ?? atMs);
    const own = isDelivered ? delivery.failures : delivery.failures + 1;
    const isLater = verdict.result === 'later';
    const waitMs = isLater ? (verdict.retryAfterMs ?? retryDelayMs(own, options.random())) : 0;
    const isGivenUp = endMs + waitMs > delivery.sinceMs + limits.retryMs;
    const waits = isLater && !isGivenUp;
    const pauseForMs = verdict.retryAfterMs ?? pauseMs(failures, options.random());
    const wasDown = isDelivered && stream.failures >= outageFailures;
    return {
      endpointId,
      owner,
      delivery,
      attempt: { atMs, durationMs: Math.max(0, endMs - atMs), outcome, status },
      state: waits ? 'waiting' : isDelivered ? 'delivered' : 'failed',
      dueAtMs: waits ? endMs + waitMs : undefined,
      failures: own,
      stream: { failures, failingSinceMs, pausedUntilMs: isLater ? endMs + pauseForMs : 0 },
      leaseUntilMs: endMs + leaseMs,
      bringForwardToMs: wasDown ? endMs : undefined,
    };
  }

  /** Whether the lease outlives an attempt that begins now. */
  function isCovered(): boolean {
    return now() + limits.timeoutMs <= leaseUntilMs;
  }

  function keep(settlement: DeliveryOutcome): void {
    const kept = outcomes.settle(settlement).then((isOurs) => {
      if (isOurs) leaseUntilMs = settlement.leaseUntilMs;
      return isOurs;
    });
    // Whoever waits for all of them is told of a failure.
    kept.catch(() => undefined);
    open.push(kept);
  }

  /** Waits until all outcomes are kept; false where the lease is another's by now. */
  async function areKept(): Promise<boolean> {
    if (open.length === 0) return true;
    outcomes.flush();
    const all = open;
    open = [];
    return (await Promise.all(all)).every((isOurs) => isOurs);
  }

  function isLongEnough(failures: number, failingMs: number): boolean {
    const { disableAfterMs } = limits;
    return disableAfterMs > 0 && failures >= disableFailures && failingMs >= disableAfterMs;
  }

  async function disable(
    { organizationId }: StoredDelivery,
    failingSinceMs: number,
  ): Promise<boolean> {
    const { disableAfterMs } = limits;
    const request = { organizationId, endpointId, failingSinceMs, disableAfterMs };
    const { isDisabled } = await options.disable(request);
    if (!isDisabled) return false;
    const fields = { organizationId, endpointId };
    options.log('warn', 'a webhook endpoint failed for long and was made inactive', fields);
    return true;
  }

  // Also after a fault: the next turn must not find as waiting what was answered.
  await due().finally(areKept);
  return restMs;
}
