// A file with a test that never ends, beside a process in a session of its own. It is run by
// test/runner/interrupted.test.ts alone, and connects to it once it has begun.

import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { test } from 'node:test';

test('one that never ends', async () => {
  spawn('sleep', [process.env['MARK'] ?? ''], { detached: true, stdio: 'ignore' });
  connect(Number(process.env['PORT']), '127.0.0.1');
  await new Promise(() => {});
});
