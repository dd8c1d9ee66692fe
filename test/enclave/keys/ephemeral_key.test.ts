import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../../src/core/base/bytes.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { p256, uncompressedPoint } from '../../../src/core/crypto/p256.ts';
import { verifyP256 } from '../../../src/core/crypto/verify.ts';
import { createEphemeralKey } from '../../../src/enclave/keys/ephemeral_key.ts';

test('random bytes that are not a valid key are skipped, and the key signs', () => {
  // The first of each pair is above the order of the curve.
  const drawn = [0xff, 7, 0xff, 8].map((byte) => new Uint8Array(32).fill(byte));
  const key = createEphemeralKey(() => drawn.shift() ?? assert.fail('no more is drawn'));
  assert.equal(drawn.length, 0);
  const pointOf = (byte: number) =>
    hex(uncompressedPoint(p256.publicKeyOf(new Uint8Array(32).fill(byte))) ?? new Uint8Array(0));
  assert.equal(hex(key.publicKey), pointOf(8) + pointOf(7));
  const message = Uint8Array.of(1, 2, 3);
  const point = p256.parsePublicKey(key.publicKey.subarray(65));
  assert.ok(point);
  assert.ok(verifyP256(point, key.sign(sha256(message)), message));
});
