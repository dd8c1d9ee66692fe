// The deterministic nonces of RFC 6979 (section 3.2) with HMAC-SHA-256, for orders of 256 bits.

import { concatSecrets, copyOfSecret, wipe } from '../base/bytes.ts';
import { hmacSha256 } from './hashes.ts';
import { isScalar } from './scalars.ts';

/**
 * Returns the first numbers from 1 to `order` − 1 of the generator for a private key and a digest modulo the
 * order, 32 bytes each. The caller wipes them. The first is the nonce.
 */
export function deterministicScalars(
  privateKey: Uint8Array,
  digestScalar: Uint8Array,
  order: Uint8Array,
  count: number,
): Uint8Array[] {
  const scalars: Uint8Array[] = [];
  let key: Uint8Array = new Uint8Array(32);
  let value: Uint8Array = new Uint8Array(32).fill(1);
  const renew = (...parts: readonly Uint8Array[]): void => {
    const [oldKey, oldValue, message] = [key, value, concatSecrets(value, ...parts)];
    key = hmacSha256(oldKey, message);
    value = hmacSha256(key, oldValue);
    wipe(oldKey, oldValue, message);
  };
  renew(zero, privateKey, digestScalar);
  renew(one, privateKey, digestScalar);
  for (;;) {
    const candidate = hmacSha256(key, value);
    wipe(value);
    value = candidate;
    if (isScalar(candidate, order)) scalars.push(copyOfSecret(candidate));
    if (scalars.length === count) break;
    renew(zero);
  }
  wipe(key, value);
  return scalars;
}

const zero = Uint8Array.of(0);
const one = Uint8Array.of(1);
