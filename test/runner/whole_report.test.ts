// Checks that a run reports every test of a file, because an unreported failure or skip is overlooked.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

/** Runs a file that fails, and returns the printed report. */
async function reportOf(file: string): Promise<string> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', 'run.ts'), `test/runner/failing/${file}`],
    {
      cwd: join(import.meta.dirname, '../..'),
      // Hides the outer run from node:test, which would not start a run within a run.
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  const output = await text(child.stdout);
  assert.equal(await ended, 1);
  return output;
}

test('the report of a run has each test, each failure and each skip', async () => {
  const output = await reportOf('many.ts');
  for (const line of ['tests 1000', 'pass 998', 'fail 1', 'skipped 1']) {
    assert.ok(output.includes(`ℹ ${line}\n`), line);
  }
  assert.match(output, /the reason of the last but one/);
});

test('a test that needs a program is reported at its own place', async () => {
  const output = await reportOf('needs.ts');
  assert.match(output, /✖ a test fails although .*\n {2}test\/runner\/failing\/needs\.ts:9\n/);
  assert.match(output, /﹣ test\/runner\/failing\/needs\.ts: a test is skipped # needs a program/);
});
