import { activityCase } from '../case.ts';
import { label, newApiKey } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_USERS_V4 CREATE_USERS_V3 CREATE_USERS_V2 CREATE_USERS',
  subject: 'USER CREATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ userTagId }) => ({
        users: [
          {
            userName: label,
            apiKeys: [newApiKey('new user')],
            authenticators: [],
            oauthProviders: [],
            userTags: [userTagId],
          },
        ],
      }),
    },
  ],
});
