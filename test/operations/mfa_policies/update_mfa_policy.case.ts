import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_MFA_POLICY',
  subject: 'MFA_POLICY UPDATE',
  rule: 'policies',
  calls: [
    { parameters: ({ userId, mfaPolicyId }) => ({ userId, mfaPolicyId, mfaPolicyName: label }) },
  ],
});
