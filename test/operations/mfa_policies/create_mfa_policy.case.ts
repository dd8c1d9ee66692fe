import { idOf, neverDemanded, walletsDemanded } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { newMfaPolicy } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_MFA_POLICY',
  subject: 'MFA_POLICY CREATE',
  rule: 'policies',
  calls: [{ parameters: newMfaPolicy }],
  generate: {
    weight: 2.5,
    parameters: (world) => ({
      userId: idOf(world, 'user'),
      mfaPolicyName: `Factors ${world.serial}`,
      condition: world.choice.pick([neverDemanded, walletsDemanded]),
      requiredAuthenticationMethods: [
        { any: [{ type: 'AUTHENTICATION_TYPE_API_KEY' }] },
        { any: [{ type: 'AUTHENTICATION_TYPE_API_KEY' }] },
      ],
      order: world.choice.below(3),
    }),
  },
  effect: ({ intent, result, after }) => ({
    created: { mfa_policy: [result.mfaPolicyId] },
    facts: {
      'it is of the user': after.rows.mfa_policy.get(result.mfaPolicyId)?.userId === intent.userId,
    },
  }),
});
