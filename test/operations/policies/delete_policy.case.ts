import { changedPolicySet } from '../../simulation/effect_parts.ts';
import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_POLICY',
  subject: 'POLICY DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ policyId }) => ({ policyId }) }],
  generate: {
    weight: 1,
    parameters: (world) => ({ policyId: idOf(world, 'policy') }),
  },
  effect: ({ intent: { policyId }, after }) => ({
    ...changedPolicySet(after),
    created: { policy_set: 1 },
    deleted: { policy: [policyId] },
  }),
});
