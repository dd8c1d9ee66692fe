// Encodes ECDSA signatures for stamps, in DER (RFC 3279, section 2.2.3).

import type { Bytes } from './bytes.ts';

/** Encodes a signature of 64 bytes in DER. */
export function derOf(signature: Uint8Array): Bytes {
  const numbers = [signature.subarray(0, 32), signature.subarray(32)].flatMap((number) => {
    const first = number.findIndex((byte) => byte !== 0);
    const digits = number.subarray(first < 0 ? -1 : first);
    // A leading zero keeps a number with its highest bit set positive.
    return (digits[0] ?? 0) > 127
      ? [2, digits.length + 1, 0, ...digits]
      : [2, digits.length, ...digits];
  });
  return Uint8Array.from([0x30, numbers.length, ...numbers]);
}
