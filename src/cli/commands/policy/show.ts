import { command } from '../../command_line/command.ts';
import { findPolicy } from '../../service/find.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary: 'Shows a policy, and the warnings about it.',
  reach: 'reads',
  arguments: [{ name: 'policy', summary: 'Name or id of the policy.' }],
  examples: { "policy show 'two approve'": 'Prints its clauses and warnings.' },
  run: async ({ arguments: { policy: word }, output, service }) => {
    const { client } = await service();
    const policy = await findPolicy(client, word);
    const { warnings } = await client.query('get_policy_warnings');
    const own = warnings.filter(({ policyId }) => policyId === policy.policyId);
    output.thing(
      {
        Policy: policy.policyName,
        ID: policy.policyId,
        Effect: policy.effect.replace('EFFECT_', '').toLowerCase(),
        Condition: policy.condition,
        Consensus: policy.consensus,
        Time: policy.time,
        Notes: policy.notes,
        Changed: timeText(policy.updatedAt),
        ...Object.fromEntries(own.map(({ message }, place) => [`Warning ${place + 1}`, message])),
      },
      { document: { policy, warnings: own }, ids: [policy.policyId] },
    );
  },
});
