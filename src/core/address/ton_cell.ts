import { concatBytes } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import { assert } from '../errors/errors.ts';

/** The part of a cell that its parents hash: the hash of its representation, and its depth. */
export type Cell = { readonly hash: Uint8Array; readonly depth: number };

/**
 * An ordinary cell: up to 1023 bits, written as a text of `0` and `1`, and up to four references (TON
 * blockchain specification, 3.1.4 and 3.1.5).
 */
export function cellOf(bits: string, references: readonly Cell[] = []): Cell {
  assert(bits.length <= 1023 && references.length <= 4, 'contents that fit into one cell');
  const fullBytes = Math.floor(bits.length / 8);
  const startedBytes = Math.ceil(bits.length / 8);
  const representation = concatBytes(
    Uint8Array.of(references.length, fullBytes + startedBytes),
    paddedBytes(bits),
    ...references.map(({ depth }) => Uint8Array.of(depth >> 8, depth & 0xff)),
    ...references.map(({ hash }) => hash),
  );
  const depth = references.reduce((deepest, child) => Math.max(deepest, child.depth + 1), 0);
  return { hash: sha256(representation), depth };
}

/** Returns the big-endian bits of an unsigned number. */
export function bitsOfNumber(value: number, width: number): string {
  return value.toString(2).padStart(width, '0');
}

/** Returns the bits of all bytes, highest first. */
export function bitsOfBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => bitsOfNumber(byte, 8)).join('');
}

/** Pads the last byte with a one and zeros, which mark the length of the bits. */
function paddedBytes(bits: string): Uint8Array {
  const padded = bits.length % 8 === 0 ? bits : `${bits}1`;
  const octets = padded.match(/.{1,8}/g) ?? [];
  return Uint8Array.from(octets, (octet) => Number.parseInt(octet.padEnd(8, '0'), 2));
}
