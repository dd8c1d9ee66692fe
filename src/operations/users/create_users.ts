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
import { registeringOrigins } from '../authenticators/registering_origins.ts';
import {
  apiKeyList,
  authenticatorList,
  email,
  oauthProviderList,
  phoneNumber,
} from '../credential_shapes.ts';
import { activity } from '../operation.ts';
import { olderUsers } from './older_users.ts';

export const create_users = activity({
  wire: {
    type: 'ACTIVITY_TYPE_CREATE_USERS_V4',
    intent: 'createUsersIntentV4',
    result: 'createUsersResult',
  },
  older: olderUsers,
  summary: 'Makes users with their credentials, all or none.',
  subject: { resource: 'USER', action: 'CREATE' },
  parameters: object({
    users: list(
      object({
        userName: label(),
        userEmail: optional(email()),
        userPhoneNumber: optional(phoneNumber()),
        apiKeys: apiKeyList(),
        authenticators: authenticatorList(),
        oauthProviders: oauthProviderList(),
        userTags: list(uuid()),
      }),
      { minimum: 1 },
    ),
  }),
  result: object({ userIds: answerList(answerText()) }),

  access: policy(),

  load: async ({ organization, services }) => ({
    allowedOrigins: await registeringOrigins(organization, services),
  }),
  apply: ({ organization, parameters, loaded: { allowedOrigins }, context }) => ({
    userIds: parameters.users.map((user, i) => {
      const field = `parameters.users.${i}`;
      return createUser(user, organization, context, { field, allowedOrigins }).id;
    }),
  }),
});
