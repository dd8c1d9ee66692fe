// Diffie-Hellman on P-256 (SEC 1 section 3.3.1) by node:crypto.

import { createECDH } from 'node:crypto';
import { assert } from '../errors/errors.ts';
import { p256, uncompressedPoint } from './p256.ts';

/** Uses of a private key that do not reveal it. */
export type KeyAgreement = {
  /** 65 bytes: 04 ‖ x ‖ y. */
  readonly publicKey: Uint8Array;
  /**
   * Returns x of the shared point, 32 bytes that the caller wipes; undefined if the other public key (33 or
   * 65 bytes) is not a point of the curve.
   */
  sharedSecret(otherPublicKey: Uint8Array): Uint8Array | undefined;
};

/** Returns the key agreement of a valid private key (32 bytes), which is copied. */
export function keyAgreement(privateKey: Uint8Array): KeyAgreement {
  assert(p256.isPrivateKey(privateKey), 'the private key is in range');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  return {
    publicKey: Uint8Array.from(pair.getPublicKey()),
    sharedSecret: (otherPublicKey) => {
      // The curve has a prime order, so every point is safe and the result is never infinity.
      const point = uncompressedPoint(otherPublicKey);
      if (point === undefined) return undefined;
      const secret = pair.computeSecret(point);
      return new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength);
    },
  };
}

/** Returns a random private key of 32 bytes, which the caller wipes. */
export function newPrivateKey(random: (length: number) => Uint8Array): Uint8Array {
  for (;;) {
    const key = random(32);
    // About one of 2^32 random values is out of range.
    if (p256.isPrivateKey(key)) return key;
  }
}
