// Checks that the run ends a test file that fails while it loads, kills its processes and reports them.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { watchDescendants } from './descendants.ts';
import { sleepsMarked } from './sleeps.ts';

const needsProc = process.platform === 'linux' ? false : 'processes are read from /proc';

test('a file that fails while it loads ends, and leaves nothing behind', {
  skip: needsProc,
}, async () => {
  // A number of seconds that no other `sleep` process uses.
  const mark = `9${String(process.pid).padStart(7, '0')}`;
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', 'run.ts'), '--grace', '200', 'test/runner/failing/at_load.ts'],
    {
      cwd: join(import.meta.dirname, '../..'),
      // Hides the outer run from node:test, which would not start a run within a run.
      env: { PATH: process.env['PATH'], MARK: mark },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  const output = await text(child.stdout);
  assert.equal(await ended, 1);
  assert.match(output, /it fails while it loads/);
  assert.match(output, new RegExp(`left behind by the tests, and ended: sleep ${mark}`));
  assert.deepEqual(sleepsMarked(mark), []);
});

test('processes that hide whose they are are found', { skip: needsProc }, async () => {
  const descendants = watchDescendants({ graceMs: 200 });
  const mark = `8${String(process.pid).padStart(7, '0')}`;
  // The intermediate process ends, which orphans the process that it started.
  const between = spawn('sh', ['-c', `sleep ${mark} &`], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...descendants.mark },
  });
  await new Promise((resolve) => between.once('exit', resolve));
  assert.deepEqual(await descendants.end(), [`sleep ${mark}`]);
  assert.deepEqual(await watchDescendants({ graceMs: 200 }).end(), []);
});
