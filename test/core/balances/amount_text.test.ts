import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountText } from '../../../src/core/balances/amount_text.ts';

test('an amount is written exactly, with a point and without trailing zeros', () => {
  for (const [amount, decimals, text] of [
    ['0', 18, '0'],
    ['1', 18, '0.000000000000000001'],
    ['1500000', 6, '1.5'],
    ['1000000', 6, '1'],
    ['100', 0, '100'],
    [String(2n ** 256n - 1n), 0, String(2n ** 256n - 1n)],
  ] as const) {
    assert.equal(amountText(amount, decimals), text);
  }
});

test('the text of an amount keeps every digit', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n }), fc.integer({ min: 0, max: 255 }), (amount, decimals) => {
      const [whole = '', fraction = ''] = amountText(String(amount), decimals).split('.');
      assert.equal(BigInt(whole + fraction.padEnd(decimals, '0')), amount);
      assert.match(`${whole}.${fraction}`, /^(?:0|[1-9]\d*)\.(?:\d*[1-9])?$/);
    }),
  );
});
