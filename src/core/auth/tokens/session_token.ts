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
  /** The session's key: compressed, hex, as it was registered. */
  readonly publicKey: string;
  /** `SESSION_TYPE_READ_WRITE`, or the name of a session profile. */
  readonly sessionType: string;
  readonly userId: string;
  /** Organization of the user, also if the login named its parent. */
  readonly organizationId: string;
  /** Only of sessions under a profile. */
  readonly sessionProfileId?: string;
  readonly scope?: string;
};

const kind: TokenKind = {
  role: 'notarizer',
  header: '{"alg":"ES256","typ":"JWT"}',
  // Clients hash twice: a verifier of plain ES256 tokens refuses this one.
  hashes: 2,
};

/** The session token (JWT) of these claims, which keep their order. */
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

/** Reads a session token by the key of the role `notarizer` (33 or 65 bytes) at a time in ms. */
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
