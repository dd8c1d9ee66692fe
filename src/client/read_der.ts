import type { Bytes } from './bytes.ts';
import { derOf } from './der.ts';

/** Decodes a DER signature to 64 bytes. Returns undefined for other bytes. */
export function signatureOfDer(der: Uint8Array): Bytes | undefined {
  const signature = new Uint8Array(64);
  let offset = 2;
  for (const end of [32, 64]) {
    const length = der[offset + 1] ?? 0;
    const digits = der.subarray(offset + 2, offset + 2 + length);
    const number = digits.subarray(digits[0] === 0 && digits.length > 1 ? 1 : 0);
    if (number.length > 32) return undefined;
    signature.set(number, end - number.length);
    offset += 2 + length;
  }
  // A signature has exactly one DER encoding; reject all others.
  return derOf(signature).join() === der.join() ? signature : undefined;
}
