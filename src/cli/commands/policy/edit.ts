import { command } from '../../command_line/command.ts';
import { findPolicy } from '../../service/find.ts';
import { effectOf } from '../../words/effects.ts';
import { usage } from '../../words/failures.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Updates a policy; members that are not named stay.',
  reach: 'submits',
  arguments: [{ name: 'policy', summary: 'Name or id of the policy.' }],
  options: {
    name: option('NAME', 'Its new name.'),
    effect: option('EFFECT', 'allow or deny.'),
    condition: option('EXPRESSION', 'Condition: the activities that it applies to.'),
    consensus: option('EXPRESSION', 'Consensus: the approvals that it requires.'),
    time: option('EXPRESSION', 'Times at which it is in force. Empty: always.'),
    notes: option('TEXT', 'Notes for people.'),
  },
  examples: {
    "policy edit 'two approve' --consensus 'approvers.count() >= 3'":
      'Requires three approvals from now on.',
  },
  run: async ({ arguments: { policy: word }, options, output, service }) => {
    const { name, effect, condition, consensus, time, notes } = options;
    if (Object.values(options).every((value) => value === undefined)) {
      throw usage('policy edit requires a change, such as --condition');
    }
    const { client, submit } = await service();
    const { policyId, policyName } = await findPolicy(client, word);
    const result = await submit('update_policy', {
      policyId,
      ...(name === undefined ? {} : { policyName: name }),
      ...(effect === undefined ? {} : { policyEffect: effectOf(effect) }),
      ...(condition === undefined ? {} : { policyCondition: condition }),
      ...(consensus === undefined ? {} : { policyConsensus: consensus }),
      ...(time === undefined ? {} : { time }),
      ...(notes === undefined ? {} : { policyNotes: notes }),
    });
    if (result === undefined) return;
    output.thing(
      { Policy: name ?? policyName, ID: policyId },
      { document: result, ids: [policyId] },
    );
  },
});
