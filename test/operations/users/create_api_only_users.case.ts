import { activityCase } from '../case.ts';
import { label, newApiKey } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_API_ONLY_USERS',
  subject: 'USER CREATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ userTagId }) => ({
        apiOnlyUsers: [
          {
            userName: label,
            apiKeys: [{ apiKeyName: label, publicKey: newApiKey('API-only user').publicKey }],
            userTags: [userTagId],
          },
        ],
      }),
    },
  ],
});
