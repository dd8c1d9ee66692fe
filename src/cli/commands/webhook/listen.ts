import type { Client } from '../../../client/connect.ts';
import { verifyWebhook, type WebhookKeys } from '../../../client/webhooks.ts';
import { command } from '../../command_line/command.ts';
import { quoted } from '../../files/files.ts';
import { type Output, visible } from '../../output/output.ts';
import { findEndpoint, onlyEndpoint } from '../../service/find.ts';
import { type Delivery, deliveriesAfter, pastDeliveries } from '../../webhooks/deliveries.ts';
import { type EventRange, eventRangeOf, requireCount } from '../../webhooks/event_ranges.ts';
import { summaryOf } from '../../webhooks/event_summary.ts';
import { subscriptionsTo } from '../../webhooks/event_types.ts';
import { forward } from '../../webhooks/forward.ts';
import { keysAt } from '../../webhooks/webhook_keys.ts';
import { Failure, usage } from '../../words/failures.ts';
import { option, repeatable } from '../../words/options.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary: 'Prints each event after verifying its signature, and can forward it.',
  reach: 'reads',
  options: {
    'forward-to': option(
      'URL',
      'Sends the unchanged body and headers there, and shows the answer.',
    ),
    event: repeatable(
      'TYPE',
      'Kind of event. Default: ACTIVITY_UPDATES, and all kinds for --replay.',
    ),
    replay: option(
      'RANGE',
      'First takes past events, by their numbers: 41-57, or 41- up to the newest.',
    ),
    endpoint: option(
      'ENDPOINT',
      'Name or id of the endpoint for --replay. Default: the only endpoint.',
    ),
  },
  examples: {
    'webhook listen --forward-to http://localhost:3000/':
      'Tries a receiver of this machine, which the service cannot reach.',
    'webhook listen --replay 41- --endpoint shop --forward-to http://localhost:3000/':
      'Forwards the events of shop from number 41 on, then new ones.',
  },
  run: async ({ options, output, terminal, service }) => {
    const to = options['forward-to'];
    if (to !== undefined && !/^https?:$/.test(URL.parse(to)?.protocol ?? '')) {
      throw usage(`"${to}" is not an address: expected one like http://localhost:3000/`);
    }
    const { event: kinds, replay, endpoint: named } = options;
    const subscriptions = subscriptionsTo(kinds);
    const range = replay === undefined ? undefined : { word: replay, ...eventRangeOf(replay) };
    if (named !== undefined && range === undefined) throw usage('--endpoint needs --replay RANGE');
    const { client } = await service();
    const { signal } = terminal;
    const past = range === undefined ? undefined : await storedEvents(client, named, range);
    const forwardDelivery = deliveryForwarder(keysAt(client.url, signal), to, output, signal);
    // An endpoint without an address sends nothing; the service stores its events until they are fetched.
    const { endpointId } = await client.submit('create_webhook_endpoint', {
      name: `keywright webhook listen ${terminal.clock()}`,
      subscriptions,
    });
    output.note('Listening; end with Ctrl+C.');
    try {
      // The new endpoint already collects events, so the replay leaves no gap. Skip events that both contain.
      const replayed = new Set<string>();
      if (past !== undefined) {
        for await (const delivery of pastDeliveries(client, past.endpointId, past, signal)) {
          if (kinds.length > 0 && !kinds.includes(delivery.eventType)) continue;
          await forwardDelivery(delivery, signedAt(delivery));
          replayed.add(delivery.eventId);
        }
        output.note(`Replayed ${replayed.size} events of ${past.name}.`);
      }
      for await (const delivery of deliveriesAfter(client, endpointId, '0', signal)) {
        if (!replayed.has(delivery.eventId)) await forwardDelivery(delivery, terminal.clock);
      }
    } finally {
      // `client` ignores a signal that aborted before the request, so this cleanup still runs.
      await client.submit('delete_webhook_endpoint', { endpointId });
    }
    if (signal.aborted) throw new Failure({ exit: 'interrupted', message: 'Interrupted.' });
  },
});

/** Returns a function that verifies a delivery, forwards it and prints it. */
function deliveryForwarder(
  keys: WebhookKeys,
  to: string | undefined,
  output: Output,
  signal: AbortSignal,
): (delivery: Delivery, now: () => number) => Promise<void> {
  return async (delivery, now) => {
    const { body = '', eventType, createdAt } = delivery;
    const signed = { headers: headersOf(delivery), body };
    const { event, eventId } = await verifyWebhook(signed, keys, { now });
    const answer = to === undefined ? undefined : await forward(delivery, to, signal);
    const about = `${timeText(createdAt)}  ${eventType}  ${summaryOf(event)}  signature verified`;
    output.event(answer === undefined ? about : `${about}  receiver: ${answer}`, {
      eventId,
      eventType,
      event,
      ...(answer === undefined ? {} : { receiver: answer }),
    });
  };
}

const headersOf = ({ headers = [] }: Delivery): Readonly<Record<string, string>> =>
  Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));

/** Past deliveries may be old, so verify them against their own signed time. */
const signedAt = (delivery: Delivery) => () => Number(headersOf(delivery)['x-service-timestamp']);

/**
 * Returns the endpoint, and the requested events that it still stores. Throws `not_found` if it stores none.
 */
async function storedEvents(
  client: Client,
  named: string | undefined,
  { word, first, last }: EventRange & { readonly word: string },
) {
  const endpoint = await (named === undefined ? onlyEndpoint(client) : findEndpoint(client, named));
  const { endpointId, name } = endpoint;
  const { lastSequence, deliveries } = await client.query('list_webhook_deliveries', {
    endpointId,
    afterSequence: String(first - 1),
    limit: '1',
  });
  const [oldest] = deliveries;
  const newest = Number(lastSequence);
  if (oldest === undefined || Number(oldest.sequence) > (last ?? newest)) {
    throw new Failure({
      exit: 'not_found',
      message: `The webhook ${visible(name)} keeps no events ${word}; its newest event is ${newest}.`,
      next: `keywright webhook deliveries ${quoted(endpointId)}`,
    });
  }
  const start = Number(oldest.sequence);
  requireCount(word, start, last ?? newest);
  return { endpointId, name, first: start, last };
}
