import {
  countAccounts,
  countKeys,
  countPasskeys,
  hasUsers,
} from '../../simulation/effect_parts.ts';
import { newUser, upTo, userTagIds } from '../../simulation/request_parts.ts';
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
  generate: {
    weight: 3,
    parameters: (world) => ({
      users: upTo(2, world, (i) => ({
        ...newUser(world, i),
        userTags: world.choice.chance(0.2) ? userTagIds(world) : [],
      })),
    }),
  },
  effect: ({ intent, result, after }) => ({
    created: {
      user: result.userIds,
      api_key: countKeys(intent.users),
      authenticator: countPasskeys(intent.users),
      oauth_provider: countAccounts(intent.users),
    },
    facts: { 'the users have their keys': hasUsers(after, result.userIds, intent.users) },
  }),
});
