import { command } from '../../command_line/command.ts';
import { findEndpoint } from '../../service/find.ts';
import { option } from '../../words/options.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary: 'Lists the events of an endpoint by number, with their outcome.',
  reach: 'reads',
  arguments: [{ name: 'endpoint', summary: 'Name or id of the endpoint.' }],
  options: {
    after: option('NUMBER', 'Only events with greater numbers.'),
    limit: option('N', 'Maximum number of rows, 1 to 100. Default: 20.'),
  },
  examples: {
    'webhook deliveries shop --after 40': 'Prints the deliveries after number 40.',
  },
  run: async ({ arguments: { endpoint: word }, options, output, service }) => {
    const { client } = await service();
    const { endpointId } = await findEndpoint(client, word);
    const { after, limit = '20' } = options;
    const answer = await client.query('list_webhook_deliveries', {
      endpointId,
      limit,
      ...(after === undefined ? {} : { afterSequence: after }),
    });
    output.list(
      answer.deliveries.map(({ sequence, eventType, state, attempts, createdAt, eventId }) => ({
        Number: sequence,
        Event: eventType,
        State: state,
        Attempts: attempts.length,
        At: timeText(createdAt),
        ID: eventId,
      })),
      {
        document: answer,
        ids: answer.deliveries.map(({ eventId }) => eventId),
        empty: 'No events yet.',
      },
    );
  },
});
