import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_MFA_POLICY',
  subject: 'MFA_POLICY DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ userId, mfaPolicyId }) => ({ userId, mfaPolicyId }) }],
});
