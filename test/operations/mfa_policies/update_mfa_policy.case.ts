import { mfaPolicyIds } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_MFA_POLICY',
  subject: 'MFA_POLICY UPDATE',
  rule: 'policies',
  calls: [
    { parameters: ({ userId, mfaPolicyId }) => ({ userId, mfaPolicyId, mfaPolicyName: label }) },
  ],
  generate: {
    weight: 2.5,
    parameters: (world) => ({
      ...mfaPolicyIds(world),
      mfaPolicyName: `Factors ${world.serial}`,
      ...(world.choice.chance(0.5) ? { order: world.choice.below(3) } : {}),
    }),
  },
  effect: ({ intent: { mfaPolicyId, mfaPolicyName }, after }) => ({
    updated: { mfa_policy: [mfaPolicyId] },
    facts: { 'it has its name': after.rows.mfa_policy.get(mfaPolicyId)?.name === mfaPolicyName },
  }),
});
