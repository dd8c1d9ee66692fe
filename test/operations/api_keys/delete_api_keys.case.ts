import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_API_KEYS',
  subject: 'CREDENTIAL DELETE',
  rule: 'policies or oneself',
  calls: [{ parameters: ({ userId, apiKeyId }) => ({ userId, apiKeyIds: [apiKeyId] }) }],
});
