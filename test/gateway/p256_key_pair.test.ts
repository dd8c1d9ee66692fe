import assert from 'node:assert/strict';
import { test } from 'node:test';
import { p256 as noble } from '@noble/curves/nist.js';
import fc from 'fast-check';
import { bytesOfHex, hex } from '../../src/core/base/bytes.ts';
import { newP256KeyPair, p256PublicKey } from '../../src/gateway/base/p256_key_pair.ts';

const order = noble.Point.CURVE().n;
const bytesOf = (scalar: bigint) =>
  bytesOfHex(scalar.toString(16).padStart(64, '0')) ?? assert.fail();

test('the public key equals that of another library', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: order - 1n }), (scalar) => {
      const privateKey = bytesOf(scalar);
      assert.equal(p256PublicKey(privateKey), hex(noble.getPublicKey(privateKey, true)));
    }),
    { numRuns: 50 },
  );
});

test('private keys out of range are refused', () => {
  for (const scalar of [0n, order, order + 1n, 2n ** 256n - 1n]) {
    assert.equal(p256PublicKey(bytesOf(scalar)), undefined);
  }
  for (const scalar of [1n, order - 1n]) assert.notEqual(p256PublicKey(bytesOf(scalar)), undefined);
});

test('a key pair is drawn until it is in range, keeps leading zeros, and wipes unused bytes', () => {
  const small = bytesOf(7n);
  const drawn = [bytesOf(0n), bytesOf(order), small];
  const pair = newP256KeyPair(() => drawn.shift() ?? assert.fail('it drew again'));
  assert.equal(pair.apiPrivateKey, `${'0'.repeat(63)}7`);
  assert.equal(pair.apiPublicKey, hex(noble.getPublicKey(bytesOf(7n), true)));
  assert.deepEqual(small, new Uint8Array(32));
});
