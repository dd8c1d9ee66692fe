// Secrets of passkeys: decryption of what the page returns, and the age identity of a passkey.

import { createDecipheriv, type ECDH } from 'node:crypto';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { bech32 } from '@scure/base';

const tagBytes = 16;
const secretBytes = 32;

/** Input of the PRF for the age identity of a passkey. */
export const identitySalt = 'keywright archive identity 1';

/** Returns the age identity that belongs to the output of the PRF for `identitySalt`. */
export function identityOfPasskey(secret: Uint8Array): string {
  const key = hkdf(sha256, secret, undefined, utf8ToBytes('keywright/v1/passkey_identity'), 32);
  return bech32.encode('age-secret-key-', bech32.toWords(key)).toUpperCase();
}

/** Decrypts the result of the page. Raises an error for other bytes. */
export function openFromPage(
  body: Readonly<Record<string, unknown>>,
  key: ECDH,
): { readonly id: string; readonly secret: Uint8Array } {
  const [sender, ciphertext] = [body['sender'], body['ciphertext']].map((text) =>
    Buffer.from(String(text), 'base64url'),
  );
  if (sender === undefined || ciphertext?.length !== secretBytes + tagBytes) {
    throw new Error('The result of the page is incomplete.');
  }
  const shared = key.computeSecret(sender);
  // Each key of the page encrypts once, so the nonce is constant.
  const decipher = createDecipheriv('aes-256-gcm', shared, Buffer.alloc(12));
  decipher.setAuthTag(ciphertext.subarray(-tagBytes));
  const secret = decipher.update(ciphertext.subarray(0, -tagBytes));
  decipher.final();
  return { id: String(body['id']), secret };
}
