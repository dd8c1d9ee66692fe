// Diffie-Hellman on P-256 (SEC 1 section 3.3.1) by node:crypto.

import { createECDH } from 'node:crypto';
import { assert } from '../errors/errors.ts';
import { p256, uncompressedPoint } from './p256.ts';

/** The uses of a private key that do not show it. */
export type KeyAgreement = {
  /** 65 bytes: 04 ‖ x ‖ y. */
  readonly publicKey: Uint8Array;
  /**
   * The x of the common point, 32 bytes, the caller's to wipe; undefined where the other public key
   * (33 or 65 bytes) is no point of the curve.
   */
  sharedSecret(otherPublicKey: Uint8Array): Uint8Array | undefined;
};

/** The key agreement of a private key (32 bytes, in range), which is copied. */
export function keyAgreement(privateKey: Uint8Array): KeyAgreement {
  assert(p256.isPrivateKey(privateKey), 'the private key is in range');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  return {
    publicKey: Uint8Array.from(pair.getPublicKey()),
    sharedSecret: (otherPublicKey) => {
      // The order of the curve is prime: every point of it is safe, and none gives infinity.
      const point = uncompressedPoint(otherPublicKey);
      if (point === undefined) return undefined;
      const secret = pair.computeSecret(point);
      return new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength);
    },
  };
}

/** A private key from random bytes, 32 bytes and the caller's to wipe. */
export function newPrivateKey(random: (length: number) => Uint8Array): Uint8Array {
  for (;;) {
    const key = random(32);
    // All but about one of 2^32 random values are in range.
    if (p256.isPrivateKey(key)) return key;
  }
}
