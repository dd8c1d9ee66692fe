// That somebody who signs up has no account yet: with a second one, what they sign in with would lead
// to neither.

import { claimedIdentity } from '../../core/auth/oidc_token.ts';
import { type Verification, verifiedContactIndexes } from '../../core/auth/verifications.ts';
import { credentialIdsIn } from '../../core/auth/webauthn_registration.ts';
import { fail } from '../../core/errors/errors.ts';
import { identityValue } from '../../core/organization/indexes.ts';
import type { ProviderParameters } from '../../core/users/oauth_providers.ts';
import type { ChildIndex, Reader } from '../operation.ts';

/** Whoever signs up, with what will lead to the new organization. */
type Newcomer = {
  readonly apiKeys: readonly { readonly publicKey: string }[];
  readonly authenticators: readonly { readonly attestation: { readonly credentialId: string } }[];
  readonly oauthProviders: readonly ProviderParameters[];
};

/** Each is looked up, and no user could have more. */
const maximumEntries = 50;

/**
 * Refuses a contact that was verified, a key or a passkey that leads to a sub-organization already.
 * Raises `already_exists`, `limit_exceeded`.
 */
export async function requireNewAccount(
  newcomers: readonly Newcomer[],
  verification: Verification | undefined,
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
  const entries = [...contact, ...newcomers.flatMap(entriesOf)];
  const providers = newcomers.flatMap(({ oauthProviders }) => oauthProviders);
  if (entries.length + providers.length > maximumEntries) {
    fail('limit_exceeded', { owner: 'user', resource: 'credentials', limit: maximumEntries });
  }
  const page = { limit: 1, before: undefined, after: undefined };
  for (const { index, value, what } of entries) {
    const [found] = await read.childPage({ index, value }, page);
    if (found !== undefined) refuse(what);
  }
}

/**
 * The same of accounts at identity providers, once their tokens are verified: who only names somebody's
 * account is not told whether it leads anywhere. Raises `already_exists`.
 */
export async function requireNewIdentities(
  newcomers: readonly Pick<Newcomer, 'oauthProviders'>[],
  services: {
    readonly relativesWith: (index: ChildIndex, value: string) => Promise<readonly string[]>;
  },
): Promise<void> {
  const providers = newcomers.flatMap(({ oauthProviders }) => oauthProviders);
  for (const value of providers.flatMap((provider) => identityIn(provider) ?? [])) {
    const found = await services.relativesWith('child_identity', value);
    if (found.length > 0) refuse('this account at an identity provider');
  }
}

function refuse(what: string): never {
  fail('already_exists', { resource: 'account', what: `somebody has signed up with ${what}` });
}

type Entry = { readonly index: ChildIndex; readonly value: string; readonly what: string };

function entriesOf({ apiKeys, authenticators }: Newcomer): readonly Entry[] {
  return [
    ...apiKeys.map(({ publicKey }): Entry => {
      return { index: 'child_public_key', value: publicKey.toLowerCase(), what: 'this public key' };
    }),
    ...authenticators.flatMap(({ attestation: { credentialId } }) =>
      credentialIdsIn(credentialId).map((value): Entry => {
        return { index: 'child_credential_id', value, what: 'this passkey' };
      }),
    ),
  ];
}

function identityIn({ oidcToken, oidcClaims }: ProviderParameters): string | undefined {
  if (oidcToken !== undefined) return identityValue(claimedIdentity(oidcToken));
  if (oidcClaims === undefined) return undefined;
  const { iss: issuer, aud: audience, sub: subject } = oidcClaims;
  return identityValue({ issuer, audience, subject });
}
