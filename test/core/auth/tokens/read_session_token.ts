// Reads the session tokens that the service issues, as a client does.

import {
  isText,
  readJwt,
  type TokenReading,
  tokenRefusals,
} from '../../../../src/core/auth/tokens/jwt.ts';
import {
  type SessionClaims,
  sessionTokenKind,
} from '../../../../src/core/auth/tokens/session_token.ts';

/** Reads a session token with the public key (33 or 65 bytes) of the role `notarizer`, at a time in ms. */
export function readSessionToken(
  token: string,
  { publicKey, now }: { readonly publicKey: Uint8Array; readonly now: number },
): TokenReading<SessionClaims> {
  const { claims, refusal } = readJwt(token, sessionTokenKind, publicKey);
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
