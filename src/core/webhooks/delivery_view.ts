// The API form of deliveries: the content of the event, and the outcome that the gateway reported.

import { textOfUtf8 } from '../base/bytes.ts';
import { timestampObject } from '../base/compatibility.ts';
import type { WebhookEventType } from '../base/enums.ts';

/** One attempt at a delivery, as the gateway saw it. */
export type DeliveryAttempt = {
  readonly attempt: number;
  readonly atMs: number;
  readonly durationMs: number;
  readonly outcome: string;
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
};

export type Delivery = {
  readonly sequence: number;
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  /** Organization of the event. */
  readonly organizationId: string;
  readonly activityId: string | undefined;
  readonly state: string;
  readonly createdAtMs: number;
  readonly dueAtMs: number | undefined;
  readonly attempts: readonly DeliveryAttempt[];
  /** Present if the request asked for it. */
  readonly body: Uint8Array | undefined;
};

export function deliveryView(
  delivery: Delivery,
  headers?: readonly { readonly name: string; readonly value: string }[],
) {
  const { activityId, dueAtMs, body } = delivery;
  return {
    sequence: String(delivery.sequence),
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    organizationId: delivery.organizationId,
    ...(activityId === undefined ? {} : { activityId }),
    state: delivery.state,
    createdAt: timestampObject(delivery.createdAtMs),
    ...(dueAtMs === undefined ? {} : { nextAttemptAt: timestampObject(dueAtMs) }),
    attempts: delivery.attempts.map(({ atMs, status, ...attempt }) => ({
      ...attempt,
      at: timestampObject(atMs),
      ...(status === undefined ? {} : { status }),
    })),
    ...(body === undefined ? {} : { body: textOfUtf8(body) ?? '' }),
    ...(headers === undefined ? {} : { headers }),
  };
}
