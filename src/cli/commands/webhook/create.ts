import { command } from '../../command_line/command.ts';
import { formats, subscriptionsTo } from '../../webhooks/event_types.ts';
import { chosen } from '../../words/choices.ts';

export default command({
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
    format: {
      kind: 'text',
      value: 'FORMAT',
      summary: 'Body format: event, or slack, teams or telegram for a chat notice.',
    },
    waiting: { kind: 'switch', summary: 'Sends only activities that wait for votes.' },
  },
  examples: {
    'webhook create shop --to https://shop.example/hooks': 'Sends every activity there.',
    'webhook create approvers --to https://hooks.slack.com/services/… --format slack --waiting':
      'Notifies a Slack channel of each required approval.',
  },
  run: async ({ arguments: { name }, options, output, service }) => {
    const subscriptions = subscriptionsTo(options.event, options.waiting);
    const bodyFormat =
      options.format === undefined ? undefined : chosen(formats, options.format, '--format');
    const { submit } = await service();
    const result = await submit('create_webhook_endpoint', {
      name,
      ...(options.to === undefined ? {} : { url: options.to }),
      ...(bodyFormat === undefined ? {} : { bodyFormat }),
      subscriptions,
    });
    if (result === undefined) return;
    output.thing(
      { Endpoint: name, ID: result.endpointId },
      { document: result, ids: [result.endpointId] },
    );
  },
});
