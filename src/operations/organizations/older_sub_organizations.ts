// The older activity types of create_sub_organization that clients still send.

import { object, optional } from '../../core/schema/schema.ts';
import {
  apiKeyList,
  authenticatorList,
  p256ApiKeyList,
  phoneNumber,
  tokenProviderList,
  withP256,
} from '../credential_shapes.ts';
import { olderVersion } from '../operation.ts';
import {
  laterMembers,
  named,
  subOrganizationMembers,
  userTagName,
} from './sub_organization_members.ts';

export const olderSubOrganizations = [
  olderVersion({
    wire: wireOf('V7'),
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
    wire: wireOf('V6'),
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
    wire: wireOf('V5'),
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
    wire: wireOf('V4'),
    parameters: object(
      subOrganizationMembers(
        object({ ...named(), apiKeys: p256ApiKeyList(), authenticators: authenticatorList() }),
      ),
    ),
    upgrade: ({ rootUsers, ...rest }) => ({
      ...rest,
      rootUsers: rootUsers.map((user) => ({
        ...user,
        apiKeys: withP256(user.apiKeys),
        oauthProviders: [],
      })),
    }),
  }),
];

/** These versions are named alike on both sides. */
function wireOf(version: string) {
  return {
    type: `ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_${version}`,
    intent: `createSubOrganizationIntent${version}`,
    result: `createSubOrganizationResult${version}`,
  };
}
