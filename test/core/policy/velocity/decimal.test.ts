import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimalOf } from '../../../../src/core/policy/velocity/decimal.ts';

test('decimalOf: reads exact decimals, in one spelling', () => {
  assert.deepEqual(decimalOf('0'), { digits: 0n, places: 0 });
  assert.deepEqual(decimalOf('10000'), { digits: 10_000n, places: 0 });
  assert.deepEqual(decimalOf('0.25'), { digits: 25n, places: 2 });
  assert.deepEqual(decimalOf('1.500'), { digits: 1_500n, places: 3 });
  const longest = `${'9'.repeat(20)}.${'9'.repeat(18)}`;
  assert.deepEqual(decimalOf(longest), { digits: 10n ** 38n - 1n, places: 18 });
  assert.equal(decimalOf('9'.repeat(38))?.digits, 10n ** 38n - 1n);
});

test('decimalOf: refuses text that is no decimal number', () => {
  const refused = ['', '.5', '1.', '01', '-1', '+1', '1e3', '1,5', ' 1', '1 ', '1.5.5', '٣'];
  const tooLong = ['9'.repeat(39), `1.${'0'.repeat(19)}`, `${'9'.repeat(21)}.${'9'.repeat(18)}`];
  for (const text of [...refused, ...tooLong]) assert.equal(decimalOf(text), undefined, text);
});
