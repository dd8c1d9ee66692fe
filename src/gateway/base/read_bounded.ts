import { readFileSync, statSync } from 'node:fs';

/** Reads a file of at most this many bytes. Throws if it is longer or unreadable. */
export function readBounded(file: string, maximumBytes: number): Uint8Array {
  if (statSync(file).size > maximumBytes) throw new Error(`${file} is too large`);
  return readFileSync(file);
}
