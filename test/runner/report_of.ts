// Runs a file that fails.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Runs a file of `failing/`, with these variables, and returns the printed report. */
export async function reportOf(
  file: string,
  {
    words = [],
    variables = {},
  }: { readonly words?: readonly string[]; readonly variables?: Readonly<NodeJS.ProcessEnv> } = {},
): Promise<string> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', 'run.ts'), ...words, `test/runner/failing/${file}`],
    {
      cwd: join(import.meta.dirname, '../..'),
      // Hides the outer run from node:test, which would not start a run within a run.
      env: { PATH: process.env['PATH'], ...variables },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  const output = await text(child.stdout);
  assert.equal(await ended, 1);
  return output;
}
