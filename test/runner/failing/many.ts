// A file of many tests, of which the last but one fails and the last is skipped. It is run by
// test/runner/whole_report.test.ts alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';

for (let i = 0; i < 998; i += 1) test(`one that passes, ${i}`, () => {});
test('one that fails', () => assert.fail('the reason of the last but one'));
test('one that is skipped', { skip: 'for a reason' }, () => {});
