// P-256 for tests: deterministic signatures (RFC 6979) equal to those of @noble/curves, in a tenth of the
// time. OpenSSL multiplies the base point, which takes most of the time.

import { createECDH, createHash, createHmac } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';

const { Fn } = p256.Point;

/** Cached keys with their ECDH objects, because tests sign often with few keys. */
const scalars = new Map<string, bigint>();

/** Returns the public key of a private key. */
export function p256PublicKey(privateKey: Uint8Array, isCompressed = true): Uint8Array {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey);
  return Uint8Array.from(ecdh.getPublicKey(null, isCompressed ? 'compressed' : 'uncompressed'));
}

/** Signs the SHA-256 of a message, with the lower of the two values of s, as `p256.sign` does. */
export function signP256(
  message: Uint8Array,
  privateKey: Uint8Array,
  format: 'der' | 'compact' = 'der',
): Uint8Array {
  const digest = createHash('sha256').update(message).digest();
  const z = Fn.create(BigInt(`0x${digest.toString('hex')}`));
  const d = scalars.getOrInsertComputed(Buffer.from(privateKey).toString('hex'), (text) =>
    BigInt(`0x${text}`),
  );
  for (const nonce of noncesOf(privateKey, Fn.toBytes(z))) {
    const k = BigInt(`0x${Buffer.from(nonce).toString('hex')}`);
    if (k === 0n || k >= Fn.ORDER) continue;
    const r = Fn.create(BigInt(`0x${Buffer.from(p256PublicKey(nonce)).toString('hex', 1)}`));
    const s = Fn.mul(Fn.inv(k), Fn.add(z, Fn.mul(r, d)));
    if (r === 0n || s === 0n) continue;
    const low = s > Fn.ORDER / 2n ? Fn.ORDER - s : s;
    return new p256.Signature(r, low).toBytes(format);
  }
  throw new Error('no nonce');
}

/** Yields the nonce candidates of RFC 6979, section 3.2, in order. */
function* noncesOf(privateKey: Uint8Array, digest: Uint8Array): Generator<Uint8Array> {
  let key: Uint8Array = new Uint8Array(32);
  let value: Uint8Array = new Uint8Array(32).fill(1);
  const hmac = (...parts: readonly Uint8Array[]) => {
    const mac = createHmac('sha256', key);
    for (const part of parts) mac.update(part);
    return mac.digest();
  };
  for (const step of [0, 1]) {
    key = hmac(value, Uint8Array.of(step), privateKey, digest);
    value = hmac(value);
  }
  for (;;) {
    value = hmac(value);
    yield value;
    key = hmac(value, Uint8Array.of(0));
    value = hmac(value);
  }
}
