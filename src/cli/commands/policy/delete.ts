import { command } from '../../command_line/command.ts';
import { confirm } from '../../output/confirm.ts';
import { findPolicy } from '../../service/find.ts';

export default command({
  summary: 'Deletes a policy.',
  reach: 'destroys',
  arguments: [{ name: 'policy', summary: 'Name or id of the policy.' }],
  examples: { "policy delete 'two approve'": 'Asks for its name, then deletes it.' },
  run: async ({ arguments: { policy: word }, output, terminal, common, service }) => {
    const { client, submit } = await service();
    const { policyId, policyName, effect } = await findPolicy(client, word);
    const loses = effect === 'EFFECT_DENY' ? 'forbids' : 'allows';
    const warning = `What only ${policyName} ${loses} is decided differently from now on.`;
    await confirm(terminal, common, { warning, type: policyName });
    const result = await submit('delete_policy', { policyId });
    if (result === undefined) return;
    output.thing({ Deleted: policyName, ID: policyId }, { document: result, ids: [policyId] });
  },
});
