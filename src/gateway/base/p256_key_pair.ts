// API keys on P-256 that the gateway makes, by node:crypto: the arithmetic of the enclave's curves
// takes memory that nothing else here needs.

import { createECDH } from 'node:crypto';
import { hex, wipe } from '../../core/base/bytes.ts';

/** A key pair as credentials files hold it. */
export type P256KeyPair = {
  /** Compressed point, hex. */
  readonly apiPublicKey: string;
  /** 32 bytes, hex. */
  readonly apiPrivateKey: string;
};

/** Creates a key pair from random bytes. */
export function newP256KeyPair(random: (lengthBytes: number) => Uint8Array): P256KeyPair {
  for (;;) {
    const privateKey = random(32);
    try {
      const apiPublicKey = p256PublicKey(privateKey);
      // All but about one of 2^32 random values are in range.
      if (apiPublicKey !== undefined) return { apiPublicKey, apiPrivateKey: hex(privateKey) };
    } finally {
      wipe(privateKey);
    }
  }
}

/**
 * The public key of a private key of 32 bytes: a compressed point in hex. Returns undefined if the
 * private key is not in range.
 */
export function p256PublicKey(privateKey: Uint8Array): string | undefined {
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(privateKey);
  } catch (error) {
    const isOutOfRange =
      error instanceof Error && 'code' in error && error.code === 'ERR_CRYPTO_INVALID_KEYTYPE';
    if (isOutOfRange) return undefined;
    throw error;
  }
  return pair.getPublicKey('hex', 'compressed');
}
