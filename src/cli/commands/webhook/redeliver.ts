import { command } from '../../command_line/command.ts';
import { findEndpoint } from '../../service/find.ts';
import { type EventRange, eventRangeOf } from '../../webhooks/event_ranges.ts';
import { usage } from '../../words/failures.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Delivers events once more, by their ids or by a range of numbers.',
  reach: 'submits',
  arguments: [
    { name: 'endpoint', summary: 'Name or id of the endpoint.' },
    { name: 'events', summary: 'Ids of events.', count: 'many' },
  ],
  options: {
    range: option('A-B', 'Numbers of the first and the last event; A- goes up to the newest.'),
  },
  examples: { 'webhook redeliver shop --range 41-57': 'Sends those events again.' },
  run: async ({ arguments: { endpoint: word, events }, options: { range }, output, service }) => {
    const numbers = range === undefined ? undefined : eventRangeOf(range);
    if ((numbers === undefined) === (events.length === 0)) {
      throw usage('webhook redeliver needs ids of events, or --range');
    }
    const { client, submit } = await service();
    const { endpointId } = await findEndpoint(client, word);
    const which = numbers === undefined ? { eventIds: events } : sequencesOf(numbers);
    const result = await submit('redeliver_webhook_events', { endpointId, ...which });
    if (result === undefined) return;
    output.thing(
      { Endpoint: word, Again: result.eventCount },
      { document: result, ids: [endpointId] },
    );
  },
});

/** Without an end, the range includes all later events. The service limits it to the newest event. */
const sequencesOf = ({ first, last = Number.MAX_SAFE_INTEGER }: EventRange) => ({
  firstSequence: String(first),
  lastSequence: String(last),
});
