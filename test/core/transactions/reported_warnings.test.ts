import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportedInterfaceWarnings } from '../../../src/core/transactions/headline/reported_warnings.ts';

test('a reader shows the reported texts about interfaces, and ignores all other reports', () => {
  const code = 'NOT_DECODED';
  const warnings = [
    { code, text: 'a' },
    { code: 'NAME_OF_ANOTHER_CALL', text: 'b' },
    { code: 'HIGH_FEE', text: 'c' },
    { code },
    // An object without a form as text.
    { code, text: { toString: 1, valueOf: 1 } },
    null,
    7,
  ];
  assert.deepEqual(reportedInterfaceWarnings({ explanation: { warnings } }), ['a', 'b']);
  assert.deepEqual(reportedInterfaceWarnings({ explanation: { warnings: 'a' } }), []);
  assert.deepEqual(reportedInterfaceWarnings({}), []);
});
