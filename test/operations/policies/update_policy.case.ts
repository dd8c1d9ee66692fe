import { changedPolicySet } from '../../simulation/effect_parts.ts';
import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_POLICY_V2 UPDATE_POLICY',
  subject: 'POLICY UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ policyId }) => ({ policyId, policyName: label }) }],
  generate: {
    weight: 1,
    parameters: (world) => ({
      policyId: idOf(world, 'policy'),
      policyName: `Policy ${world.serial}`,
    }),
  },
  effect: ({ intent: { policyId, policyName }, after }) => {
    const set = changedPolicySet(after);
    const isNamed = after.rows.policy.get(policyId)?.name === policyName;
    return {
      ...set,
      created: { policy_set: 1 },
      updated: { policy: [policyId] },
      facts: { ...set.facts, 'it has its name': isNamed },
    };
  },
});
