import { command } from '../../command_line/command.ts';
import { subscriptionsTo } from '../../webhooks/event_types.ts';

export default command({
  words: 'webhook create',
  summary: 'Creates an endpoint that events are delivered to; without --to one to be pulled.',
  reach: 'submits',
  arguments: [{ name: 'name', summary: 'Name of the endpoint.' }],
  options: {
    to: { kind: 'text', value: 'URL', summary: 'Address that events are sent to.' },
    event: {
      kind: 'texts',
      value: 'TYPE',
      summary: 'Kind of event; ACTIVITY_UPDATES if none is given.',
    },
  },
  examples: [
    {
      type: 'webhook create shop --to https://shop.example/hooks',
      does: 'Sends every activity there.',
    },
  ],
  run: async ({ arguments: { name }, options, output, service }) => {
    const subscriptions = subscriptionsTo(options.event);
    const { submit } = await service();
    const result = await submit('create_webhook_endpoint', {
      name,
      ...(options.to === undefined ? {} : { url: options.to }),
      subscriptions,
    });
    if (result === undefined) return;
    output.thing(
      { Endpoint: name, ID: result.endpointId },
      { document: result, ids: [result.endpointId] },
    );
  },
});
