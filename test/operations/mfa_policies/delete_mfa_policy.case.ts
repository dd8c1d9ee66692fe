import { mfaPolicyIds } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_MFA_POLICY',
  subject: 'MFA_POLICY DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ userId, mfaPolicyId }) => ({ userId, mfaPolicyId }) }],
  generate: { weight: 2, parameters: mfaPolicyIds },
  effect: ({ intent }) => ({ deleted: { mfa_policy: [intent.mfaPolicyId] } }),
});
