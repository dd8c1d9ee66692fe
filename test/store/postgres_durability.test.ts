import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDurability } from '../../src/store/postgres/durability.ts';

test('a doubt ends only by a confirmed commit that started after it', () => {
  const durability = createDurability(() => 0);
  assert.equal(durability.isInDoubt(), false);
  const early = durability.begin();
  durability.doubt();
  early();
  assert.equal(durability.isInDoubt(), true);
  const between = durability.begin();
  durability.doubt();
  between();
  assert.equal(durability.isInDoubt(), true);
  durability.begin()();
  assert.equal(durability.isInDoubt(), false);
  early();
  assert.equal(durability.isInDoubt(), false);
});

test('a commit is due on a node without writes, and without it the node is late', () => {
  let nowMs = 0;
  const durability = createDurability(() => nowMs);
  const states = [0, 4_999, 5_000, 15_000, 15_001].map((ms) => {
    nowMs = ms;
    return `${durability.isDue()} ${durability.isLate()}`;
  });
  assert.deepEqual(states, ['false false', 'false false', 'true false', 'true false', 'true true']);
  durability.begin()();
  assert.equal(durability.isDue(), false);
  assert.equal(durability.isLate(), false);
  durability.doubt();
  assert.equal(durability.isDue(), true);
});
