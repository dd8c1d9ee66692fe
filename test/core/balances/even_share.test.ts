import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evenShare } from '../../../src/core/balances/even_share.ts';

test('all demands are met while the supply suffices', () => {
  for (const wanted of [[], [0], [10], [4, 6], [1, 2, 3, 4]]) {
    assert.equal(evenShare(wanted, 10), Number.POSITIVE_INFINITY, String(wanted));
  }
});

test('a small demand is met in full next to large demands', () => {
  assert.equal(evenShare([11], 10), 10);
  assert.equal(evenShare([1_000, 3], 10), 7);
  assert.equal(evenShare([1_000, 3, 1_000], 10), 3);
  assert.equal(evenShare([100, 2, 100, 1], 10), 3);
  assert.equal(
    evenShare(
      Array.from({ length: 11 }, () => 1),
      10,
    ),
    0,
  );
});

test('the share is the largest that fits all', () => {
  for (let total = 0; total < 40; total += 1) {
    const wanted = [7, 1, 12, 3, 3, 20];
    const sum = (share: number) => wanted.reduce((all, each) => all + Math.min(each, share), 0);
    const share = evenShare(wanted, total);
    assert.ok(sum(share) <= total && sum(share + 1) > total, `${total}: ${share}`);
  }
});
