// Reads Bitcoin's serialization: little-endian numbers, and lengths as compact sizes.

import { refuseTransaction } from '../unreadable.ts';

/** A position in some bytes. Every read refuses by the place given and never passes the end. */
export type BitcoinCursor = {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  offset: number;
};

/** A cursor at the start of the bytes. */
export function cursorOver(bytes: Uint8Array): BitcoinCursor {
  return {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    offset: 0,
  };
}

/** Bytes that are left. */
export function remaining({ bytes, offset }: BitcoinCursor): number {
  return bytes.length - offset;
}

/** The next bytes, not copied. */
export function takeBytes(cursor: BitcoinCursor, length: number, place: string): Uint8Array {
  const start = advance(cursor, length, place);
  return cursor.bytes.subarray(start, cursor.offset);
}

/** Passes over the next bytes. */
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

/** A compact size in its shortest form. Beyond 2^53 the number is rounded, which no length reaches. */
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

/** Bytes after a compact size that counts them, not copied. */
export function takeVariableBytes(cursor: BitcoinCursor, place: string): Uint8Array {
  const length = takeCompactSize(cursor, place);
  return takeBytes(cursor, length, place);
}

/** Passes over bytes after a compact size that counts them. */
export function skipVariableBytes(cursor: BitcoinCursor, place: string): void {
  advance(cursor, takeCompactSize(cursor, place), place);
}

/** The number of items of which each takes at least `itemBytes`: a larger one has no room. */
export function takeCount(cursor: BitcoinCursor, itemBytes: number, place: string): number {
  const count = takeCompactSize(cursor, place);
  if (count * itemBytes > remaining(cursor)) {
    refuseTransaction(place, `expected ${count} items, got ${remaining(cursor)} bytes for them`);
  }
  return count;
}

/** Refuses bytes after the last thing expected. */
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
