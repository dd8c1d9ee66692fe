import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_POLICIES',
  subject: 'POLICY DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ policyId }) => ({ policyIds: [policyId] }) }],
});
