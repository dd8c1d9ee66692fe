// AES-256-GCM (NIST SP 800-38D) with nonces of 12 and tags of 16 bytes.

import { createCipheriv, createDecipheriv } from 'node:crypto';
import { concatBytes, wipe } from '../base/bytes.ts';
import { utf8InSteps } from '../base/long_text.ts';
import type { Steps } from '../base/steps.ts';
import { assert } from '../errors/errors.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const tagOption = { authTagLength: tagBytes };

/**
 * Encrypts, and returns the ciphertext followed by its 16-byte tag. The key has 32 bytes and the nonce 12. A
 * nonce must never be reused with the same key. Text is encoded in UTF-8.
 */
export function seal(
  key: Uint8Array,
  nonce: Uint8Array,
  plaintext: Uint8Array | string,
  associatedData: Uint8Array,
): Uint8Array {
  return concatBytes(...sealedParts(key, nonce, plaintext, associatedData));
}

/** Encrypts, and prepends a header and the nonce: `header ‖ nonce ‖ ciphertext ‖ tag`. */
export function sealWithNonce(
  ...[key, nonce, plaintext, associatedData, header]: [...Parameters<typeof seal>, Uint8Array]
): Uint8Array {
  const [ciphertext, tag] = sealedParts(key, nonce, plaintext, associatedData);
  const sealed = bodyWith(header, nonce, ciphertext.length);
  const ciphertextAt = header.length + nonceBytes;
  sealed.set(ciphertext, ciphertextAt);
  sealed.set(tag, ciphertextAt + ciphertext.length);
  return sealed;
}

/** Returns memory for a header, a nonce, a ciphertext and its tag, with the first two filled in. */
function bodyWith(header: Uint8Array, nonce: Uint8Array, ciphertextBytes: number): Uint8Array {
  const body = new Uint8Array(header.length + nonceBytes + ciphertextBytes + tagBytes);
  body.set(header);
  body.set(nonce, header.length);
  return body;
}

/** Number of bytes that are encrypted in one step. */
const bytesOfStep = 512 * 1024;

/** Like `sealWithNonce` for a long text, in steps. */
export function* sealTextInSteps(
  key: Uint8Array,
  nonce: Uint8Array,
  plaintext: string,
  associatedData: Uint8Array,
  header: Uint8Array,
): Steps<Uint8Array> {
  assertSizes(key, nonce);
  // The cipher copies the key now, because its owner may wipe it between two steps.
  const cipher = createCipheriv(algorithm, key, nonce, tagOption).setAAD(associatedData);
  const bytes = yield* utf8InSteps(plaintext);
  yield;
  const sealed = bodyWith(header, nonce, bytes.length);
  const ciphertextAt = header.length + nonceBytes;
  for (let at = 0; at < bytes.length; at += bytesOfStep) {
    sealed.set(cipher.update(bytes.subarray(at, at + bytesOfStep)), ciphertextAt + at);
    yield;
  }
  cipher.final();
  sealed.set(cipher.getAuthTag(), ciphertextAt + bytes.length);
  return sealed;
}

/**
 * Decrypts bytes of `seal`; the caller wipes the plaintext. Returns undefined if the key, nonce, bytes or
 * associated data differ from the sealed ones.
 */
export function open(
  key: Uint8Array,
  nonce: Uint8Array,
  sealed: Uint8Array,
  associatedData: Uint8Array,
): Uint8Array | undefined {
  assertSizes(key, nonce);
  if (sealed.length < tagBytes) return undefined;
  const ciphertext = sealed.subarray(0, -tagBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, tagOption)
    .setAAD(associatedData)
    .setAuthTag(sealed.subarray(-tagBytes));
  const plaintext = decipher.update(ciphertext);
  try {
    decipher.final();
  } catch {
    // The last step fails only for a wrong tag.
    wipe(plaintext);
    return undefined;
  }
  return new Uint8Array(plaintext.buffer, plaintext.byteOffset, plaintext.byteLength);
}

function sealedParts(
  key: Uint8Array,
  nonce: Uint8Array,
  plaintext: Uint8Array | string,
  associatedData: Uint8Array,
): readonly [ciphertext: Uint8Array, tag: Uint8Array] {
  assertSizes(key, nonce);
  const cipher = createCipheriv(algorithm, key, nonce, tagOption).setAAD(associatedData);
  const ciphertext =
    typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
  cipher.final();
  return [ciphertext, cipher.getAuthTag()];
}

function assertSizes(key: Uint8Array, nonce: Uint8Array): void {
  assert(key.length === keyBytes, 'an AES-256 key has 32 bytes');
  assert(nonce.length === nonceBytes, 'a GCM nonce has 12 bytes');
}
