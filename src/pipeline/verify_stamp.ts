// What a token says of the key that it vouches for: a contact that was verified, or an account at an
// identity provider.

import type { AttestedStamp } from '../core/auth/attested_stamp.ts';
import {
  bindsKey,
  type OidcClaims,
  readOidcToken,
  shownIssuer,
  verifyOidcToken,
} from '../core/auth/oidc_token.ts';
import { issuerKeySet } from '../core/auth/tokens/issued_identity.ts';
import { readVerificationToken } from '../core/auth/tokens/verification_token.ts';
import type { TokenOnce } from '../core/auth/verifications.ts';
import { type OtpType, otpTypes } from '../core/base/enums.ts';
import { fail } from '../core/errors/errors.ts';
import type { Identity } from '../core/users/oauth_providers.ts';
import type { Ports } from './ports.ts';

export type Attestation =
  | {
      readonly kind: 'contact';
      readonly otpType: OtpType;
      readonly contact: string;
      /** The organization that the code was asked for in. */
      readonly organizationId: string;
      /** What is used up by what it stamps. */
      readonly token: TokenOnce;
    }
  | { readonly kind: 'identity'; readonly identity: Identity };

/**
 * Verifies the token of an attested stamp, and that it names the stamp's key. Raises
 * `attestation_invalid`, `oidc_token_invalid`, `oidc_issuer_unavailable`, `oidc_issuer_not_accepted`.
 */
export async function proveAttestation(stamp: AttestedStamp, ports: Ports): Promise<Attestation> {
  if (stamp.scheme === 'STAMP_ATTESTED_SCHEME_P256_OIDC') {
    const claims = await verifyIdToken(stamp.token, ports);
    if (!bindsKey(claims, stamp.publicKeyText)) {
      fail('attestation_invalid', { reason: 'the token was made for another key' });
    }
    const { issuer, audience, subject } = claims;
    return { kind: 'identity', identity: { issuer, audience, subject } };
  }
  const publicKey = ports.serviceKeys.publicKey('verifier');
  const { claims, refusal } = readVerificationToken(stamp.token, { publicKey, now: ports.clock() });
  if (claims === undefined) fail('attestation_invalid', { reason: refusal });
  if (claims.publicKey.toLowerCase() !== stamp.publicKeyText.toLowerCase()) {
    fail('attestation_invalid', { reason: 'the token was made for another key' });
  }
  const otpType = otpTypes.find((type) => type === claims.verificationType);
  if (otpType === undefined) fail('attestation_invalid', { reason: 'unknown verification type' });
  const { contact, organizationId, id, expiresAtMs } = claims;
  return { kind: 'contact', otpType, contact, organizationId, token: { id, expiresAtMs } };
}

/**
 * Verifies an OIDC token by the keys that its issuer publishes; the service knows its own. Raises
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
  // Said once, at the start: a gateway that lies later cannot bring in keys of others.
  if (!isOwn && oidcIssuers !== undefined && !oidcIssuers.includes(issuer)) {
    fail('oidc_issuer_not_accepted', { issuer: shownIssuer(issuer) });
  }
  const keys = isOwn ? issuerKeySet(serviceKeys) : await external.issuerKeys(issuer, keyId);
  return verifyOidcToken({ token, keys, now: clock() });
}
