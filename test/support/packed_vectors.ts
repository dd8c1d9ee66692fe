// Vectors of others that are kept compressed.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The value of a compressed file of test/vectors/, named with its folder; the caller states its shape. */
export function readPackedVectors<Content>(file: string): Content {
  const packed = readFileSync(new URL(`../vectors/${file}.json.gz`, import.meta.url));
  return JSON.parse(gunzipSync(packed).toString('utf8'));
}
