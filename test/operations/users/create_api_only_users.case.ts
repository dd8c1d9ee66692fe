import { countKeys, hasUsers } from '../../simulation/effect_parts.ts';
import { newApiOnlyUser, upTo } from '../../simulation/request_parts.ts';
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
  generate: {
    weight: 0.5,
    parameters: (world) => ({
      apiOnlyUsers: upTo(2, world, (i) => newApiOnlyUser(world, i)),
    }),
  },
  effect: ({ intent: { apiOnlyUsers }, result, after }) => ({
    created: { user: result.userIds, api_key: countKeys(apiOnlyUsers) },
    facts: { 'the users have their keys': hasUsers(after, result.userIds, apiOnlyUsers) },
  }),
});
