// The token of a login: it names the user and its expiry for the client. It authorizes nothing; the key in it
// signs the requests.

import type { ServiceKeys } from '../../crypto/service_keys.ts';
import { type TokenKind, writeJwt } from './jwt.ts';

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

export const sessionTokenKind: TokenKind = {
  role: 'notarizer',
  header: '{"alg":"ES256","typ":"JWT"}',
  // Clients hash twice, so a verifier of plain ES256 refuses these tokens.
  hashes: 2,
};

/** Returns a session token (JWT) with the claims in their given order. */
export function writeSessionToken(claims: SessionClaims, keys: Pick<ServiceKeys, 'sign'>): string {
  return writeJwt(
    sessionTokenKind,
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
