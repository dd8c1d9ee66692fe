// Reads the vectors in the folder of the tests.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { bytesOfHex } from '../../src/core/base/bytes.ts';

const folder = new URL('../vectors/', import.meta.url);

/** The parsed JSON of a file in `test/vectors`; the caller states its shape. */
export function readVectors<Content>(file: string): Content {
  return JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
}

/** Returns the bytes of a hex text of a vector. */
export function bytes(text: string): Uint8Array {
  const decoded = bytesOfHex(text);
  assert(decoded !== undefined, `not hex: ${text}`);
  return decoded;
}

/**
 * The vector of `signRawPayload` whose typed data has an empty domain of no declared type. It is refused,
 * because clients that drop the members of a domain write the same text.
 */
export const undeclaredEmptyDomain = 'raw-102';
