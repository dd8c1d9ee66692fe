// Encodes values in Solidity's ABI.

import { concatBytes } from '../base/bytes.ts';
import { assert } from '../errors/errors.ts';
import { integerBytes } from '../payload/integers.ts';

/** Encodes a list of dynamic items: their number, and the items. */
export const listOf = (items: readonly Uint8Array[]): Uint8Array =>
  concatBytes(word(BigInt(items.length)), dynamicItems(items));

/** Encodes dynamic items, for example the arguments of a call: their offsets, and the items. */
export function dynamicItems(items: readonly Uint8Array[]): Uint8Array {
  let next = 32 * items.length;
  const places = items.map((item) => {
    const place = next;
    next += item.length;
    return word(BigInt(place));
  });
  return concatBytes(...places, ...items);
}

export function dynamicBytes(bytes: Uint8Array): Uint8Array {
  const padding = new Uint8Array((32 - (bytes.length % 32)) % 32);
  return concatBytes(word(BigInt(bytes.length)), bytes, padding);
}

export const word = (value: bigint): Uint8Array => bigEndian(value, 32);

export function bigEndian(value: bigint, length: number): Uint8Array {
  assert(value >= 0n, 'a number has no sign');
  return integerBytes(value, length);
}
