import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createFairPool, type FairPool } from '../../src/gateway/admission/fair_pool.ts';

/** Takes one at a time until the pool refuses; returns the number. */
function takeAll(pool: FairPool, source: string): number {
  let taken = 0;
  while (pool.fits(source, 1)) {
    pool.add(source, 1);
    taken += 1;
  }
  return taken;
}

describe('a source', () => {
  test('gets half of what the others leave', () => {
    const pool = createFairPool({ maximum: 1_024, sharePercent: 50 });
    const taken = ['a', 'b', 'c', 'd', 'e', 'f'].map((source) => takeAll(pool, source));
    assert.deepEqual(taken, [512, 256, 128, 64, 32, 16]);
    assert.ok(pool.fits('a newcomer', 8));
  });

  test('above its current share gets no more until it has returned some', () => {
    const pool = createFairPool({ maximum: 90, sharePercent: 50 });
    assert.equal(takeAll(pool, 'a'), 45);
    assert.equal(takeAll(pool, 'b'), 23);
    assert.ok(!pool.fits('a', 1));
    for (let i = 0; i < 200; i += 1) {
      for (const source of ['a', 'b']) {
        pool.add(source, -1);
        takeAll(pool, source === 'a' ? 'b' : 'a');
      }
    }
    const shares = ['a', 'b'].map((source) => pool.heldBy(source));
    assert.ok(
      shares.every((share) => share >= 28 && share <= 32),
      `a third each, and a third is left: ${shares}`,
    );
  });

  test('gets the whole rest if the share is everything', () => {
    const pool = createFairPool({ maximum: 10, sharePercent: 100 });
    assert.equal(takeAll(pool, 'a'), 10);
    assert.ok(!pool.fits('b', 1));
  });

  test('that holds nothing gets the least in any case, within the reserve', () => {
    const pool = createFairPool({ maximum: 8, sharePercent: 50, alwaysEach: 1, reserve: 2 });
    const sources = Array.from({ length: 20 }, (_, i) => `source ${i}`);
    const taken = sources.map((source) => takeAll(pool, source));
    assert.equal(pool.held(), 10);
    assert.deepEqual(taken.slice(0, 3), [4, 2, 1]);
    assert.equal(taken.filter((count) => count === 0).length, 20 - 6);
    pool.add('source 0', -4);
    assert.ok(pool.fits('source 19', 1));
  });

  test('that overdraws does not reduce the use of others', () => {
    const pool = createFairPool({ maximum: 100, sharePercent: 50 });
    pool.add('a', 1_000_000);
    assert.ok(!pool.fits('a', 1));
    assert.equal(takeAll(pool, 'b'), 25);
    assert.equal(pool.largest(), 'a');
    pool.add('a', -1_000_000);
    assert.equal(pool.held(), 25);
    assert.equal(pool.sources(), 1);
    assert.equal(pool.largest(), 'b');
  });
});

test('an empty pool stores no source', () => {
  const pool = createFairPool({ maximum: 10, sharePercent: 50 });
  pool.add('a', 3);
  pool.add('a', -3);
  assert.equal(pool.held(), 0);
  assert.equal(pool.sources(), 0);
  assert.equal(pool.largest(), undefined);
});
