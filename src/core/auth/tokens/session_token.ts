// The token of a login: it names the user and its expiry for the client. It authorizes nothing; the key in it
// signs the requests.

import type { ServiceKeys } from '../../crypto/service_keys.ts';
import {
  isText,
  readJwt,
  type TokenKind,
  type TokenReading,
  tokenRefusals,
  writeJwt,
} from './jwt.ts';

export type SessionClaims = {
  /** Seconds since 1970. */
  readonly expiresAtSeconds: number;
  /** The session's public key as registered: compressed, in hex. */
  readonly publicKey: string;
  /** `SESSION_TYPE_READ_WRITE`, or the name of a session profile. */
  readonly sessionType: string;
  readonly userId: string;
  /** The user's organization, even if the login named its parent. */
  readonly organizationId: string;
  /** Only for sessions with a profile. */
  readonly sessionProfileId?: string;
  readonly scope?: string;
};

const kind: TokenKind = {
  role: 'notarizer',
  header: '{"alg":"ES256","typ":"JWT"}',
  // Clients hash twice, so a verifier of plain ES256 refuses these tokens.
  hashes: 2,
};

/** Returns a session token (JWT) with the claims in their given order. */
export function writeSessionToken(claims: SessionClaims, keys: Pick<ServiceKeys, 'sign'>): string {
  return writeJwt(
    kind,
    {
      exp: claims.expiresAtSeconds,
      public_key: claims.publicKey,
      session_type: claims.sessionType,
      user_id: claims.userId,
      organization_id: claims.organizationId,
      session_profile_id: claims.sessionProfileId,
      scope: claims.scope,
    },
    keys,
  );
}

/** Reads a session token with the public key (33 or 65 bytes) of the role `notarizer`, at a time in ms. */
export function readSessionToken(
  token: string,
  { publicKey, now }: { readonly publicKey: Uint8Array; readonly now: number },
): TokenReading<SessionClaims> {
  const { claims, refusal } = readJwt(token, kind, publicKey);
  if (claims === undefined) return { refusal };
  const { exp, public_key, session_type, user_id, organization_id, session_profile_id, scope } =
    claims;
  const isComplete =
    typeof exp === 'number' &&
    Number.isSafeInteger(exp) &&
    isText(public_key) &&
    isText(session_type) &&
    isText(user_id) &&
    isText(organization_id) &&
    (session_profile_id === undefined || isText(session_profile_id)) &&
    (scope === undefined || isText(scope));
  if (!isComplete) return { refusal: tokenRefusals.claims };
  if (exp * 1000 <= now) return { refusal: tokenRefusals.expired };
  return {
    claims: {
      expiresAtSeconds: exp,
      publicKey: public_key,
      sessionType: session_type,
      userId: user_id,
      organizationId: organization_id,
      ...(session_profile_id === undefined ? {} : { sessionProfileId: session_profile_id }),
      ...(scope === undefined ? {} : { scope }),
    },
  };
}
