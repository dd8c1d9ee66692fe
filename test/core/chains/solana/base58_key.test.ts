// Compares base58 of keys with the general conversion.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base58 } from '@scure/base';
import fc from 'fast-check';
import { base58Key } from '../../../../src/core/chains/solana/base58_key.ts';

test('the base58 of a key is that of the general conversion', () => {
  const edges = [
    new Uint8Array(32),
    new Uint8Array(32).fill(0xff),
    Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? 1 : 0)),
    Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0)),
    Uint8Array.from({ length: 32 }, (_, i) => (i === 1 ? 57 : 0)),
  ];
  for (const key of edges) assert.equal(base58Key(key), base58.encode(key));
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.nat({ max: 32 }),
      (key, zeros) => {
        key.fill(0, 0, zeros);
        assert.equal(base58Key(key), base58.encode(key));
      },
    ),
    { numRuns: 500 },
  );
});
