import { command } from '../../../command_line/command.ts';
import { confirm } from '../../../output/confirm.ts';
import { holderNamed, organizationKeyOf } from '../../../service/organization_key.ts';

export default command({
  summary: 'Removes a holder, except the last one. The organization must be unsealed.',
  reach: 'destroys',
  arguments: [{ name: 'holder', summary: 'Name or id of the holder.' }],
  examples: {
    'org holder remove deputy': 'Asks for the name, then removes the holder.',
  },
  run: async ({ arguments: { holder: word }, output, terminal, common, service }) => {
    const { client, submit } = await service();
    const { holderId, holderName } = holderNamed(await organizationKeyOf(client), word);
    const warning = `${holderName} can no longer unseal the organization.`;
    await confirm(terminal, common, { warning, type: holderName });
    const result = await submit('delete_key_holder', { holderId });
    if (result === undefined) return;
    output.thing({ Removed: holderName, ID: holderId }, { document: result, ids: [holderId] });
  },
});
