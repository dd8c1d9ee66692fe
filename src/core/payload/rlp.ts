// Recursive Length Prefix, the encoding of Ethereum's transactions and authorizations (Ethereum
// yellow paper, appendix B). Only encoding; items are built by us, so nothing is refused.

import { concatBytes } from '../base/bytes.ts';
import { assert } from '../errors/errors.ts';

/** A byte string, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** The RLP bytes of an item. */
export function encodeRlp(item: RlpItem): Uint8Array {
  if (!(item instanceof Uint8Array)) {
    const body = concatBytes(...item.map(encodeRlp));
    return concatBytes(prefix(0xc0, body.length), body);
  }
  const first = item[0];
  if (item.length === 1 && first !== undefined && first < 0x80) return item;
  return concatBytes(prefix(0x80, item.length), item);
}

/** An integer as RLP wants it: big-endian without leading zeros, nothing at all for zero. */
export function rlpInteger(value: bigint): Uint8Array {
  assert(value >= 0n, 'RLP has no negative integers');
  if (value === 0n) return new Uint8Array();
  const digits = value.toString(16);
  return Uint8Array.fromHex(digits.padStart(digits.length + (digits.length % 2), '0'));
}

// Up to 55 bytes the length is part of the first byte; beyond, the first byte counts its bytes.
function prefix(base: number, length: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(base + length);
  const lengthBytes = rlpInteger(BigInt(length));
  return concatBytes(Uint8Array.of(base + 55 + lengthBytes.length), lengthBytes);
}
