import { policy } from '../../core/policy/access.ts';
import {
  answerList,
  answerText,
  label,
  list,
  object,
  optional,
  uuid,
} from '../../core/schema/schema.ts';
import { createUser } from '../../core/users.ts';
import {
  apiKeyList,
  authenticatorList,
  email,
  oauthProviderList,
  p256ApiKeyList,
  phoneNumber,
  tokenProviderList,
  withP256,
} from '../credential_shapes.ts';
import { activity, olderVersion } from '../operation.ts';

const named = { userName: label(), userEmail: optional(email()), userTags: list(uuid()) };

export const create_users = activity({
  wire: {
    type: 'ACTIVITY_TYPE_CREATE_USERS_V4',
    intent: 'createUsersIntentV4',
    result: 'createUsersResult',
  },
  older: [
    olderVersion({
      wire: {
        type: 'ACTIVITY_TYPE_CREATE_USERS_V3',
        intent: 'createUsersIntentV3',
        result: 'createUsersResult',
      },
      parameters: object({
        users: list(
          object({
            ...named,
            userPhoneNumber: optional(phoneNumber()),
            apiKeys: apiKeyList(),
            authenticators: authenticatorList(),
            oauthProviders: tokenProviderList(),
          }),
        ),
      }),
      upgrade: (parameters) => parameters,
    }),
    olderVersion({
      wire: {
        type: 'ACTIVITY_TYPE_CREATE_USERS_V2',
        intent: 'createUsersIntentV2',
        result: 'createUsersResult',
      },
      parameters: object({
        users: list(
          object({ ...named, apiKeys: p256ApiKeyList(), authenticators: authenticatorList() }),
        ),
      }),
      upgrade: ({ users }) => ({
        users: users.map((user) => ({
          ...user,
          apiKeys: withP256(user.apiKeys),
          oauthProviders: [],
        })),
      }),
    }),
  ],
  summary: 'Makes users with their credentials.',
  subject: { resource: 'USER', action: 'CREATE' },
  parameters: object({
    users: list(
      object({
        ...named,
        userPhoneNumber: optional(phoneNumber()),
        apiKeys: apiKeyList(),
        authenticators: authenticatorList(),
        oauthProviders: oauthProviderList(),
      }),
      { minimum: 1 },
    ),
  }),
  result: object({ userIds: answerList(answerText()) }),

  access: policy(),

  apply: ({ organization, parameters, context }) => ({
    userIds: parameters.users.map(
      (user, i) => createUser(user, organization, context, `parameters.users.${i}`).id,
    ),
  }),
});
