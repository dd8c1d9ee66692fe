// The wire format of Protocol Buffers in the canonical encoding of Tron's nodes: fields in ascending order,
// numbers in their shortest form. https://protobuf.dev/programming-guides/encoding

import { concatBytes } from '../../base/bytes.ts';
import { refuseTransaction } from '../unreadable.ts';

/** A position in the bytes of one message. */
export type TronCursor = {
  readonly bytes: Uint8Array;
  offset: number;
  /** Key of the next field, its number and wire type combined; 0 at the end. */
  nextKey: number;
};

type WireType = 'varint' | 'delimited';

const wireTypes = { varint: 0, delimited: 2 } as const;
const longestVarint = 10;
/** No message here has a higher field number. */
const largestFieldNumber = 2 ** 28 - 1;

/** Creates a cursor before the first field. */
export function cursorOver(bytes: Uint8Array, place: string): TronCursor {
  const cursor = { bytes, offset: 0, nextKey: 0 };
  readKey(cursor, place);
  return cursor;
}

/** Returns true if the next field has this number and wire type. */
export function isNext(cursor: TronCursor, number: number, wireType: WireType): boolean {
  return cursor.nextKey === keyOf(number, wireType);
}

/** Takes the value of the next field, a varint from 0 to 2^64 − 1, and moves to the next key. */
export function takeVarint(cursor: TronCursor, place: string): bigint {
  const value = readVarint(cursor, place);
  readKey(cursor, place);
  return value;
}

/** Takes the value of the next field, bytes after their length, as a view. */
export function takeDelimited(cursor: TronCursor, place: string): Uint8Array {
  const length = readVarint(cursor, place);
  const left = cursor.bytes.length - cursor.offset;
  if (length > BigInt(left)) refuseTransaction(place, `expected ${length} bytes, ${left} are left`);
  const end = cursor.offset + Number(length);
  const value = cursor.bytes.subarray(cursor.offset, end);
  cursor.offset = end;
  readKey(cursor, place);
  return value;
}

/** Returns a field with a varint. */
export function varintField(number: number, value: bigint): Uint8Array {
  return concatBytes(varint(BigInt(keyOf(number, 'varint'))), varint(value));
}

/** Returns a field with bytes. */
export function delimitedField(number: number, value: Uint8Array): Uint8Array {
  const key = varint(BigInt(keyOf(number, 'delimited')));
  return concatBytes(key, varint(BigInt(value.length)), value);
}

function keyOf(number: number, wireType: WireType): number {
  return number * 8 + wireTypes[wireType];
}

function readKey(cursor: TronCursor, place: string): void {
  if (cursor.offset === cursor.bytes.length) {
    cursor.nextKey = 0;
    return;
  }
  const key = readVarint(cursor, place);
  if (key < 8n || key > BigInt(largestFieldNumber * 8 + 7)) {
    refuseTransaction(place, 'expected a field number from 1 to 268435455');
  }
  cursor.nextKey = Number(key);
}

function readVarint(cursor: TronCursor, place: string): bigint {
  let value = 0n;
  for (let i = 0; i < longestVarint; i += 1) {
    const byte = cursor.bytes[cursor.offset];
    if (byte === undefined) refuseTransaction(place, 'ends within a number');
    cursor.offset += 1;
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte >= 0x80) continue;
    if (byte === 0 && i > 0) refuseTransaction(place, 'a number is longer than its shortest form');
    if (value >= 2n ** 64n) refuseTransaction(place, 'a number is beyond 64 bits');
    return value;
  }
  return refuseTransaction(place, `a number is longer than ${longestVarint} bytes`);
}

function varint(value: bigint): Uint8Array {
  const encoded: number[] = [];
  let left = value;
  while (left >= 0x80n) {
    encoded.push(Number(left & 0x7fn) | 0x80);
    left >>= 7n;
  }
  encoded.push(Number(left));
  return Uint8Array.from(encoded);
}
