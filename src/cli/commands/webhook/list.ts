import { command } from '../../command_line/command.ts';

export default command({
  summary: 'Lists the webhook endpoints, oldest first.',
  reach: 'reads',
  examples: { 'webhook list': 'Prints names, addresses and events.' },
  run: async ({ output, service }) => {
    const { client } = await service();
    const answer = await client.query('list_webhook_endpoints');
    output.list(
      answer.webhookEndpoints.map(({ name, endpointId, url, isActive, subscriptions = [] }) => ({
        Name: name,
        ID: endpointId,
        URL: url === '' ? '(pulled)' : url,
        Active: isActive ? 'yes' : 'no',
        Events: subscriptions.map(({ eventType }) => eventType).join(' '),
      })),
      {
        document: answer,
        ids: answer.webhookEndpoints.map(({ endpointId }) => endpointId),
        empty: 'No endpoints yet: keywright webhook create NAME --to URL',
      },
    );
  },
});
