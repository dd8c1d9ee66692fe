import { readFileSync, statSync } from 'node:fs';

/** Reads a file of at most this many bytes. Raises an error if it has more, or cannot be read. */
export function readBounded(file: string, maximumBytes: number): Uint8Array {
  if (statSync(file).size > maximumBytes) throw new Error(`${file} is too large`);
  return readFileSync(file);
}
