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
import {
  bringsTokens,
  checkProviders,
  readProviders,
  useTokens,
} from '../../core/users/oauth_providers.ts';
import { createUser } from '../../core/users/users.ts';
import { registeringOrigins } from '../authenticators/registering_origins.ts';
import {
  apiKeyList,
  authenticatorList,
  email,
  oauthProviderList,
  phoneNumber,
} from '../credential_shapes.ts';
import { namesSubmitterKey } from '../oauth/registering_identity.ts';
import { providersOfNewUsers } from '../openapi/described_providers.ts';
import { activity, wireOf } from '../operation.ts';
import { olderUsers } from './older_users.ts';

const usersField = 'parameters.users';

export const create_users = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_USERS_V4', ''),
  older: olderUsers,
  summary: 'Creates users with their credentials, all or none.',
  subject: { resource: 'USER', action: 'CREATE' },
  authority: 'users_and_tags',
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

  callsExternal: ({ users }) => bringsTokens(providersOfNewUsers(users, usersField)),

  load: async ({ organization, parameters: { users }, services }) => {
    const described = providersOfNewUsers(users, usersField);
    readProviders(described, organization);
    return { described, allowedOrigins: await registeringOrigins(organization, services) };
  },
  obtain: async ({ parameters, loaded: { described }, submittedWith, services }) => {
    const { once, pause } = services;
    await once('public keys', () => checkPublicKeysInParts(parameters.users, usersField, pause));
    return checkProviders(described, services.verifyIdToken, async (claims) =>
      namesSubmitterKey(claims, submittedWith, services.deployment) ? 'bound' : undefined,
    );
  },
  apply: ({ organization, parameters, loaded: { allowedOrigins }, obtained, context }) => {
    const publicKeys = knownPublicKeys(organization);
    const userIds = parameters.users.map((user, i) => {
      const situation = { allowedOrigins, publicKeys, providers: obtained[i] ?? [] };
      const field = `${usersField}.${i}`;
      return createUser(user, organization, context, { ...situation, field }).id;
    });
    useTokens(obtained.flat(), organization);
    return { userIds };
  },
});
