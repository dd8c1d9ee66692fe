// Checks that an interrupted run ends at once, with all processes of its tests.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { sleepsMarked } from './sleeps.ts';

test('an interrupted run ends at once and leaves no process behind', {
  skip: process.platform === 'linux' ? false : 'processes are read from /proc',
}, async () => {
  // A number of seconds that no other `sleep` process uses.
  const mark = `7${String(process.pid).padStart(7, '0')}`;
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const run = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', 'run.ts'), 'test/runner/failing/hangs.ts'],
    {
      cwd: join(import.meta.dirname, '../..'),
      env: { PATH: process.env['PATH'], MARK: mark, PORT: String(address.port) },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const ended = once(run, 'exit');
  await once(server, 'connection');
  server.close();
  assert.equal(sleepsMarked(mark).length, 1);
  run.kill('SIGINT');
  assert.deepEqual(await ended, [1, null]);
  assert.deepEqual(sleepsMarked(mark), []);
});
