import { command } from '../../command_line/command.ts';
import { newPolicy } from '../../policies/policy_file.ts';
import { effectOf } from '../../words/effects.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Creates a policy; an error shows the position of a mistake in an expression.',
  reach: 'submits',
  arguments: [{ name: 'name', summary: 'Name of the policy.' }],
  options: {
    effect: option('EFFECT', 'allow or deny. Default: allow.'),
    condition: option('EXPRESSION', 'Condition: the activities that it applies to.'),
    consensus: option('EXPRESSION', 'Consensus: the approvals that it requires.'),
    time: option('EXPRESSION', 'Times at which it is in force. Default: always.'),
    notes: option('TEXT', 'Notes for people.'),
  },
  examples: {
    "policy create 'two approve' --consensus 'approvers.count() >= 2'":
      'Allows everything that two users approve.',
  },
  run: async ({ arguments: { name }, options, output, service }) => {
    const { submit } = await service();
    const { condition = '', consensus = '', time = '', notes = '' } = options;
    const effect = effectOf(options.effect ?? 'allow');
    const policy = { policyName: name, effect, condition, consensus, time, notes };
    const result = await submit('create_policy', newPolicy(policy));
    if (result === undefined) return;
    output.thing(
      { Policy: name, ID: result.policyId },
      { document: result, ids: [result.policyId] },
    );
  },
});
