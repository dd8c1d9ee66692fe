import { command } from '../../command_line/command.ts';

export default command({
  summary: 'Lists the policies of the organization, oldest first.',
  reach: 'reads',
  examples: { 'policy list': 'Prints names, effects and clauses.' },
  run: async ({ output, service }) => {
    const { client } = await service();
    const answer = await client.query('list_policies');
    output.list(
      answer.policies.map(({ policyName, policyId, effect, condition, consensus }) => ({
        Name: policyName,
        Effect: effect.replace('EFFECT_', '').toLowerCase(),
        ID: policyId,
        Condition: condition,
        Consensus: consensus,
      })),
      {
        document: answer,
        ids: answer.policies.map(({ policyId }) => policyId),
        empty: 'No policies: only the root quorum decides.',
      },
    );
  },
});
