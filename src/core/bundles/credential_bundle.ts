// A new API key for the client that requested it, or for an e-mail.

import { createBase58check } from '@scure/base';
import { concatBytes } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import { p256 } from '../crypto/p256.ts';
import { assert } from '../errors/errors.ts';
import { sealBundle } from './bundle_encryption.ts';

const base58check = createBase58check(sha256);

/** The target of a sealed message, a key of `parseTargetKey`. */
type Sealing = { readonly targetPublicKey: Uint8Array; readonly ephemeralPrivateKey: Uint8Array };

/**
 * Returns a sealed private key (32 bytes) in base58check: the compressed encapsulated key, then the
 * ciphertext. It is unsigned, because only the receiver can use it.
 */
export function writeCredentialBundle(
  input: Sealing & { readonly privateKey: Uint8Array },
): string {
  assert(p256.isPrivateKey(input.privateKey), 'a credential is a private key of P-256');
  return writeBundle(input, input.privateKey);
}

/** Returns another service's token in the same form. */
export function writeBearerTokenBundle(input: Sealing & { readonly token: Uint8Array }): string {
  return writeBundle(input, input.token);
}

function writeBundle(
  { targetPublicKey, ephemeralPrivateKey }: Sealing,
  plaintext: Uint8Array,
): string {
  const message = { receiverPublicKey: targetPublicKey, plaintext, ephemeralPrivateKey };
  const { encapsulatedKey, ciphertext } = sealBundle(message);
  const compressed = p256.parsePublicKey(encapsulatedKey);
  assert(compressed !== undefined, 'an encapsulated key is a point');
  return base58check.encode(concatBytes(compressed, ciphertext));
}
