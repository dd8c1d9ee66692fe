// Checks that the run ends a test file that fails while it loads, kills its processes and reports them.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { watchDescendants } from './descendants.ts';
import { reportOf } from './report_of.ts';
import { sleepsMarked } from './sleeps.ts';

const needsProc = process.platform === 'linux' ? false : 'processes are read from /proc';

test('a file that fails while it loads ends, and leaves nothing behind', {
  skip: needsProc,
}, async () => {
  // A number of seconds that no other `sleep` process uses.
  const mark = `9${String(process.pid).padStart(7, '0')}`;
  const output = await reportOf('at_load.ts', {
    words: ['--grace', '200'],
    variables: { MARK: mark },
  });
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
