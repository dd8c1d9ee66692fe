// Reads a file, or the standard input where a person types `-`.

import type { Terminal } from '../terminal/terminal.ts';
import { readFileBounded } from './files.ts';

const maximumBytes = 4 * 1024 * 1024;

/** The bytes behind a path; those of the standard input for `-`. Raises `usage` for too many. */
export async function readSource(source: string, { readInput }: Terminal): Promise<Uint8Array> {
  return source === '-' ? readInput(maximumBytes) : readFileBounded(source, maximumBytes);
}

/** The bytes of a text that was typed; those of the standard input for `-`, unchanged. */
export async function readTyped(text: string, { readInput }: Terminal): Promise<Uint8Array> {
  return text === '-' ? readInput(maximumBytes) : new TextEncoder().encode(text);
}
