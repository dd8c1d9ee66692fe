// A P-256 key that is made on this machine.

import { durationMs } from './durations.ts';
import type { KeyFile } from './profiles.ts';

/** A new key as a key file holds it: compressed point and private key, hex. */
export async function newKey(): Promise<Pick<KeyFile, 'apiPublicKey' | 'apiPrivateKey'>> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  // Extractable: it is written to a file of its owner.
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { x = '', y = '', d = '' } = await crypto.subtle.exportKey('jwk', privateKey);
  const isOdd = (Buffer.from(y, 'base64url').at(-1) ?? 0) & 1;
  return {
    apiPublicKey: `${isOdd === 1 ? '03' : '02'}${hexOf(x)}`,
    apiPrivateKey: hexOf(d),
  };
}

const longestLifetimeMs = 3660 * 86_400_000;

/** An API key of P-256 as operations take it; without a lifetime it does not expire. */
export const apiKeyOf = (publicKey: string, apiKeyName: string, lifetime: string | undefined) => ({
  apiKeyName: apiKeyName.slice(0, 255),
  publicKey,
  curveType: 'API_KEY_CURVE_P256' as const,
  ...(lifetime === undefined
    ? {}
    : { expirationSeconds: String(durationMs(lifetime, longestLifetimeMs) / 1000) }),
});

const hexOf = (base64url: string): string => Buffer.from(base64url, 'base64url').toString('hex');
