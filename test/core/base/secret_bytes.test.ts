import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  concatBytes,
  concatSecrets,
  copyOfSecret,
  secretBytes,
} from '../../../src/core/base/bytes.ts';
import { outsideOfHeap } from '../../support/outside_of_heap.ts';

test('secrets of any length are outside of the JavaScript heap', () => {
  const secret = new Uint8Array(32).fill(7);
  assert.deepEqual(secretBytes(3), new Uint8Array(3));
  assert.deepEqual(copyOfSecret(secret), secret);
  assert.deepEqual(concatSecrets(secret, secret), concatBytes(secret, secret));
  const makers = [
    () => secretBytes(32),
    () => copyOfSecret(secret),
    () => concatSecrets(secret, Uint8Array.of(1)),
  ];
  for (const make of makers) assert(outsideOfHeap(make), String(make));
  assert(!outsideOfHeap(() => new Uint8Array(32)), 'or else this shows nothing');
});
