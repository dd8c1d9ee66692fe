import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { p256 } from '@noble/curves/nist.js';
import { p256PublicKey, signP256 } from './p256.ts';

test('keys and signatures equal those of @noble/curves, byte for byte', () => {
  for (let i = 0; i < 200; i += 1) {
    const privateKey = Uint8Array.from(
      createHash('sha256')
        .update(`key ${i % 20}`)
        .digest(),
    );
    const message = Uint8Array.from(createHash('sha512').update(`message ${i}`).digest()).subarray(
      i % 60,
    );
    for (const format of ['der', 'compact'] as const) {
      const expected = p256.sign(message, privateKey, { format });
      assert.deepEqual(signP256(message, privateKey, format), Uint8Array.from(expected));
    }
    for (const isCompressed of [true, false]) {
      const expected = p256.getPublicKey(privateKey, isCompressed);
      assert.deepEqual(p256PublicKey(privateKey, isCompressed), Uint8Array.from(expected));
    }
  }
});
