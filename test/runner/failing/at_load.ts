// A file of tests that fails while it loads, after it has started something that nothing stops. It is
// run by test/runner/left_behind.test.ts alone.

import { spawn } from 'node:child_process';
import { test } from 'node:test';

// Imitates a browser or a server: runs in a session of its own, started through an intermediate process.
spawn('sh', ['-c', `sleep ${process.env['MARK']} & sleep ${process.env['MARK']}`], {
  detached: true,
  stdio: ['ignore', 'pipe', 'inherit'],
});
test('one that passes', () => {});
throw new Error('it fails while it loads');
