// The key of a release: Ed25519, in a file outside of the checkout that `RELEASE_KEY_FILE` names.

import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

export type ReleaseKey = {
  /** Signs by RFC 8032; equal bytes have equal signatures. */
  readonly sign: (bytes: Uint8Array) => Uint8Array;
  /** Its public half (SPKI) in PEM, for `dashboard verify --release-key`. */
  readonly publicPem: string;
};

/**
 * Reads the private half (PKCS #8 in PEM). Throws an error with the path of the file, and nothing of its
 * contents.
 */
export function releaseKeyIn(file: string): ReleaseKey {
  const accessOfOthers = 0o077;
  if ((statSync(file).mode & accessOfOthers) !== 0 && process.platform !== 'win32') {
    throw new Error(`${file} can be read by others than its owner: chmod 600 ${file}`);
  }
  const key = privateKeyIn(readFileSync(file));
  if (key?.asymmetricKeyType !== 'ed25519') {
    throw new Error(`${file} holds no Ed25519 private key in PEM without a passphrase`);
  }
  return {
    sign: (bytes) => sign(null, bytes, key),
    publicPem: String(createPublicKey(key).export({ type: 'spki', format: 'pem' })),
  };
}

function privateKeyIn(pem: Buffer): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  } finally {
    pem.fill(0);
  }
}
