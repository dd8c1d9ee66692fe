// Reads Bitcoin's serialization: little-endian numbers, and lengths as compact sizes.

import { refuseTransaction } from '../unreadable.ts';

/** A position in the bytes. Every read past the end is rejected at the given place. */
export type BitcoinCursor = {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  offset: number;
};

/** Creates a cursor at the start of the bytes. */
export function cursorOver(bytes: Uint8Array): BitcoinCursor {
  return {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    offset: 0,
  };
}

/** Returns the number of remaining bytes. */
export function remaining({ bytes, offset }: BitcoinCursor): number {
  return bytes.length - offset;
}

/** Takes the next bytes, as a view. */
export function takeBytes(cursor: BitcoinCursor, length: number, place: string): Uint8Array {
  const start = advance(cursor, length, place);
  return cursor.bytes.subarray(start, cursor.offset);
}

/** Skips the next bytes. */
export function skipBytes(cursor: BitcoinCursor, length: number, place: string): void {
  advance(cursor, length, place);
}

export function takeByte(cursor: BitcoinCursor, place: string): number {
  return cursor.view.getUint8(advance(cursor, 1, place));
}

export function takeUint32(cursor: BitcoinCursor, place: string): number {
  return cursor.view.getUint32(advance(cursor, 4, place), true);
}

export function takeInt32(cursor: BitcoinCursor, place: string): number {
  return cursor.view.getInt32(advance(cursor, 4, place), true);
}

export function takeUint64(cursor: BitcoinCursor, place: string): bigint {
  return cursor.view.getBigUint64(advance(cursor, 8, place), true);
}

/** Takes a compact size in its shortest form. Sizes above 2^53 are rounded; no length reaches them. */
export function takeCompactSize(cursor: BitcoinCursor, place: string): number {
  const first = takeByte(cursor, place);
  if (first < 0xfd) return first;
  const row = longForms[first - 0xfd];
  if (row === undefined) return refuseTransaction(place, 'expected a compact size');
  const start = advance(cursor, row.bytes, place);
  const value = row.read(cursor.view, start);
  if (value < row.minimum) {
    refuseTransaction(place, `expected ${value} as a compact size in its shortest form`);
  }
  return value;
}

const longForms = [
  { bytes: 2, minimum: 0xfd, read: (view: DataView, at: number) => view.getUint16(at, true) },
  { bytes: 4, minimum: 2 ** 16, read: (view: DataView, at: number) => view.getUint32(at, true) },
  {
    bytes: 8,
    minimum: 2 ** 32,
    read: (view: DataView, at: number) => Number(view.getBigUint64(at, true)),
  },
];

/** Takes bytes after a compact size with their length, as a view. */
export function takeVariableBytes(cursor: BitcoinCursor, place: string): Uint8Array {
  const length = takeCompactSize(cursor, place);
  return takeBytes(cursor, length, place);
}

/** Skips bytes after a compact size with their length. */
export function skipVariableBytes(cursor: BitcoinCursor, place: string): void {
  advance(cursor, takeCompactSize(cursor, place), place);
}

/** Takes a number of items of at least `itemBytes` each. Rejects more than the remaining bytes can hold. */
export function takeCount(cursor: BitcoinCursor, itemBytes: number, place: string): number {
  const count = takeCompactSize(cursor, place);
  if (count * itemBytes > remaining(cursor)) {
    refuseTransaction(place, `expected ${count} items, got ${remaining(cursor)} bytes for them`);
  }
  return count;
}

/** Rejects trailing bytes. */
export function requireEnd(cursor: BitcoinCursor, place: string): void {
  const left = remaining(cursor);
  if (left > 0) refuseTransaction(place, `expected the end, got ${left} more bytes`);
}

function advance(cursor: BitcoinCursor, length: number, place: string): number {
  const start = cursor.offset;
  if (length > remaining(cursor)) {
    refuseTransaction(place, `expected ${length} bytes, got ${remaining(cursor)}`);
  }
  cursor.offset = start + length;
  return start;
}
