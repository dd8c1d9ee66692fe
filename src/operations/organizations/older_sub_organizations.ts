// Older activity types of create_sub_organization that clients still send.

import {
  answerList,
  answerText,
  label,
  list,
  object,
  optional,
  type ValueOfSchema,
} from '../../core/schema/schema.ts';
import {
  apiKeyList,
  authenticator,
  authenticatorList,
  p256ApiKeyList,
  phoneNumber,
  tokenProviderList,
  withP256,
} from '../credential_shapes.ts';
import { olderVersion, wireOf } from '../operation.ts';
import { privateKeyList, privateKeyResult, threshold } from '../shapes.ts';
import {
  laterMembers,
  named,
  subOrganizationMembers,
  userTagName,
} from './sub_organization_members.ts';

/** The result of the first and the second version. */
const firstResult = () =>
  object({ subOrganizationId: answerText(), rootUserIds: answerList(answerText()) });

/** Root users of the second to the fourth version: API keys of P-256, and passkeys. */
const firstRootUser = () =>
  object({ ...named(), apiKeys: p256ApiKeyList(), authenticators: authenticatorList() });

type FirstRootUser = ValueOfSchema<ReturnType<typeof firstRootUser>>;

const fromFirst = (rootUsers: readonly FirstRootUser[]) =>
  rootUsers.map((user) => ({ ...user, apiKeys: withP256(user.apiKeys), oauthProviders: [] }));

/** The name of the only root user in the first version, whose requests contain none. */
const firstUserName = 'Root user';

export const olderSubOrganizations = [
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7'),
    parameters: object({
      ...subOrganizationMembers(
        object({
          ...named(),
          userPhoneNumber: optional(phoneNumber()),
          userTag: optional(userTagName()),
          apiKeys: apiKeyList(),
          authenticators: authenticatorList(),
          oauthProviders: tokenProviderList(),
        }),
      ),
      ...laterMembers(),
    }),
    upgrade: (parameters) => ({ ...parameters, takesFirstTokens: true as const }),
  }),
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V6'),
    parameters: object(
      subOrganizationMembers(
        object({
          ...named(),
          apiKeys: apiKeyList(),
          authenticators: authenticatorList(),
          oauthProviders: tokenProviderList(),
        }),
      ),
    ),
    upgrade: (parameters) => parameters,
  }),
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V5'),
    parameters: object(
      subOrganizationMembers(
        object({
          ...named(),
          apiKeys: p256ApiKeyList(),
          authenticators: authenticatorList(),
          oauthProviders: tokenProviderList(),
        }),
      ),
    ),
    upgrade: ({ rootUsers, ...rest }) => ({
      ...rest,
      rootUsers: rootUsers.map((user) => ({ ...user, apiKeys: withP256(user.apiKeys) })),
    }),
  }),
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V4'),
    parameters: object(subOrganizationMembers(firstRootUser())),
    upgrade: ({ rootUsers, ...rest }) => ({ ...rest, rootUsers: fromFirst(rootUsers) }),
  }),
  // The version before wallets, with private keys.
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V3'),
    parameters: object({
      subOrganizationName: label(),
      rootUsers: list(firstRootUser()),
      rootQuorumThreshold: threshold(),
      privateKeys: privateKeyList(),
    }),
    result: object({
      subOrganizationId: answerText(),
      privateKeys: answerList(privateKeyResult()),
      rootUserIds: answerList(answerText()),
    }),
    upgrade: ({ rootUsers, ...rest }) => ({ ...rest, rootUsers: fromFirst(rootUsers) }),
  }),
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V2', ''),
    parameters: object({
      subOrganizationName: label(),
      rootUsers: list(firstRootUser()),
      rootQuorumThreshold: threshold(),
    }),
    result: firstResult(),
    upgrade: ({ rootUsers, ...rest }) => ({ ...rest, rootUsers: fromFirst(rootUsers) }),
  }),
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION'),
    parameters: object({ name: label(), rootAuthenticator: authenticator() }),
    result: firstResult(),
    upgrade: ({ name, rootAuthenticator }) => ({
      subOrganizationName: name,
      rootUsers: [
        {
          userName: firstUserName,
          apiKeys: [],
          authenticators: [rootAuthenticator],
          oauthProviders: [],
        },
      ],
      rootQuorumThreshold: 1,
    }),
  }),
];
