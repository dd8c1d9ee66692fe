import { policyOf } from '../../hostile/tenants.ts';
import { changedPolicySet } from '../../simulation/effect_parts.ts';
import { newPolicy, upTo } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_POLICIES',
  subject: 'POLICY CREATE',
  rule: 'policies',
  calls: [{ parameters: () => ({ policies: [policyOf(label)] }) }],
  generate: {
    weight: 1,
    parameters: (world) => ({ policies: upTo(2, world, (i) => newPolicy(world, i)) }),
  },
  effect: ({ intent, result: { policyIds }, after }) => ({
    ...changedPolicySet(after),
    created: { policy: policyIds, policy_set: 1 },
    facts: {
      ...changedPolicySet(after).facts,
      'all were made': policyIds.length === intent.policies.length,
    },
  }),
});
