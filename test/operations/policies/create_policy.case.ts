import { policyOf } from '../../hostile/tenants.ts';
import { changedPolicySet } from '../../simulation/effect_parts.ts';
import { newPolicy } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_POLICY_V3 CREATE_POLICY_V2 CREATE_POLICY',
  subject: 'POLICY CREATE',
  rule: 'policies',
  calls: [{ parameters: () => policyOf(label) }],
  generate: { weight: 1.5, parameters: (world) => newPolicy(world, 0) },
  effect: ({ intent, result: { policyId }, after }) => ({
    ...changedPolicySet(after),
    created: { policy: [policyId], policy_set: 1 },
    facts: {
      ...changedPolicySet(after).facts,
      'it has its name': after.rows.policy.get(policyId)?.name === intent.policyName,
    },
  }),
});
