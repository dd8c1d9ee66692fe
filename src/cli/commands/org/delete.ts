import { command } from '../../command_line/command.ts';
import { confirm } from '../../output/confirm.ts';
import { flag } from '../../words/options.ts';

export default command({
  summary: 'Deletes the sub-organization of the profile or of --organization, with all its keys.',
  reach: 'destroys',
  options: {
    'without-export': flag('Deletes even if wallets and keys were never exported.'),
  },
  examples: {
    'org delete --organization 01a205ac-48e3-74b0-9a8f-4777ece305a4':
      'Asks for its name, then deletes it.',
  },
  run: async ({ options, output, terminal, common, service }) => {
    const { client, submit } = await service();
    const { organizationName } = await client.query('whoami');
    const warning = `The organization ${organizationName} is lost, with all its users, wallets and keys.`;
    await confirm(terminal, common, { warning, type: organizationName });
    const deleteWithoutExport = options['without-export'];
    const result = await submit('delete_sub_organization', { deleteWithoutExport });
    const id = client.organizationId;
    if (result !== undefined)
      output.thing({ Deleted: organizationName, ID: id }, { document: result, ids: [id] });
  },
});
