import { command } from '../../command_line/command.ts';
import { newPolicy } from '../../policies/policy_file.ts';
import { effectOf } from '../../words/effects.ts';

export default command({
  summary: 'Creates a policy; a slip in an expression is refused with its place.',
  reach: 'submits',
  arguments: [{ name: 'name', summary: 'Name of the policy.' }],
  options: {
    effect: { kind: 'text', value: 'EFFECT', summary: 'allow or deny; allow if absent.' },
    condition: { kind: 'text', value: 'EXPRESSION', summary: 'Which activities it is about.' },
    consensus: { kind: 'text', value: 'EXPRESSION', summary: 'Whose approval it requires.' },
    time: { kind: 'text', value: 'EXPRESSION', summary: 'When it is in force.' },
    notes: { kind: 'text', value: 'TEXT', summary: 'Notes for people.' },
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
