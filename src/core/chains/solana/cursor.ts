// Reads a transaction from its first to its last byte.

import { refuseTransaction } from '../unreadable.ts';

/** The bytes, and the number of bytes that were read. */
export type SolanaCursor = { readonly bytes: Uint8Array; offset: number };

export const bytesLeft = ({ bytes, offset }: SolanaCursor): number => bytes.length - offset;

/** Takes the next byte. */
export function takeByte(cursor: SolanaCursor, place: string): number {
  const byte = cursor.bytes[cursor.offset];
  if (byte === undefined) return refuseTransaction(place, 'expected another byte, got the end');
  cursor.offset += 1;
  return byte;
}

/** Takes the next bytes, as a view. */
export function takeBytes(cursor: SolanaCursor, count: number, place: string): Uint8Array {
  const left = bytesLeft(cursor);
  if (count > left) {
    refuseTransaction(place, `expected ${count} bytes, got the end after ${left}`);
  }
  const start = cursor.offset;
  cursor.offset = start + count;
  return cursor.bytes.subarray(start, cursor.offset);
}

/** Reads items of equal size. The count is first compared with the remaining bytes. */
export function takeItems(
  cursor: SolanaCursor,
  count: number,
  itemBytes: number,
  place: string,
): readonly Uint8Array[] {
  const items = { bytes: takeBytes(cursor, count * itemBytes, place), offset: 0 };
  return Array.from({ length: count }, () => takeBytes(items, itemBytes, place));
}

/** Takes an unsigned integer of one to four bytes, little-endian. */
export function takeUnsigned(cursor: SolanaCursor, byteCount: number, place: string): number {
  return takeBytes(cursor, byteCount, place).reduceRight((high, byte) => high * 256 + byte, 0);
}

/** Takes an unsigned integer of eight bytes, little-endian. */
export function takeUnsigned64(cursor: SolanaCursor, place: string): bigint {
  const low = takeUnsigned(cursor, 4, place);
  return (BigInt(takeUnsigned(cursor, 4, place)) << 32n) | BigInt(low);
}

/**
 * Takes a length in the compact form: seven bits per byte, low bits first, at most 16 bits. Rejects longer
 * forms, as the network does.
 */
export function takeShortLength(cursor: SolanaCursor, place: string): number {
  let length = 0;
  for (const shift of [0, 7, 14]) {
    const byte = takeByte(cursor, place);
    length |= (byte & 0x7f) << shift;
    if (byte >= 0x80) continue;
    if (byte === 0 && shift > 0) refuseTransaction(place, 'expected the shortest form of a length');
    if (length > 0xffff) refuseTransaction(place, `expected a length up to 65535, got ${length}`);
    return length;
  }
  return refuseTransaction(place, 'expected a length of at most three bytes');
}

/** Takes bytes after their length. */
export function takeShortBytes(cursor: SolanaCursor, place: string): Uint8Array {
  return takeBytes(cursor, takeShortLength(cursor, place), place);
}
