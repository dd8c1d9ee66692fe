// Stamps by keys that a token attests, for tests: the tokens are signed with the service's own key, like
// after a right one-time code, or by an issuer of ID tokens.

import { createHash } from 'node:crypto';
import {
  type VerificationClaims,
  writeVerificationToken,
} from '../../src/core/auth/tokens/verification_token.ts';
import { base64url, hex, utf8 } from '../../src/core/base/bytes.ts';
import type { Json } from '../../src/core/schema/json.ts';
import { issue, tokenKeys } from '../core/auth/token_issuer.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import { testServiceKeys } from '../operations/sessions/session_requests.ts';
import type { TestKey, TestService } from '../support/harness.ts';
import { signP256 } from '../support/p256.ts';

export type Attestation = { readonly token: string; readonly scheme: string };

const keys = testServiceKeys();
const tokenLifeMs = 3_600_000;
export const issuer = 'https://issuer.test';

let serial = 0;

/** Attests that a contact was verified, like the service itself. */
export function attestedContact(
  service: TestService,
  { publicKey }: TestKey,
  contact: string,
  changes: Partial<VerificationClaims> = {},
): Attestation {
  serial += 1;
  const claims = {
    id: `token ${serial}`,
    expiresAtMs: service.now() + tokenLifeMs,
    organizationId: service.root.organizationId,
    verificationType: contact.includes('@') ? 'OTP_TYPE_EMAIL' : 'OTP_TYPE_SMS',
    contact,
    publicKey,
    ...changes,
  };
  return {
    token: writeVerificationToken(claims, keys),
    scheme: 'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN',
  };
}

/** Attests that a user signed in at the test issuer, and publishes the issuer's keys. */
export function attestedIdentity(
  service: TestService,
  { publicKey }: TestKey,
  subject: string,
  changes: { readonly [claim: string]: Json } = {},
): Attestation {
  const published = Object.values(tokenKeys).map(({ jwk }) => jwk);
  service.outside.issuers.set(issuer, { keys: published });
  const seconds = Math.floor(service.now() / 1000);
  const claims = {
    iss: issuer,
    aud: 'client',
    sub: subject,
    iat: seconds,
    exp: seconds + 600,
    nonce: createHash('sha256').update(publicKey).digest('hex'),
    ...changes,
  };
  return { token: issue(claims), scheme: 'STAMP_ATTESTED_SCHEME_P256_OIDC' };
}

/** Adds an account at the test issuer to a user. */
export const addProvider = (
  service: TestService,
  userId: string,
  subject: string,
  organizationId?: string,
) =>
  changeOrganization(
    service,
    (draft, newId) => {
      draft.put('oauth_provider', {
        leads: 'proven',
        id: newId(),
        userId,
        name: 'Provider',
        issuer,
        audience: 'client',
        subject,
        createdAtMs: service.now(),
        updatedAtMs: service.now(),
      });
      return undefined;
    },
    organizationId,
  );

/** Returns the X-Stamp-Attested header of a body; `members` replace or add members. */
export function attestedStamp(
  body: Uint8Array,
  key: TestKey,
  { token, scheme }: Attestation,
  members: object = {},
): { name: string; value: string } {
  const stamp = {
    publicKeyAttestation: token,
    scheme,
    publicKey: key.publicKey,
    signature: hex(signP256(body, key.privateKey)),
    ...members,
  };
  return { name: 'x-stamp-attested', value: base64url(utf8(JSON.stringify(stamp))) };
}
