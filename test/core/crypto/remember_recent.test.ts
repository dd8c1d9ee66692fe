import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rememberRecent } from '../../../src/core/crypto/remember_recent.ts';

test('only the most recently requested results are cached', () => {
  const asked: number[] = [];
  const find = rememberRecent(2, ([key = 0]) => {
    asked.push(key);
    return key * 10;
  });
  const results = [1, 2, 1, 3, 1, 2].map((key) => find(Uint8Array.of(key)));
  assert.deepEqual(results, [10, 20, 10, 30, 10, 20]);
  // Key 2 was evicted, since 1 was requested after it.
  assert.deepEqual(asked, [1, 2, 3, 2]);
});

test('a missing result is not cached', () => {
  let count = 0;
  const find = rememberRecent(2, () => {
    count += 1;
    return undefined;
  });
  assert.equal(find(Uint8Array.of(1)), undefined);
  assert.equal(find(Uint8Array.of(1)), undefined);
  assert.equal(count, 2);
});
