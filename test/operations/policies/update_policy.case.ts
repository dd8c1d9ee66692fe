import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_POLICY_V2 UPDATE_POLICY',
  subject: 'POLICY UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ policyId }) => ({ policyId, policyName: label }) }],
});
