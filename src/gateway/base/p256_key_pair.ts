// Creates P-256 API keys with node:crypto, because the enclave's curve library takes memory that no other
// code of the gateway needs.

import { createECDH } from 'node:crypto';
import { hex, wipe } from '../../core/base/bytes.ts';

/** A key pair in the form of credentials files. */
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
 * Returns the public key of a private key of 32 bytes, as a compressed point in hex. Returns undefined if the
 * private key is out of range.
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
