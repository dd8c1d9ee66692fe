// Array parameters in the binary form of PostgreSQL: a batch of rows is sent as one array for each column.
// Bytes are sent unchanged; the text form would double them.

import { utf8 } from '../../core/base/bytes.ts';
import { assert } from '../../core/errors/errors.ts';

/** The types of columns, with the object ids of array elements. */
const elementTypes = { TEXT: 25, BIGINT: 20, BYTEA: 17 } as const;

export type ElementType = keyof typeof elementTypes;
export type Element = string | number | Uint8Array | undefined;

const headerLengthBytes = 20;
const nullLength = -1;

/**
 * Returns the binary form of a one-dimensional array, as the server's `array_recv` reads it; undefined
 * elements are NULL. The result is a Buffer, because the driver sends only a Buffer as binary.
 */
export function binaryArray(type: ElementType, elements: readonly Element[]): Buffer {
  const encoded = elements.map((element) => bytesOfElement(type, element));
  const lengthBytes = encoded.reduce((sum, bytes) => sum + 4 + (bytes?.length ?? 0), 0);
  const array = Buffer.alloc(headerLengthBytes + lengthBytes);
  array.writeInt32BE(1, 0); // dimensions
  array.writeInt32BE(encoded.includes(undefined) ? 1 : 0, 4);
  array.writeInt32BE(elementTypes[type], 8);
  array.writeInt32BE(elements.length, 12);
  array.writeInt32BE(1, 16); // index of the first element
  let offset = headerLengthBytes;
  for (const bytes of encoded) {
    offset = array.writeInt32BE(bytes?.length ?? nullLength, offset);
    if (bytes === undefined) continue;
    array.set(bytes, offset);
    offset += bytes.length;
  }
  return array;
}

function bytesOfElement(type: ElementType, element: Element): Uint8Array | undefined {
  if (element === undefined) return undefined;
  if (typeof element === 'string') {
    assert(type === 'TEXT', 'a text goes into a column of texts');
    return utf8(element);
  }
  if (typeof element !== 'number') {
    assert(type === 'BYTEA', 'bytes go into a column of bytes');
    return element;
  }
  assert(type === 'BIGINT' && Number.isSafeInteger(element), 'a column of integers takes integers');
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(element));
  return bytes;
}
