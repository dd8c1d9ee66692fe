// The older activity types of create_users.

import { accessTypes } from '../../core/base/enums.ts';
import { label, list, object, oneOf, optional, uuid } from '../../core/schema/schema.ts';
import {
  apiKeyList,
  authenticatorList,
  browserAuthenticatorList,
  email,
  fromBrowser,
  p256ApiKeyList,
  phoneNumber,
  tokenProviderList,
  withP256,
} from '../credential_shapes.ts';
import { olderVersion, wireOf } from '../operation.ts';

const named = { userName: label(), userEmail: optional(email()), userTags: list(uuid()) };

/** With OAuth providers by token only. */
const third = olderVersion({
  wire: wireOf('ACTIVITY_TYPE_CREATE_USERS_V3', ''),
  parameters: object({
    users: list(
      object({
        ...named,
        userPhoneNumber: optional(phoneNumber()),
        apiKeys: apiKeyList(),
        authenticators: authenticatorList(),
        oauthProviders: tokenProviderList(),
      }),
      { minimum: 1 },
    ),
  }),
  upgrade: (parameters) => parameters,
});

/** Without phone numbers and OAuth providers, and with API keys of P-256 only. */
const second = olderVersion({
  wire: wireOf('ACTIVITY_TYPE_CREATE_USERS_V2', ''),
  parameters: object({
    users: list(
      object({ ...named, apiKeys: p256ApiKeyList(), authenticators: authenticatorList() }),
      { minimum: 1 },
    ),
  }),
  upgrade: ({ users }) => ({
    users: users.map((user) => ({ ...user, apiKeys: withP256(user.apiKeys), oauthProviders: [] })),
  }),
});

/**
 * With passkeys in the form of browsers. `accessType` is dropped: later versions lack it, and a user's logins
 * follow from the credentials.
 */
const first = olderVersion({
  wire: wireOf('ACTIVITY_TYPE_CREATE_USERS'),
  parameters: object({
    users: list(
      object({
        ...named,
        accessType: oneOf(accessTypes),
        apiKeys: p256ApiKeyList(),
        authenticators: browserAuthenticatorList(),
      }),
      { minimum: 1 },
    ),
  }),
  upgrade: ({ users }) => ({
    users: users.map(({ accessType: _, ...user }) => ({
      ...user,
      apiKeys: withP256(user.apiKeys),
      authenticators: fromBrowser(user.authenticators),
      oauthProviders: [],
    })),
  }),
});

export const olderUsers = [third, second, first];
