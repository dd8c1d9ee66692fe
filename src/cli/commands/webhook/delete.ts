import { command } from '../../command_line/command.ts';
import { confirm } from '../../output/confirm.ts';
import { findEndpoint } from '../../service/find.ts';

export default command({
  summary: 'Deletes an endpoint; events that were not delivered are dropped.',
  reach: 'destroys',
  arguments: [{ name: 'endpoint', summary: 'Name or id of the endpoint.' }],
  examples: { 'webhook delete shop': 'Asks for its name, then deletes it.' },
  run: async ({ arguments: { endpoint: word }, output, terminal, common, service }) => {
    const { client, submit } = await service();
    const { endpointId, name } = await findEndpoint(client, word);
    const warning = `Events that ${name} did not get yet are lost.`;
    await confirm(terminal, common, { warning, type: name });
    const result = await submit('delete_webhook_endpoint', { endpointId });
    if (result !== undefined)
      output.thing({ Deleted: name, ID: endpointId }, { document: result, ids: [endpointId] });
  },
});
