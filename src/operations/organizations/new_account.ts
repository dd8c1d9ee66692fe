// Rejects a sign-up whose credentials already belong to an account. Two accounts with one credential would
// make sign-in ambiguous.

import { type Verification, verifiedContactIndexes } from '../../core/auth/verifications.ts';
import { type Registration, registeredPasskey } from '../../core/auth/webauthn/registration.ts';
import type { ApiKeyCurve } from '../../core/base/enums.ts';
import { fail } from '../../core/errors/errors.ts';
import {
  curveOfKeyType,
  identityValue,
  passkeyValue,
  publicKeyValue,
} from '../../core/organization/indexes/indexes.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { apiKeyOfPublicKey, curveOfApiKey } from '../../core/users/api_keys.ts';
import { authenticatorOfCredentialId } from '../../core/users/authenticators.ts';
import {
  type CheckedProvider,
  type ProviderParameters,
  shownIdentities,
} from '../../core/users/oauth_providers.ts';
import type { ChildIndex, Reader } from '../reader.ts';

/** A user who signs up, with the credentials of the new organization. */
type Newcomer = {
  readonly apiKeys: readonly { readonly publicKey: string; readonly curveType: ApiKeyCurve }[];
  readonly authenticators: readonly { readonly attestation: Registration['attestation'] }[];
  readonly oauthProviders: readonly ProviderParameters[];
};

/** Maximum credentials, each of which is looked up. A user cannot have more. */
const maximumCredentials = 50;

/**
 * Rejects a verified contact, a key or a passkey that already leads to a sub-organization. Also rejects a key
 * or a passkey of one of the parent's own users. Raises `already_exists`, `limit_exceeded`.
 */
export async function requireNewAccount(
  newcomers: readonly Newcomer[],
  verification: Verification | undefined,
  parent: OrganizationView,
  read: Pick<Reader, 'childPage'>,
): Promise<void> {
  const contact: Entry[] =
    verification === undefined
      ? []
      : [
          {
            index: verifiedContactIndexes[verification.otpType],
            value: verification.contact,
            what: 'this contact',
          },
        ];
  const count = newcomers.flatMap(credentialsOf).length;
  if (count > maximumCredentials) {
    fail('limit_exceeded', { owner: 'user', resource: 'credentials', limit: maximumCredentials });
  }
  for (const newcomer of newcomers) requireNoneOfParent(newcomer, parent);
  const entries = [...contact, ...newcomers.flatMap(entriesOf)];
  const page = { limit: 1, before: undefined, after: undefined };
  for (const { index, value, what } of entries) {
    const [found] = await read.childPage({ index, value }, page);
    if (found !== undefined) refuse(what);
  }
}

/**
 * Rejects identities that already have an account, after their tokens are verified, since a request may name
 * foreign accounts. Raises `already_exists`.
 */
export async function requireNewIdentities(
  checked: readonly (readonly CheckedProvider[])[],
  services: {
    readonly relativesWith: (index: ChildIndex, value: string) => Promise<readonly string[]>;
  },
): Promise<void> {
  for (const identity of checked.flatMap(shownIdentities)) {
    const found = await services.relativesWith('child_proven_identity', identityValue(identity));
    if (found.length > 0) refuse('this account at an identity provider');
  }
}

/** Rejects credentials that lead to a user of the parent. Any user can register others. */
function requireNoneOfParent({ apiKeys, authenticators }: Newcomer, parent: OrganizationView) {
  for (const { publicKey, curveType } of apiKeys) {
    const found = apiKeyOfPublicKey(parent, publicKey);
    const isSame = found !== undefined && curveOfKeyType(found.type) === curveOfApiKey(curveType);
    if (isSame && found.leads !== undefined) refuse('this public key');
  }
  for (const { attestation } of authenticators) {
    const passkey = registeredPasskey(attestation);
    const found = passkey && authenticatorOfCredentialId(parent, passkey.credentialId);
    const isSame = found !== undefined && found.publicKey === passkey?.publicKey;
    if (isSame && found.leads !== undefined) refuse('this passkey');
  }
}

function refuse(what: string): never {
  fail('already_exists', { resource: 'account', what: `another user has signed up with ${what}` });
}

type Entry = { readonly index: ChildIndex; readonly value: string; readonly what: string };

const credentialsOf = ({ apiKeys, authenticators, oauthProviders }: Newcomer) => [
  ...apiKeys,
  ...authenticators,
  ...oauthProviders,
];

/** Uses only registrations that lead to a child: one without the key must not block its owner. */
function entriesOf({ apiKeys, authenticators }: Newcomer): readonly Entry[] {
  return [
    ...apiKeys.flatMap(({ publicKey, curveType }): Entry[] => {
      const value = publicKeyValue(publicKey, curveOfApiKey(curveType));
      const what = 'this public key';
      return [
        { index: 'child_proven_public_key', value, what },
        { index: 'child_alone_public_key', value, what },
      ];
    }),
    ...authenticators.flatMap(({ attestation }): Entry[] => {
      const passkey = registeredPasskey(attestation);
      const what = 'this passkey';
      return passkey === undefined
        ? []
        : [{ index: 'child_passkey', value: passkeyValue(passkey), what }];
    }),
  ];
}
