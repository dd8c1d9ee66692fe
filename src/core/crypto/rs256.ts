// RS256: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2), verification only.

import { createPublicKey, verify } from 'node:crypto';
import { base64url } from '../base/bytes.ts';

/** Both big-endian without leading zeros. */
type RsaPublicKey = { readonly modulus: Uint8Array; readonly exponent: Uint8Array };

/**
 * Returns true if this is a signature over the message, of the length of the modulus. The caller decides
 * which keys are strong enough.
 */
export function verifyRs256(
  { modulus, exponent }: RsaPublicKey,
  signature: Uint8Array,
  message: Uint8Array,
): boolean {
  const key = { kty: 'RSA', n: base64url(modulus), e: base64url(exponent) };
  return verify('sha256', message, createPublicKey({ key, format: 'jwk' }), signature);
}
