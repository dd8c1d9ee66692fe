import { policy } from '../../core/policy/decision/access.ts';
import {
  answerList,
  answerText,
  label,
  list,
  object,
  optional,
  uuid,
} from '../../core/schema/schema.ts';
import { createUser } from '../../core/users/users.ts';
import { email, p256ApiKeyList, withP256 } from '../credential_shapes.ts';
import { activity } from '../operation.ts';

export const create_api_only_users = activity({
  wire: {
    type: 'ACTIVITY_TYPE_CREATE_API_ONLY_USERS',
    intent: 'createApiOnlyUsersIntent',
    result: 'createApiOnlyUsersResult',
  },
  summary: 'Creates users that sign with API keys, all or none.',
  subject: { resource: 'USER', action: 'CREATE' },
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

  access: policy(),

  apply: ({ organization, parameters, context }) => ({
    userIds: parameters.apiOnlyUsers.map(({ apiKeys, ...user }, i) => {
      const described = {
        ...user,
        apiKeys: withP256(apiKeys),
        authenticators: [],
        oauthProviders: [],
      };
      const field = `parameters.apiOnlyUsers.${i}`;
      const situation = { field, allowedOrigins: undefined, providers: [] };
      return createUser(described, organization, context, situation).id;
    }),
  }),
});
