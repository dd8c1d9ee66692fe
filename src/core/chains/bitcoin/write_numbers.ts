// Bitcoin's numbers: little-endian, and compact sizes in their shortest form.

import { concatBytes } from '../../base/bytes.ts';

/** Returns 4 bytes, in two's complement for negative numbers. */
export function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

/** Returns 8 bytes. */
export function uint64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

/** Returns 1 to 9 bytes. */
export function compactSize(value: number): Uint8Array {
  if (value < 0xfd) return Uint8Array.of(value);
  if (value < 2 ** 16) return Uint8Array.of(0xfd, value & 0xff, value >> 8);
  if (value < 2 ** 32) return concatBytes(Uint8Array.of(0xfe), uint32(value));
  return concatBytes(Uint8Array.of(0xff), uint64(BigInt(value)));
}

/** Returns the bytes after their length as a compact size. */
export function sizedBytes(bytes: Uint8Array): Uint8Array {
  return concatBytes(compactSize(bytes.length), bytes);
}
