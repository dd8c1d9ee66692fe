import { assert } from '../../core/errors/errors.ts';
import {
  answerInteger,
  answerList,
  answerText,
  boolean,
  decimal,
  numberOf,
  object,
  optional,
  timestamp,
  uuid,
} from '../../core/schema/schema.ts';
import { type Delivery, deliveryView } from '../../core/webhooks/delivery_view.ts';
import { isPulled, requireEndpoint } from '../../core/webhooks/endpoints.ts';
import { query } from '../operation.ts';

const defaultLimit = 10;

export const list_webhook_deliveries = query({
  summary:
    'Lists the events of a webhook endpoint by number, with their outcome and every attempt. Numbers have no gap, so a receiver sees what it missed. The header `Prefer: wait=25` holds an empty page until there is news. Not part of the common interface.',
  body: object({
    endpointId: uuid(),
    afterSequence: optional(decimal({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    limit: optional(decimal({ minimum: 1, maximum: 100 })),
    withBodies: optional(boolean()),
    withHeaders: optional(boolean()),
  }),
  response: object({
    lastSequence: answerText(),
    /** True if the page ended before its limit, because one answer cannot hold more bodies. */
    truncated: optional(boolean()),
    deliveries: answerList(
      object({
        sequence: answerText(),
        eventId: answerText(),
        eventType: answerText(),
        organizationId: answerText(),
        activityId: optional(answerText()),
        state: answerText(),
        createdAt: timestamp(),
        nextAttemptAt: optional(timestamp()),
        attempts: answerList(
          object({
            attempt: answerInteger(),
            at: timestamp(),
            durationMs: answerInteger(),
            outcome: answerText(),
            status: optional(answerInteger()),
          }),
        ),
        body: optional(answerText()),
        headers: optional(answerList(object({ name: answerText(), value: answerText() }))),
      }),
    ),
  }),

  answer: async ({ organization, body, read, services }) => {
    const endpoint = requireEndpoint(organization, body.endpointId);
    const { lastSequence, deliveries, isCut } = await read.webhookDeliveries(endpoint.id, {
      after: numberOf(body.afterSequence ?? 0),
      limit: numberOf(body.limit ?? defaultLimit),
      withBodies: body.withBodies === true || body.withHeaders === true,
    });
    const shown = async (delivery: Delivery) => {
      const asPulled = { ...delivery, state: 'pulled', dueAtMs: undefined };
      const kept = isPulled(endpoint) ? asPulled : delivery;
      if (body.withHeaders !== true) return deliveryView(kept);
      assert(kept.body !== undefined, 'what is signed was read with its body');
      // A fetch counts as the attempt. A delivery that was already sent keeps the time of its signature.
      const sentAtMs = delivery.attempts.at(-1)?.atMs ?? delivery.createdAtMs;
      const atMs = isPulled(endpoint) ? services.clock() : sentAtMs;
      return deliveryView(kept, await services.signEvent({ ...kept, body: kept.body }, atMs));
    };
    return {
      lastSequence: String(lastSequence),
      ...(isCut ? { truncated: true } : {}),
      deliveries: await Promise.all(deliveries.map(shown)),
    };
  },

  news: ({ body }, { deliveries }) => ({
    kind: 'deliveries',
    id: body.endpointId.toLowerCase(),
    hasNews: deliveries.length > 0,
  }),
});
