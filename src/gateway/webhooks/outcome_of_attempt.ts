// Computes the effect of an attempt on the state of the delivery and the health of the endpoint.

import type { StoredDelivery } from '../../store/port.ts';
import type { DeliveryOutcome, Stream } from '../../store/reads/outbox.ts';
import type { ResponseClass } from './classify_response.ts';
import { pauseMs, retryDelayMs } from './retry_schedule.ts';

/** The health of an endpoint after its last attempts. */
export type EndpointHealth = Omit<Stream, 'endpointId'>;

/** After this many failures without a success, a success makes all waiting deliveries due. */
const outageFailures = 3;

/** Returns the outcome to store, without its lease, and the time of its end. */
export function outcomeOfAttempt({
  health,
  delivery,
  response,
  atMs,
  endMs,
  random,
  retryMs,
}: {
  readonly health: EndpointHealth;
  readonly delivery: StoredDelivery;
  readonly response: ResponseClass;
  readonly atMs: number;
  readonly endMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Maximum age of a delivery for further attempts. */
  readonly retryMs: number;
}): {
  readonly stored: Omit<DeliveryOutcome, 'endpointId' | 'owner' | 'leaseUntilMs'>;
  readonly endMs: number;
} {
  const { outcome, status } = response;
  const isDelivered = response.result === 'delivered';
  const failures = isDelivered ? 0 : health.failures + 1;
  const failingSinceMs = isDelivered ? undefined : (health.failingSinceMs ?? atMs);
  const own = isDelivered ? delivery.failures : delivery.failures + 1;
  const isLater = response.result === 'later';
  const waitMs = isLater ? (response.retryAfterMs ?? retryDelayMs(own, random())) : 0;
  const isGivenUp = endMs + waitMs > delivery.sinceMs + retryMs;
  const waits = isLater && !isGivenUp;
  const pauseForMs = response.retryAfterMs ?? pauseMs(failures, random());
  const wasDown = isDelivered && health.failures >= outageFailures;
  const stored = {
    delivery,
    attempt: { atMs, durationMs: Math.max(0, endMs - atMs), outcome, status },
    state: waits ? 'waiting' : isDelivered ? 'delivered' : 'failed',
    dueAtMs: waits ? endMs + waitMs : undefined,
    failures: own,
    stream: { failures, failingSinceMs, pausedUntilMs: isLater ? endMs + pauseForMs : 0 },
    bringForwardToMs: wasDown ? endMs : undefined,
  } as const;
  return { stored, endMs };
}
