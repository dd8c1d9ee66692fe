// An identity provider for tests: a key, its published key set, and tokens for any account.

import { base64url, hex, utf8 } from '../../src/core/base/bytes.ts';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { type TestService, testKey } from './harness.ts';
import { p256PublicKey, signP256 } from './p256.ts';

/** Additional claims of a token; `undefined` removes a default claim. */
type Claims = Readonly<Record<string, unknown>>;

export type TestIssuer = ReturnType<typeof createTestIssuer>;

/**
 * Creates an issuer with the same keys and tokens in every run. `keyName` selects another key of the issuer.
 */
export function createTestIssuer(issuer = 'https://issuer.test', keyName = 'first') {
  const { privateKey } = testKey(`${issuer} ${keyName}`);
  const point = p256PublicKey(privateKey, false);
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(base64url);
  const keySet = {
    keys: [{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: keyName, x, y }],
  };
  return {
    issuer,
    keySet,
    /** Returns a token for an account, valid for an hour from `now`. */
    token: (service: Pick<TestService, 'now'>, claims: Claims): string => {
      const seconds = Math.floor(service.now() / 1000);
      const all = { iss: issuer, aud: 'app', iat: seconds, exp: seconds + 3600, ...claims };
      const parts = [{ alg: 'ES256', typ: 'JWT', kid: keyName }, all];
      const signed = parts.map((part) => base64url(utf8(JSON.stringify(part)))).join('.');
      const signature = signP256(utf8(signed), privateKey, 'compact');
      return `${signed}.${base64url(signature)}`;
    },
  };
}

/** Publishes the issuer's keys to a service. */
export function publish(service: TestService, { issuer, keySet }: TestIssuer): void {
  service.outside.issuers.set(issuer, keySet);
}

/** Returns the nonce that a token must contain for a session of this key. */
export const nonceOf = (publicKeyText: string): string => hex(sha256(utf8(publicKeyText)));
