import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_POLICY',
  subject: 'POLICY DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ policyId }) => ({ policyId }) }],
});
