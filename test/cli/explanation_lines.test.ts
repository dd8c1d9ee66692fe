// Lines that the command line prints about a transaction before it is signed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explanationLines } from '../../src/cli/output/transactions.ts';

test('the lines of a call have its arguments without invisible characters', () => {
  const text = 'Calls withdraw(address,uint256) of 0xA0b8, as the stored interface describes it.';
  const explanation = {
    summary: '0x97D3 calls withdraw of 0xA0b8 on chain 1.',
    effects: [
      {
        kind: 'CALL',
        text,
        arguments: [
          { name: 'to', value: '0x7434' },
          { name: 'note', value: '"a\u202eb"' },
        ],
      },
      { kind: 'VALIDITY', text: 'It is valid before noon.' },
    ],
    warnings: [],
  };
  const lines = explanationLines(explanation).slice(2);
  assert.deepEqual(lines.slice(0, 2), [`  - ${text}`, '      to: 0x7434']);
  assert.match(String(lines[2]), /^ {6}note: "a[^\u202e]+b"$/);
  assert.deepEqual(lines.slice(3), ['  - It is valid before noon.']);
});
