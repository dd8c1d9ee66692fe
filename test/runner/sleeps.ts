// Finds the `sleep` processes of the runner's tests by their unique number of seconds.

import { readdirSync, readFileSync } from 'node:fs';

/** Returns the command lines of all `sleep` processes that name the mark. */
export function sleepsMarked(mark: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => wordsOf(`/proc/${name}/cmdline`))
    .filter(([program = '', ...words]) => program.endsWith('sleep') && words.includes(mark))
    .map((words) => words.join(' '));
}

function wordsOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\0').filter(Boolean);
  } catch {
    // The process ended meanwhile.
    return [];
  }
}
