// Canonical CBOR (RFC 8949) as authenticators write it: definite lengths, shortest forms of numbers and
// lengths, no duplicate keys, no bytes after the item.

import { type CBORType, decodeCBOR, encodeCBOR } from '@levischuck/tiny-cbor';
import { equalBytes } from '../../base/bytes.ts';

export type CborValue = CBORType;

/** Maximum nesting of maps, arrays and tags. Attestations of several authenticators have 5 levels. */
const maximumDepth = 8;

/** Decodes one canonical item in any order of keys; undefined for other bytes. */
export function decodeCbor(bytes: Uint8Array): { readonly value: CborValue } | undefined {
  // The decoder recurses, and reads past the end of an array inside a larger buffer.
  if (endOfCborItem(bytes, 0) !== bytes.length) return undefined;
  try {
    const value = decodeCBOR(bytes);
    // The decoder also accepts long forms of numbers, invalid UTF-8, and 1.0 for the key 1.
    return equalBytes(encodeCBOR(value), bytes) ? { value } : undefined;
  } catch {
    // The decoder throws for invalid CBOR and for duplicate keys; the caller treats both alike.
    return undefined;
  }
}

/**
 * Returns the end of the item that starts at `start`. Undefined if it does not end within the bytes, has an
 * indefinite length, or is nested too deeply.
 */
export function endOfCborItem(bytes: Uint8Array, start: number): number | undefined {
  // The number of items left on each level.
  const levels = [1];
  let offset = start;
  for (;;) {
    const remaining = levels.pop();
    if (remaining === undefined) return offset;
    if (remaining === 0) continue;
    levels.push(remaining - 1);
    const head = headAt(bytes, offset);
    if (head === undefined) return undefined;
    offset = head.end + contentBytes(head);
    if (offset > bytes.length) return undefined;
    const inside = itemsInside(head);
    if (inside === 0) continue;
    if (levels.length > maximumDepth) return undefined;
    levels.push(inside);
  }
}

type Head = { readonly major: number; readonly argument: number; readonly end: number };

function headAt(bytes: Uint8Array, offset: number): Head | undefined {
  const first = bytes[offset];
  if (first === undefined) return undefined;
  const major = first >> 5;
  const information = first & 0x1f;
  if (information < 24) return { major, argument: information, end: offset + 1 };
  // 28 to 30 are reserved, 31 announces an indefinite length.
  if (information > 27) return undefined;
  const end = offset + 1 + 2 ** (information - 24);
  if (end > bytes.length) return undefined;
  // Inexact above 2^53; such a length is refused, and the value of a number does not matter here.
  const argument = bytes.subarray(offset + 1, end).reduce((value, byte) => value * 256 + byte, 0);
  return { major, argument, end };
}

function contentBytes({ major, argument }: Head): number {
  return major === byteString || major === textString ? argument : 0;
}

function itemsInside({ major, argument }: Head): number {
  if (major === map) return 2 * argument;
  if (major === array) return argument;
  return major === tag ? 1 : 0;
}

// Major types, section 3.1.
const byteString = 2;
const textString = 3;
const array = 4;
const map = 5;
const tag = 6;
