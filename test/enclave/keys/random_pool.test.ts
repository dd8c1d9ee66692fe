import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRandomPool } from '../../../src/enclave/keys/random_pool.ts';
import { outsideOfHeap } from '../../support/outside_of_heap.ts';

/** A source whose bytes tell their place in all that it ever gave: 1 to 251, never 0. */
function countingSource() {
  const pools: Uint8Array[] = [];
  let given = 0;
  return {
    pools,
    fill: (bytes: Uint8Array) => {
      pools.push(bytes);
      for (let i = 0; i < bytes.length; i += 1) {
        bytes[i] = (given % 251) + 1;
        given += 1;
      }
    },
  };
}

test('gives the lengths asked for, of bytes that were never given before', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 40 }), (lengths) => {
      const { fill } = countingSource();
      const random = createRandomPool(fill);
      let last: number | undefined;
      for (const length of lengths) {
        const bytes = random(length);
        assert.equal(bytes.length, length);
        for (const [i, byte] of bytes.entries()) {
          assert.notEqual(byte, 0);
          // Within one answer the source is read in order, nothing twice.
          if (i > 0) assert.equal(byte, ((last ?? 0) % 251) + 1);
          last = byte;
        }
      }
    }),
  );
});

test('two answers never share bytes of the pool, and none of them stays in it', () => {
  const { fill, pools } = countingSource();
  const random = createRandomPool(fill);
  const first = random(100);
  const second = random(100);
  assert.notDeepEqual(first, second);
  assert.equal(pools.length, 1);
  assert.ok(pools[0]?.subarray(0, 200).every((byte) => byte === 0));
  assert.ok(pools[0]?.subarray(200).every((byte) => byte !== 0));
  first.fill(0);
  assert.ok(second.every((byte) => byte !== 0));
});

test('what does not fit the rest of the pool starts a new one', () => {
  const { fill, pools } = countingSource();
  const random = createRandomPool(fill);
  random(8000);
  random(200);
  assert.equal(pools.length, 2);
  assert.ok(pools[0]?.subarray(0, 200).every((byte) => byte === 0));
});

test('what may become a key lies outside of the heap of JavaScript', () => {
  const random = createRandomPool(() => undefined);
  assert(outsideOfHeap(() => random(32)));
});
