import { type OidcClaims, readOidcToken, verifyOidcToken } from '../core/auth/oidc_token.ts';
import { shownIssuer } from '../core/auth/shown_issuer.ts';
import { issuerKeySet } from '../core/auth/tokens/issued_identity.ts';
import { fail } from '../core/errors/errors.ts';
import type { Ports } from './ports.ts';

/**
 * Verifies an OIDC token with the published keys of its issuer, or with the service's own keys. Raises
 * `oidc_token_invalid`, `oidc_issuer_unavailable`, `oidc_issuer_not_accepted`.
 */
export async function verifyIdToken(
  token: string,
  {
    external,
    deployment,
    serviceKeys,
    clock,
  }: Pick<Ports, 'external' | 'deployment' | 'serviceKeys' | 'clock'>,
): Promise<OidcClaims> {
  const { issuer, keyId } = readOidcToken(token);
  const { publicUrl, oidcIssuers } = deployment;
  const isOwn = issuer === publicUrl;
  // The list is fixed at the start, so a compromised gateway cannot add keys of other issuers.
  if (!isOwn && oidcIssuers !== undefined && !oidcIssuers.includes(issuer)) {
    fail('oidc_issuer_not_accepted', { issuer: shownIssuer(issuer) });
  }
  const keys = isOwn ? issuerKeySet(serviceKeys) : await external.issuerKeys(issuer, keyId);
  return verifyOidcToken({ token, keys, now: clock() });
}
