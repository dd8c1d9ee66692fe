// ECDSA signatures as stamps carry them: DER (RFC 3279, section 2.2.3).

import type { Bytes } from './bytes.ts';

/** The DER form of a signature of 64 bytes. */
export function derOf(signature: Uint8Array): Bytes {
  const numbers = [signature.subarray(0, 32), signature.subarray(32)].flatMap((number) => {
    const first = number.findIndex((byte) => byte !== 0);
    const digits = number.subarray(first < 0 ? -1 : first);
    // A number that begins with its highest bit would be negative.
    return (digits[0] ?? 0) > 127
      ? [2, digits.length + 1, 0, ...digits]
      : [2, digits.length, ...digits];
  });
  return Uint8Array.from([0x30, numbers.length, ...numbers]);
}
