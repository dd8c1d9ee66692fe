// The conditions under which an ID token registers an account. Many parties see a token. If one of them
// registered the account, the next sign-in of its owner would lead to that party.

import { bindsKey, claimedIdentity, type OidcClaims } from '../../core/auth/oidc_token.ts';
import { usedBefore } from '../../core/auth/verifications.ts';
import { fail } from '../../core/errors/errors.ts';
import type { Deployment } from '../../core/external/external_services.ts';
import type { ProviderParameters } from '../../core/users/oauth_providers.ts';
import type { SubmittedWith } from '../operation.ts';
import type { LoadServices } from '../services.ts';

/** Returns true if the key of the token signed the request, or the deployment does not require that. */
export function namesSubmitterKey(
  claims: OidcClaims,
  { publicKey }: SubmittedWith,
  { acceptsUnboundIdentities }: Deployment,
): boolean {
  return acceptsUnboundIdentities || bindsKey(claims, publicKey);
}

/** Rejects a token that an activity anywhere in the deployment has used. Raises `oidc_token_invalid`. */
export async function requireUnused(
  { tokenId }: OidcClaims,
  { isTokenUsed }: Pick<LoadServices, 'isTokenUsed'>,
): Promise<void> {
  if (await isTokenUsed(tokenId)) fail('oidc_token_invalid', { reason: usedBefore });
}

type RootUser = {
  readonly userEmail?: string;
  readonly userPhoneNumber?: string;
  readonly apiKeys: readonly { readonly publicKey: string }[];
  readonly authenticators: readonly unknown[];
  readonly oauthProviders: readonly ProviderParameters[];
};

/**
 * Returns true if only the token's holder could enter the new organization: its one root user has only
 * accounts, and keys that the token names. Public clients sign up like this, without a signature of the key;
 * another sender of the token would create an organization for its holder only. `contacts` is the state of
 * the contacts: contacts from a stranger are claimed and not looked up. The parent's own user may set an
 * e-mail address unless the token states another. `clientIds` are the applications of the parent: the owner
 * of any other application gets tokens of the same person for keys of its own.
 */
export function opensForHolderAlone(
  claims: OidcClaims,
  [user, ...others]: readonly RootUser[],
  contacts: 'claimed' | 'set' | 'proven',
  clientIds: readonly string[],
): boolean {
  if (user === undefined || others.length > 0) return false;
  const { userEmail, userPhoneNumber, apiKeys, authenticators, oauthProviders } = user;
  const isStated = claims.email?.toLowerCase() === userEmail?.toLowerCase();
  const isOwnEmail =
    userEmail === undefined ||
    (isStated && claims.emailVerified === true) ||
    (contacts === 'set' && (isStated || claims.email === undefined));
  const hasOwnContacts = contacts === 'claimed' || (isOwnEmail && userPhoneNumber === undefined);
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
  // Unverified here, because each token of the request is verified separately.
  const other = oidcToken === undefined ? undefined : claimedIdentity(oidcToken);
  return (
    (other?.issuer ?? oidcClaims?.iss) === issuer && (other?.subject ?? oidcClaims?.sub) === subject
  );
}
