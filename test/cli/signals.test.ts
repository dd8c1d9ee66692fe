import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSignals, sameSignalMs } from '../../src/cli/service/running_service.ts';

test('signals within two seconds count as one, and a later one as another', () => {
  const isFollowed = createSignals();
  const moments = [10_000, 10_000, 10_001, 10_000 + sameSignalMs - 1];
  assert.deepEqual(moments.map(isFollowed), [true, false, false, false]);
  assert.equal(isFollowed(10_000 + sameSignalMs), true);
  assert.equal(isFollowed(10_000 + sameSignalMs + 1), false);
});
