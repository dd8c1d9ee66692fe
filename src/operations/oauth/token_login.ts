// The rules of a login with an OIDC token.

import { bindsKey, claimedIdentity, type OidcClaims } from '../../core/auth/oidc_token.ts';
import { fail } from '../../core/errors/errors.ts';
import { identityValue } from '../../core/organization/indexes/indexes.ts';
import type { User } from '../../core/organization/model.ts';
import type { OrganizationDraft } from '../../core/organization/state.ts';
import { providerOfIdentity } from '../../core/users/oauth_providers.ts';
import { markCredentialVerified } from '../../core/users/sign_in_links.ts';
import type { ChildEntry } from '../reader.ts';

/** Returns the lookup for the child of a token's account. Raises `oidc_token_invalid`. */
export function childEntryOf({ oidcToken }: { readonly oidcToken: string }): ChildEntry {
  return { index: 'child_identity', value: identityValue(claimedIdentity(oidcToken)) };
}

/**
 * Verifies a token, and that it was issued for this key, so that other readers cannot use it. Raises the
 * errors of invalid tokens.
 */
export async function verifyTokenFor(
  oidcToken: string,
  key: { readonly text: string; readonly name: string },
  verifyIdToken: (token: string) => Promise<OidcClaims>,
): Promise<OidcClaims> {
  const claims = await verifyIdToken(oidcToken);
  if (!bindsKey(claims, key.text)) {
    const reason = `\`nonce\`: expected the SHA-256 of the text of \`${key.name}\`, in hex`;
    fail('oidc_token_invalid', { reason });
  }
  return claims;
}

/**
 * Returns the user with the account, and marks the account as proven and the token as used. Raises
 * `oidc_token_invalid`.
 */
export function userOfIdentity(claims: OidcClaims, organization: OrganizationDraft): User {
  const provider = providerOfIdentity(organization, claims);
  const user = provider && organization.get('user', provider.userId);
  if (provider !== undefined && user !== undefined) {
    markCredentialVerified(provider.id, organization);
    organization.use(claims.tokenId);
    return user;
  }
  const reason = `no user of organization ${organization.id} has an OAuth provider with its \`iss\`, \`aud\` and \`sub\``;
  return fail('oidc_token_invalid', { reason });
}
