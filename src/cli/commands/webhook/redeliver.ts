import { command } from '../../command.ts';
import { usage } from '../../failures.ts';
import { findEndpoint } from '../../find.ts';

export default command({
  words: 'webhook redeliver',
  summary: 'Delivers events once more, by their ids or by a range of numbers.',
  reach: 'submits',
  arguments: [
    { name: 'endpoint', summary: 'Name or id of the endpoint.' },
    { name: 'events', summary: 'Ids of events.', count: 'many' },
  ],
  options: {
    range: { kind: 'text', value: 'A-B', summary: 'Numbers of the first and the last event.' },
  },
  examples: [{ type: 'webhook redeliver shop --range 41-57', does: 'Sends those events again.' }],
  run: async ({ arguments: { endpoint: word, events }, options: { range }, output, service }) => {
    const numbers = range === undefined ? undefined : /^(\d{1,15})-(\d{1,15})$/.exec(range);
    if (numbers === null) throw usage(`"${range}" is no range: expected one such as 41-57`);
    if ((numbers === undefined) === (events.length === 0)) {
      throw usage('webhook redeliver needs ids of events, or --range');
    }
    const { client, submit } = await service();
    const { endpointId } = await findEndpoint(client, word);
    const [, firstSequence = '', lastSequence = ''] = numbers ?? [];
    const which = numbers === undefined ? { eventIds: events } : { firstSequence, lastSequence };
    const result = await submit('redeliver_webhook_events', { endpointId, ...which });
    if (result === undefined) return;
    output.thing(
      { Endpoint: word, Again: range ?? events.length },
      { document: result, ids: [endpointId] },
    );
  },
});
