// Sends the due deliveries of one endpoint, one after the other, in the order of their numbers. The next
// attempt begins as soon as the endpoint has accepted the last one. That outcome is stored a moment later,
// together with others, so after a crash the last few deliveries may be sent again. A failure is stored
// before anything else is sent.

import { ServiceError } from '../../core/errors/errors.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { StoredDelivery } from '../../store/port.ts';
import type { Outbox, Stream } from '../../store/reads/outbox.ts';
import type { Log } from '../observability/log.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { classifyResponse, type ResponseClass } from './classify_response.ts';
import { createLease, type Lease, leaseMarginMs } from './lease.ts';
import { type EndpointHealth, outcomeOfAttempt } from './outcome_of_attempt.ts';
import type { OutcomeWriter } from './outcome_writer.ts';
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
  /** Optional. Counts an attempt by its outcome. */
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

/** Pause before the next check of an inactive endpoint. */
const inactivePauseMs = 60_000;
/** Pause after unreadable rows, because many such endpoints must not take the turns of others. */
const faultPauseMs = 60_000;
/** Pause while this process has too many requests in progress. */
const busyPauseMs = 250;
/** Maximum deliveries to one endpoint in a turn. */
const turnDeliveries = 100;
/**
 * Duration of a turn, which a running attempt may exceed. Without it, an endpoint that accepts each delivery
 * just in time would keep its place for all of them.
 */
export const turnMs = 1_000;
/** Maximum deliveries in one read. After a crash, the worker may repeat as many. */
const readAtOnce = 50;
const disableFailures = 10;
const maximumAnswerBytes = 64 * 1024;

/** Returns true for a fault, and false if something is only unavailable now. */
export function isFault(error: unknown): boolean {
  return !(error instanceof ServiceError) || error.code === 'internal';
}

/** The work of one turn at one endpoint. */
type Batch = {
  readonly options: DeliveryBatchOptions;
  readonly endpointId: string;
  readonly lease: Lease;
  readonly beganAtMs: number;
  /** The pause of the endpoint after the turn, in milliseconds. */
  pauseForMs: number;
};

/** The health of the endpoint for the next delivery; undefined ends the turn. */
type Next = EndpointHealth | undefined;

/** Sends the due deliveries. Returns the milliseconds to pause the endpoint, 0 for no pause. */
export async function deliverBatch(options: DeliveryBatchOptions, leased: Leased): Promise<number> {
  const { outcomes, now, limits } = options;
  const lease = createLease({ outcomes, now, timeoutMs: limits.timeoutMs, ...leased });
  const { endpointId } = leased;
  const batch: Batch = { options, endpointId, lease, beganAtMs: now(), pauseForMs: 0 };
  // Even after a fault, the next turn must not read delivered events as waiting.
  await deliverDue(batch, leased).finally(lease.areStored);
  return batch.pauseForMs;
}

async function deliverDue(batch: Batch, leased: Leased): Promise<void> {
  const { options, endpointId } = batch;
  let health: Next = leased;
  for (let count = 0; count < turnDeliveries && health !== undefined; ) {
    const due = { endpointId, now: options.now(), limit: readAtOnce };
    const deliveries = await options.outbox.next(due);
    if (deliveries.length === 0) return;
    health = await deliverAll(batch, deliveries, health);
    // Later events are left to the next turn: see `release`.
    if (deliveries.length < readAtOnce) return;
    count += deliveries.length;
  }
}

async function deliverAll(
  batch: Batch,
  deliveries: readonly StoredDelivery[],
  before: EndpointHealth,
): Promise<Next> {
  const { options, lease } = batch;
  const signed = signAhead(deliveries, options.sign, options.now);
  let health: Next = before;
  for (const [position, delivery] of deliveries.entries()) {
    const isOver = position > 0 && options.now() - batch.beganAtMs >= turnMs;
    if (isOver || options.isStopping()) {
      health = undefined;
      break;
    }
    const current: EndpointHealth = health;
    const next = await signed(position).catch((error: unknown) =>
      pauseAfterFault(batch, current, error),
    );
    // A stored outcome prolongs the lease. After a long wait another node may hold it.
    if (!lease.coversAttempt() && !((await lease.areStored()) && lease.coversAttempt())) return;
    const isRecovering = current.failures > 0;
    health = await attempt(batch, current, delivery, next);
    // After a recovery, older deliveries are due too, and the worker reads them first.
    if (health === undefined || (isRecovering && health.failures === 0)) break;
  }
  return (await lease.areStored()) ? health : undefined;
}

async function attempt(
  batch: Batch,
  health: EndpointHealth,
  delivery: StoredDelivery,
  signed: SignedDelivery,
): Promise<Next> {
  const { options, endpointId, lease } = batch;
  const { limits, now } = options;
  const atMs = now();
  if (signed.outcome === 'gone' || signed.outcome === 'pulled') {
    await lease.areStored();
    const state = signed.outcome === 'gone' ? 'dropped' : 'pulled';
    await options.outbox.drop({ endpointId, state });
    return undefined;
  }
  if (signed.outcome === 'paused') return pause(batch, health, inactivePauseMs);
  if (signed.outcome === 'refused') {
    const refused = { result: 'failed', outcome: 'record_refused', status: undefined } as const;
    return record(batch, health, { delivery, response: refused, atMs });
  }
  const answer = await options.send({
    url: signed.url,
    method: 'POST',
    headers: Object.fromEntries(signed.headers.map(({ name, value }) => [name, value])),
    body: signed.body,
    timeoutMs: limits.timeoutMs,
    maximumBytes: maximumAnswerBytes,
  });
  // An overload of this process says nothing about the endpoint.
  if ('failure' in answer && answer.failure === 'busy') return pause(batch, health, busyPauseMs);
  return record(batch, health, {
    delivery,
    response: classifyResponse(answer, limits, now()),
    atMs,
  });
}

/** Pauses the endpoint without an attempt. */
async function pause(batch: Batch, health: EndpointHealth, forMs: number): Promise<undefined> {
  const { options, endpointId, lease } = batch;
  if (!(await lease.areStored())) return;
  const { failures, failingSinceMs } = health;
  batch.pauseForMs = forMs;
  const until = options.now() + forMs;
  const stream = { failures, failingSinceMs };
  await options.outbox.pause({ endpointId, owner: options.owner, until, stream });
}

/** Rethrows the error. First pauses the endpoint if a retry in a second cannot help. */
async function pauseAfterFault(
  batch: Batch,
  health: EndpointHealth,
  error: unknown,
): Promise<never> {
  if (isFault(error)) await pause(batch, health, faultPauseMs);
  throw error;
}

/** Records an attempt. Waits for the write only if the endpoint did not accept the delivery. */
async function record(
  batch: Batch,
  health: EndpointHealth,
  attempted: {
    readonly delivery: StoredDelivery;
    readonly response: ResponseClass;
    readonly atMs: number;
  },
): Promise<Next> {
  const { options, endpointId, lease } = batch;
  const { now, random, owner, limits } = options;
  const { delivery, response } = attempted;
  const outcome = outcomeOfAttempt({
    ...attempted,
    health,
    endMs: now(),
    random,
    retryMs: limits.retryMs,
  });
  const leaseUntilMs = outcome.endMs + limits.timeoutMs + leaseMarginMs;
  options.attempted?.(response.outcome);
  lease.store({ ...outcome.stored, endpointId, owner, leaseUntilMs });
  const { failures, failingSinceMs, pausedUntilMs } = outcome.stored.stream;
  if (failingSinceMs === undefined) return { failures, failingSinceMs };
  if (!(await lease.areStored())) return undefined;
  const isLong = isLongEnough(limits.disableAfterMs, failures, now() - failingSinceMs);
  if (isLong && (await disable(batch, delivery, failingSinceMs))) return undefined;
  batch.pauseForMs = Math.max(0, pausedUntilMs - now());
  return batch.pauseForMs > 0 ? undefined : { failures, failingSinceMs };
}

function isLongEnough(disableAfterMs: number, failures: number, failingMs: number): boolean {
  return disableAfterMs > 0 && failures >= disableFailures && failingMs >= disableAfterMs;
}

/** Disables the endpoint. Returns false if the enclave refuses. */
async function disable(
  { options, endpointId }: Batch,
  { organizationId }: StoredDelivery,
  failingSinceMs: number,
): Promise<boolean> {
  const { disableAfterMs } = options.limits;
  const request = { organizationId, endpointId, failingSinceMs, disableAfterMs };
  const { isDisabled } = await options.disable(request);
  if (!isDisabled) return false;
  const fields = { organizationId, endpointId };
  options.log('warn', 'deactivated a webhook endpoint after long failures', fields);
  return true;
}
