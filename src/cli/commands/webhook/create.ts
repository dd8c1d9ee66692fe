import { command } from '../../command_line/command.ts';
import { formats, subscriptionsTo } from '../../webhooks/event_types.ts';
import { chosen } from '../../words/choices.ts';
import { flag, option, repeatable } from '../../words/options.ts';

export default command({
  summary: 'Creates an endpoint that receives events; without --to, clients fetch them.',
  reach: 'submits',
  arguments: [{ name: 'name', summary: 'Name of the endpoint.' }],
  options: {
    to: option('URL', 'Address that events are sent to.'),
    event: repeatable('TYPE', 'Kind of event. Default: ACTIVITY_UPDATES.'),
    format: option('FORMAT', 'Body format: event, or slack, teams or telegram for a chat notice.'),
    waiting: flag('Sends only activities that wait for votes.'),
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
