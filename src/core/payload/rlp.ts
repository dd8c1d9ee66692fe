// Encodes Recursive Length Prefix, the format of Ethereum's transactions and authorizations (Ethereum yellow
// paper, appendix B). All items are internal, so nothing is rejected.

import { assert } from '../errors/errors.ts';

/** A byte string, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** Encodes an item. */
export function encodeRlp(item: RlpItem): Uint8Array {
  const written = new Uint8Array(sizeOf(item));
  writeItem(item, written, 0);
  return written;
}

/** Writes an item at a position, and returns the position after it. */
function writeItem(item: RlpItem, written: Uint8Array, at: number): number {
  if (!(item instanceof Uint8Array)) {
    let end = writePrefix(0xc0, bodySize(item), written, at);
    for (const each of item) end = writeItem(each, written, end);
    return end;
  }
  const start = isOwnEncoding(item) ? at : writePrefix(0x80, item.length, written, at);
  written.set(item, start);
  return start + item.length;
}

function sizeOf(item: RlpItem): number {
  if (item instanceof Uint8Array && isOwnEncoding(item)) return 1;
  const size = item instanceof Uint8Array ? item.length : bodySize(item);
  return 1 + lengthBytes(size) + size;
}

function bodySize(items: readonly RlpItem[]): number {
  return items.reduce((sum, item) => sum + sizeOf(item), 0);
}

const isOwnEncoding = (bytes: Uint8Array) => bytes.length === 1 && (bytes[0] ?? 0) < 0x80;

/** Returns an integer in the form of RLP: big-endian without leading zeros, empty for zero. */
export function rlpInteger(value: bigint): Uint8Array {
  assert(value >= 0n, 'RLP has no negative integers');
  if (value === 0n) return new Uint8Array();
  const digits = value.toString(16);
  return Uint8Array.fromHex(digits.padStart(digits.length + (digits.length % 2), '0'));
}

// Up to 55 bytes the length is part of the first byte; beyond, the first byte counts its bytes.
function writePrefix(base: number, length: number, written: Uint8Array, at: number): number {
  const count = lengthBytes(length);
  written[at] = base + (count === 0 ? length : 55 + count);
  for (let i = count, rest = length; i > 0; i -= 1, rest = Math.floor(rest / 256)) {
    written[at + i] = rest % 256;
  }
  return at + 1 + count;
}

function lengthBytes(length: number): number {
  if (length <= 55) return 0;
  let count = 1;
  for (let rest = length; rest >= 256; rest = Math.floor(rest / 256)) count += 1;
  return count;
}
