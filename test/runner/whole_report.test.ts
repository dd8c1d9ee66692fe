// Checks that a run reports every test of a file, because an unreported failure or skip is overlooked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportOf } from './report_of.ts';

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
