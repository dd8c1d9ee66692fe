import {
  answerList,
  answerText,
  label,
  list,
  object,
  optional,
  uuid,
} from '../../core/schema/schema.ts';
import { checkPublicKeysInParts, knownPublicKeys } from '../../core/users/api_keys.ts';
import { createUser } from '../../core/users/users.ts';
import { email, p256ApiKeyList, withP256 } from '../credential_shapes.ts';
import { activity, wireOf } from '../operation.ts';

const usersField = 'parameters.apiOnlyUsers';

export const create_api_only_users = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_API_ONLY_USERS'),
  summary: 'Creates users that sign with API keys, all or none.',
  subject: { resource: 'USER', action: 'CREATE' },
  authority: 'users_and_tags',
  parameters: object({
    apiOnlyUsers: list(
      object({
        userName: label(),
        userEmail: optional(email()),
        userTags: list(uuid()),
        apiKeys: p256ApiKeyList(),
      }),
      { minimum: 1 },
    ),
  }),
  result: object({ userIds: answerList(answerText()) }),

  obtain: async ({ parameters, services: { once, pause } }) => {
    const described = parameters.apiOnlyUsers.map(({ apiKeys, ...user }) => ({
      ...user,
      apiKeys: withP256(apiKeys),
      authenticators: [],
      oauthProviders: [],
    }));
    await once('public keys', () => checkPublicKeysInParts(described, usersField, pause));
    return described;
  },
  apply: ({ organization, obtained, context }) => {
    const situation = {
      allowedOrigins: undefined,
      providers: [],
      publicKeys: knownPublicKeys(organization),
    };
    const userIds = obtained.map((described, i) => {
      const field = `${usersField}.${i}`;
      return createUser(described, organization, context, { ...situation, field }).id;
    });
    return { userIds };
  },
});
