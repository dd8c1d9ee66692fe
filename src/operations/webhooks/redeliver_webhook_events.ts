import { fail, failField } from '../../core/errors/errors.ts';
import {
  answerText,
  decimal,
  list,
  numberOf,
  object,
  optional,
  uuid,
} from '../../core/schema/schema.ts';
import { isPulled, requireEndpoint } from '../../core/webhooks/endpoints.ts';
import { activity, wireOf } from '../operation.ts';
import type { Reader } from '../reader.ts';

/** Maximum events in one request by their numbers. */
const maximumRange = 10_000;
const sequence = () => decimal({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

type Range = { readonly first: number; readonly last: number };

export const redeliver_webhook_events = activity({
  wire: wireOf('ACTIVITY_TYPE_REDELIVER_WEBHOOK_EVENTS'),
  summary:
    'Delivers events once more, named by their IDs or by their first and last number. Not part of the common interface.',
  subject: { resource: 'WEBHOOK_ENDPOINT', action: 'UPDATE' },
  authority: 'webhooks',
  parameters: object({
    endpointId: uuid(),
    eventIds: optional(list(uuid(), { minimum: 1 })),
    firstSequence: optional(sequence()),
    lastSequence: optional(sequence()),
  }),
  result: object({ endpointId: answerText(), eventCount: answerText() }),

  load: async ({ organization, parameters, read }) => {
    const endpoint = requireEndpoint(organization, parameters.endpointId);
    const { id } = endpoint;
    if (isPulled(endpoint)) failField('parameters.endpointId', 'expected an endpoint with a URL');
    const { eventIds, firstSequence, lastSequence } = parameters;
    if (eventIds === undefined) {
      const first = numberOf(firstSequence ?? failField('parameters.firstSequence', named));
      const last = numberOf(lastSequence ?? failField('parameters.lastSequence', named));
      return rangeOf(first, last, await read.webhookDeliveries(id, { after: 0, limit: 1 }));
    }
    if (firstSequence !== undefined || lastSequence !== undefined) {
      failField('parameters.eventIds', named);
    }
    return rangesOf(id, eventIds, organization.id, read);
  },
  facts: ({ parameters }) => ({ params: { endpoint_id: parameters.endpointId.toLowerCase() } }),
  apply: ({ organization, parameters, loaded: ranges, context }) => {
    const { id: endpointId } = requireEndpoint(organization, parameters.endpointId);
    for (const { first, last } of ranges) {
      organization.redeliver({ endpointId, first, last, atMs: context.now });
    }
    const count = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    return { endpointId, eventCount: String(count) };
  },
});

const named = 'expected `eventIds`, or `firstSequence` and `lastSequence`';

/** Returns the available numbers of a requested range, from the oldest stored one. */
function rangeOf(
  wantedFirst: number,
  wantedLast: number,
  { lastSequence, deliveries: [oldest] }: Awaited<ReturnType<Reader['webhookDeliveries']>>,
): readonly Range[] {
  const first = Math.max(wantedFirst, oldest?.sequence ?? lastSequence + 1);
  const last = Math.min(wantedLast, lastSequence);
  if (last - first >= maximumRange) {
    failField('parameters.lastSequence', `expected at most ${maximumRange} events`);
  }
  return first > last ? [] : [{ first, last }];
}

async function rangesOf(
  endpointId: string,
  eventIds: readonly string[],
  organizationId: string,
  read: Reader,
): Promise<readonly Range[]> {
  const requested = [...new Set(eventIds.map((id) => id.toLowerCase()))];
  const { deliveries } = await read.webhookDeliveries(endpointId, { eventIds: requested });
  const found = new Map(deliveries.map((delivery) => [delivery.eventId, delivery.sequence]));
  return requested.map((id) => {
    const sequence = found.get(id);
    if (sequence === undefined) {
      fail('resource_not_found', { resource: 'webhook event', id, organizationId });
    }
    return { first: sequence, last: sequence };
  });
}
