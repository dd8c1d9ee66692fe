import { verifyWebhook } from '../../../client/webhooks.ts';
import { command } from '../../command.ts';
import { deliveriesAfter } from '../../deliveries.ts';
import { subscriptionsTo } from '../../event_types.ts';
import { Failure, usage } from '../../failures.ts';
import { forward } from '../../forward.ts';
import { timeText } from '../../times.ts';
import { keysAt } from '../../webhook_keys.ts';

export default command({
  words: 'webhook listen',
  summary: 'Prints each event as it comes, its signature checked, and hands it on if asked.',
  reach: 'reads',
  options: {
    'forward-to': {
      kind: 'text',
      value: 'URL',
      summary: 'Sends the unchanged body and headers there, and shows the answer.',
    },
    event: {
      kind: 'texts',
      value: 'TYPE',
      summary: 'Kind of event; ACTIVITY_UPDATES if none is given.',
    },
  },
  examples: [
    {
      type: 'webhook listen --forward-to http://localhost:3000/',
      does: 'Tries a receiver of this machine, which the service cannot reach.',
    },
  ],
  run: async ({ options, output, terminal, service }) => {
    const to = options['forward-to'];
    if (to !== undefined && !/^https?:$/.test(URL.parse(to)?.protocol ?? '')) {
      throw usage(`"${to}" is no address: expected one like http://localhost:3000/`);
    }
    const subscriptions = subscriptionsTo(options.event);
    const { client } = await service();
    const { signal } = terminal;
    // Without an address nothing is sent: the service keeps the events for who fetches them.
    const { endpointId } = await client.submit('create_webhook_endpoint', {
      name: `keywright webhook listen ${terminal.clock()}`,
      subscriptions,
    });
    const keys = keysAt(client.url, signal);
    output.note('Listening; end with Ctrl+C.');
    try {
      for await (const delivery of deliveriesAfter(client, endpointId, '0', signal)) {
        const { headers = [], body = '', eventType, eventId, createdAt } = delivery;
        const sent = Object.fromEntries(
          headers.map(({ name, value }) => [name.toLowerCase(), value]),
        );
        const { event } = await verifyWebhook({ headers: sent, body }, keys, {
          now: terminal.clock,
        });
        const answer = to === undefined ? undefined : await forward(delivery, to, signal);
        const about = `${timeText(createdAt)}  ${eventType}  ${summaryOf(event)}  signature verified`;
        output.event(answer === undefined ? about : `${about}  receiver: ${answer}`, {
          eventId,
          eventType,
          event,
          ...(answer === undefined ? {} : { receiver: answer }),
        });
      }
    } finally {
      // The signal has aborted: this request is not to be aborted by it.
      await client.submit('delete_webhook_endpoint', { endpointId });
    }
    if (signal.aborted) throw new Failure({ exit: 'interrupted', message: 'Interrupted.' });
  },
});

/** Type and state of an activity; the id of another event. */
function summaryOf(event: Readonly<Record<string, unknown>>): string {
  const { type, status, id } = event;
  return [type, status, id].filter((member) => typeof member === 'string').join(' ');
}
