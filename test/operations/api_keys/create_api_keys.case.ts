import { activityCase } from '../case.ts';
import { newApiKey } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_API_KEYS_V2 CREATE_API_KEYS',
  subject: 'CREDENTIAL CREATE',
  rule: 'policies or oneself',
  calls: [{ parameters: ({ userId }) => ({ userId, apiKeys: [newApiKey('another key')] }) }],
});
