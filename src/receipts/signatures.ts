// Signatures of receipts. Packages parse all keys and signatures. Native code can confirm a signature in a
// tenth of the time, and the packages decide about all others. So each platform accepts the same signatures.

import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import type { VerifyEd25519 } from '../core/log/note.ts';

/** Headers of a SubjectPublicKeyInfo in hex (RFC 5480 and RFC 8410). The bytes of a key follow. */
const headers = {
  p256: '3059301306072a8648ce3d020106082a8648ce3d030107034200',
  ed25519: '302a300506032b6570032100',
} as const;

/** Returns true if native code confirms a signature. Returns false without node:crypto, as in a browser. */
function isConfirmed(
  hash: 'sha256' | undefined,
  ...[spki, message, signature]: [string, Uint8Array, Uint8Array]
): boolean {
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  const key = { key: spki, encoding: 'hex', format: 'der', type: 'spki' } as const;
  return attempt(
    () => crypto?.verify(hash, message, { ...key, dsaEncoding: 'ieee-p1363' }, signature) === true,
  );
}

/** Verifies ECDSA P-256 over SHA-256 of the message. Accepts both halves of s, and compressed keys. */
export function verifyP256(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
  format: 'compact' | 'der' = 'compact',
): boolean {
  return attempt(() => {
    const key = headers.p256 + p256.Point.fromBytes(publicKey).toHex(false);
    const compact = p256.Signature.fromBytes(signature, format).toBytes('compact');
    return (
      isConfirmed('sha256', key, message, compact) ||
      p256.verify(signature, message, publicKey, { lowS: false, format })
    );
  });
}

/** Verifies Ed25519 (RFC 8032). Rejects public keys of small order and unreduced encodings. */
export const verifyEd25519: VerifyEd25519 = (signature, message, publicKey) =>
  attempt(() => {
    // OpenSSL 3.0 accepts such keys.
    if (ed25519.Point.fromBytes(publicKey).isSmallOrder()) return false;
    return (
      isConfirmed(undefined, headers.ed25519 + publicKey.toHex(), message, signature) ||
      ed25519.verify(signature, message, publicKey, { zip215: false })
    );
  });

/** Returns the answer of a check. Returns false if the check raises an error. */
export function attempt(verify: () => boolean): boolean {
  try {
    return verify();
  } catch {
    return false;
  }
}
