// Checks that a run reports every test of a file, because an unreported failure or skip is overlooked.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

test('the report of a run has each test, each failure and each skip', async () => {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', 'run.ts'), 'test/runner/failing/many.ts'],
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
  for (const line of ['tests 1000', 'pass 998', 'fail 1', 'skipped 1']) {
    assert.ok(output.includes(`ℹ ${line}\n`), line);
  }
  assert.match(output, /the reason of the last but one/);
});
