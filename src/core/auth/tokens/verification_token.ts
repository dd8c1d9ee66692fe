// The token for a correct one-time code, which states that its holder owns a contact.

import type { ServiceKeys } from '../../crypto/service_keys.ts';
import {
  isText,
  readJwt,
  type TokenKind,
  type TokenReading,
  tokenRefusals,
  writeJwt,
} from './jwt.ts';

export type VerificationClaims = {
  /** The ID that is stored when the token is used. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
  /** Organization that requested the code. */
  readonly organizationId: string;
  /** `OTP_TYPE_EMAIL`, `OTP_TYPE_SMS`. */
  readonly verificationType: string;
  /** The e-mail address or phone number. */
  readonly contact: string;
  /** Key that must sign together with the token: compressed, hex, as sent. */
  readonly publicKey: string;
};

/** Claims of the first version, which need no key. */
export type LegacyVerificationClaims = {
  readonly id: string;
  /** Seconds since 1970. */
  readonly expiresAtSeconds: number;
  readonly verificationType: string;
  readonly contact: string;
  /** Present in the current version; the service writes it into each token. */
  readonly organizationId?: string;
  /** Present in the current version if the request named a key. */
  readonly publicKey?: string;
};

type ReadAt = {
  /** Public key of the role that signs such tokens: 33 or 65 bytes. */
  readonly publicKey: Uint8Array;
  /** Milliseconds since 1970. */
  readonly now: number;
};

const kind: TokenKind = {
  role: 'verifier',
  header: '{"typ":"JWT","alg":"ES256"}',
  hashes: 1,
};

const legacyKind: TokenKind = {
  role: 'legacy_verifier',
  header: '{"alg":"ES256","typ":"JWT"}',
  hashes: 1,
};

/** Returns a verification token (JWT). All its claims are texts. */
export function writeVerificationToken(
  claims: VerificationClaims,
  keys: Pick<ServiceKeys, 'sign'>,
): string {
  return writeJwt(
    kind,
    {
      exp: String(claims.expiresAtMs),
      id: claims.id,
      organization_id: claims.organizationId,
      verification_type: claims.verificationType,
      contact: claims.contact,
      public_key: claims.publicKey,
    },
    keys,
  );
}

/** Reads a verification token by the key of the role `verifier`. */
export function readVerificationToken(
  token: string,
  { publicKey, now }: ReadAt,
): TokenReading<VerificationClaims> {
  const { claims, refusal } = readJwt(token, kind, publicKey);
  if (claims === undefined) return { refusal };
  const { exp, id, organization_id, verification_type, contact, public_key } = claims;
  const isComplete =
    isText(exp) &&
    isText(id) &&
    isText(organization_id) &&
    isText(verification_type) &&
    isText(contact) &&
    isText(public_key) &&
    /^[0-9]{1,15}$/.test(exp);
  if (!isComplete) return { refusal: tokenRefusals.claims };
  const expiresAtMs = Number(exp);
  if (expiresAtMs <= now) return { refusal: tokenRefusals.expired };
  return {
    claims: {
      id,
      expiresAtMs,
      organizationId: organization_id,
      verificationType: verification_type,
      contact,
      publicKey: public_key,
    },
  };
}

/** Returns a verification token of the first version. */
export function writeLegacyVerificationToken(
  claims: LegacyVerificationClaims,
  keys: Pick<ServiceKeys, 'sign'>,
): string {
  return writeJwt(
    legacyKind,
    {
      contact: claims.contact,
      exp: claims.expiresAtSeconds,
      id: claims.id,
      verification_type: claims.verificationType,
      ...(claims.organizationId === undefined ? {} : { organization_id: claims.organizationId }),
      ...(claims.publicKey === undefined ? {} : { public_key: claims.publicKey }),
    },
    keys,
  );
}

/** Reads a verification token of the first version by the key of the role `legacy_verifier`. */
export function readLegacyVerificationToken(
  token: string,
  { publicKey, now }: ReadAt,
): TokenReading<LegacyVerificationClaims> {
  const { claims, refusal } = readJwt(token, legacyKind, publicKey);
  if (claims === undefined) return { refusal };
  const { contact, exp, id, verification_type, organization_id, public_key } = claims;
  const isComplete =
    isText(contact) &&
    typeof exp === 'number' &&
    Number.isSafeInteger(exp) &&
    isText(id) &&
    isText(verification_type) &&
    (organization_id === undefined || isText(organization_id)) &&
    (public_key === undefined || isText(public_key));
  if (!isComplete) return { refusal: tokenRefusals.claims };
  if (exp * 1000 <= now) return { refusal: tokenRefusals.expired };
  return {
    claims: {
      id,
      expiresAtSeconds: exp,
      verificationType: verification_type,
      contact,
      ...(organization_id === undefined ? {} : { organizationId: organization_id }),
      ...(public_key === undefined ? {} : { publicKey: public_key }),
    },
  };
}
