import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHmacDrbg } from '@noble/curves/utils.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { concatBytes } from '../../../src/core/base/bytes.ts';
import { deterministicScalars } from '../../../src/core/crypto/rfc6979.ts';
import { isScalar } from '../../../src/core/crypto/scalars.ts';

test('numbers out of range are passed over as the standard says', () => {
  const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
  // Only one number of four is below this order; nearly all are below a real order.
  const order = new Uint8Array(32).with(0, 0x40);
  fc.assert(
    fc.property(bytes32, bytes32, fc.integer({ min: 1, max: 4 }), (key, digest, count) => {
      const expected: Uint8Array[] = [];
      createHmacDrbg<true>(32, 32, (secret: Uint8Array, message: Uint8Array) =>
        hmac(sha256, secret, message),
      )(concatBytes(key, digest), (candidate) => {
        if (isScalar(candidate, order)) expected.push(Uint8Array.from(candidate));
        return expected.length === count ? true : undefined;
      });
      assert.deepEqual(deterministicScalars(key, digest, order, count), expected);
    }),
    { numRuns: 50 },
  );
});
