// Processes `sleep` of the tests of the runner, found by the seconds that only they sleep.

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
    // It ended meanwhile.
    return [];
  }
}
