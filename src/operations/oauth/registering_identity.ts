// Whose ID token registers an account: of whoever holds the key that its nonce names. A token is read by
// many on its way; registered by another, the next sign-in of its person leads into that other's hands.

import { bindsKey, claimedIdentity, type OidcClaims } from '../../core/auth/oidc_token.ts';
import type { Deployment } from '../../core/external/external_services.ts';
import type { ProviderParameters } from '../../core/users/oauth_providers.ts';
import type { SubmittedWith } from '../operation.ts';

/**
 * Returns true if the request was signed with the key of the token, or the deployment does not ask for
 * that.
 */
export function namesSubmitterKey(
  claims: OidcClaims,
  { publicKey }: SubmittedWith,
  { acceptsUnboundIdentities }: Deployment,
): boolean {
  return acceptsUnboundIdentities || bindsKey(claims, publicKey);
}

type RootUser = {
  readonly userEmail?: string;
  readonly userPhoneNumber?: string;
  readonly apiKeys: readonly { readonly publicKey: string }[];
  readonly authenticators: readonly unknown[];
  readonly oauthProviders: readonly ProviderParameters[];
};

/**
 * Returns true if only the holder of the token could enter what is made: its one root user has no
 * credential but accounts, and keys that the token names. Public clients sign up so, without a
 * signature of the key; whoever else sends the token makes an organization for its person alone.
 * `isClaimed`: contacts of the request lead nowhere. `clientIds` are the applications of the parent:
 * the owner of any other gets tokens of the same person for keys of its own.
 */
export function opensForHolderAlone(
  claims: OidcClaims,
  [user, ...others]: readonly RootUser[],
  isClaimed: boolean,
  clientIds: readonly string[],
): boolean {
  if (user === undefined || others.length > 0) return false;
  const { userEmail, userPhoneNumber, apiKeys, authenticators, oauthProviders } = user;
  const isOwnEmail =
    userEmail === undefined ||
    (claims.emailVerified === true && claims.email?.toLowerCase() === userEmail.toLowerCase());
  const hasOwnContacts = isClaimed || (isOwnEmail && userPhoneNumber === undefined);
  const hasOwnKeys = apiKeys.every(({ publicKey }) => bindsKey(claims, publicKey));
  const isOnePerson = oauthProviders.every((provider) => isPersonOf(claims, provider));
  const areOwnApps = oauthProviders.every(
    ({ oidcClaims }) => oidcClaims === undefined || clientIds.includes(oidcClaims.aud),
  );
  return hasOwnContacts && hasOwnKeys && isOnePerson && areOwnApps && authenticators.length === 0;
}

function isPersonOf(
  { issuer, subject }: OidcClaims,
  { oidcToken, oidcClaims }: ProviderParameters,
): boolean {
  // Unverified here: each token of the request is verified by itself.
  const other = oidcToken === undefined ? undefined : claimedIdentity(oidcToken);
  return (
    (other?.issuer ?? oidcClaims?.iss) === issuer && (other?.subject ?? oidcClaims?.sub) === subject
  );
}
