// The service as an OIDC issuer, for people who signed in at a provider with OAuth 2.0 only. OpenID Connect
// Core 1.0 section 2; keys in the form of RFC 7517.

import { base64url, utf8 } from '../../base/bytes.ts';
import { sha256 } from '../../crypto/hashes.ts';
import type { ServiceKeys, ServiceSigner } from '../../crypto/service_keys.ts';
import type { JsonObject } from '../../schema/json.ts';
import { writeJwt } from './jwt.ts';

type IssuedIdentity = {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
  readonly nonce: string;
  /** Seconds since 1970. */
  readonly issuedAtSeconds: number;
  readonly expiresAtSeconds: number;
  /** The provider's own token, encrypted to a key of the client. */
  readonly encryptedBearerToken?: string;
};

const role = 'oidc_issuer';

/** Returns an OIDC token (JWT, ES256) of the service. */
export function writeIssuedIdentity(identity: IssuedIdentity, keys: ServiceSigner): string {
  const header = JSON.stringify({ alg: 'ES256', typ: 'JWT', kid: keyIdOf(keys) });
  const { encryptedBearerToken } = identity;
  return writeJwt(
    { role, header, hashes: 1 },
    {
      iss: identity.issuer,
      aud: identity.audience,
      sub: identity.subject,
      nonce: identity.nonce,
      iat: identity.issuedAtSeconds,
      exp: identity.expiresAtSeconds,
      ...(encryptedBearerToken === undefined
        ? {}
        : { encrypted_bearer_token: encryptedBearerToken }),
    },
    keys,
  );
}

/** Returns the key set (JWKS) that verifies tokens of the service. */
export function issuerKeySet(keys: Pick<ServiceKeys, 'publicKey'>): JsonObject {
  const kid = keyIdOf(keys);
  return { keys: [{ kid, use: 'sig', alg: 'ES256', ...publicJwk(keys) }] };
}

/** The discovery document of the issuer (OpenID Connect Discovery 1.0 section 3). */
export function issuerDocument(issuer: string): JsonObject {
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    claims_supported: ['iss', 'aud', 'sub', 'nonce', 'iat', 'exp'],
  };
}

/** Returns the thumbprint of the key (RFC 7638). */
function keyIdOf(keys: Pick<ServiceKeys, 'publicKey'>): string {
  const { crv, kty, x, y } = publicJwk(keys);
  return base64url(sha256(utf8(JSON.stringify({ crv, kty, x, y }))));
}

function publicJwk(keys: Pick<ServiceKeys, 'publicKey'>) {
  const point = keys.publicKey(role);
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(base64url);
  return { kty: 'EC', crv: 'P-256', x, y };
}
