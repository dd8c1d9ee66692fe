import { changedPolicySet } from '../../simulation/effect_parts.ts';
import { idsOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_POLICIES',
  subject: 'POLICY DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ policyId }) => ({ policyIds: [policyId] }) }],
  generate: {
    weight: 1,
    parameters: (world) => ({ policyIds: idsOf(world, 'policy', 2) }),
  },
  effect: ({ intent: { policyIds }, after }) => ({
    ...changedPolicySet(after),
    created: { policy_set: 1 },
    deleted: { policy: policyIds },
  }),
});
