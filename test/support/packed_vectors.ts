// Compressed test vectors from other projects.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/**
 * Returns the value of a compressed file in test/vectors/. The caller names the folder, and the type of the
 * value.
 */
export function readPackedVectors<Content>(file: string): Content {
  const packed = readFileSync(new URL(`../vectors/${file}.json.gz`, import.meta.url));
  return JSON.parse(gunzipSync(packed).toString('utf8'));
}
