// Reads a file, or the standard input for the path `-`.

import type { Terminal } from '../terminal/terminal.ts';
import { readFileBounded } from './files.ts';

const maximumBytes = 4 * 1024 * 1024;

/** Returns the bytes of a file, or of the standard input for `-`. Throws `usage` for inputs over 4 MiB. */
export async function readSource(source: string, { readInput }: Terminal): Promise<Uint8Array> {
  return source === '-' ? readInput(maximumBytes) : readFileBounded(source, maximumBytes);
}

/** Returns the UTF-8 bytes of a text, or the bytes of the standard input for `-`. */
export async function readTyped(text: string, { readInput }: Terminal): Promise<Uint8Array> {
  return text === '-' ? readInput(maximumBytes) : new TextEncoder().encode(text);
}
