// A file of tests that fails while it loads, after it has started something that nothing stops. It is
// run by test/runner/left_behind.test.ts alone.

import { spawn } from 'node:child_process';
import { test } from 'node:test';

// As a browser or a server does: in a session of its own, and not through its first process.
spawn('sh', ['-c', `sleep ${process.env['MARK']} & sleep ${process.env['MARK']}`], {
  detached: true,
  stdio: ['ignore', 'pipe', 'inherit'],
});
test('one that passes', () => {});
throw new Error('it fails while it loads');
