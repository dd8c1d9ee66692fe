// A new API key on its way to the client who asked for it, or into a mail.

import { createBase58check } from '@scure/base';
import { concatBytes } from '../bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import { p256 } from '../crypto/p256.ts';
import { assert } from '../errors.ts';
import { sealBundle } from './bundle_encryption.ts';

const base58check = createBase58check(sha256);

/**
 * A private key (32 bytes) sealed to a target key of `parseTargetKey`, in base58check: the compressed
 * encapsulated key, then the ciphertext. Nothing is signed: only the receiver can make use of it.
 */
export function writeCredentialBundle(input: {
  readonly targetPublicKey: Uint8Array;
  readonly privateKey: Uint8Array;
  readonly ephemeralPrivateKey: Uint8Array;
}): string {
  assert(p256.isPrivateKey(input.privateKey), 'a credential is a private key of P-256');
  const { encapsulatedKey, ciphertext } = sealBundle({
    receiverPublicKey: input.targetPublicKey,
    plaintext: input.privateKey,
    ephemeralPrivateKey: input.ephemeralPrivateKey,
  });
  const compressed = p256.parsePublicKey(encapsulatedKey);
  assert(compressed !== undefined, 'an encapsulated key is a point');
  return base58check.encode(concatBytes(compressed, ciphertext));
}
