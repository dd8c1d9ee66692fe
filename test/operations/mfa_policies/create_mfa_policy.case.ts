import { activityCase } from '../case.ts';
import { newMfaPolicy } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_MFA_POLICY',
  subject: 'MFA_POLICY CREATE',
  rule: 'policies',
  calls: [{ parameters: newMfaPolicy }],
});
