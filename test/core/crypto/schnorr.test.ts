// Compares BIP-340 signatures beyond the vectors with an implementation that shares no code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secp256k1 as nobleSecp256k1, schnorr } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { concatBytes } from '../../../src/core/base/bytes.ts';
import { orders } from '../../../src/core/crypto/scalars.ts';
import { signSchnorr, signSchnorrAll } from '../../../src/core/crypto/schnorr.ts';
import { multiplyPrivateKey, secp256k1 } from '../../../src/core/crypto/secp256k1.ts';

const runs = { numRuns: 60 };
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const scalar = bytes32.filter(secp256k1.isPrivateKey);
const message = fc.oneof(bytes32, fc.uint8Array({ maxLength: 200 }));

test('signatures agree with noble for any key, message and auxiliary bytes', () => {
  fc.assert(
    fc.property(scalar, message, bytes32, (key, signed, auxiliaryBytes) => {
      const given = Uint8Array.from(key);
      const { r, s, v } = signSchnorr(key, signed, auxiliaryBytes);
      assert.deepEqual(concatBytes(r, s), schnorr.sign(signed, key, auxiliaryBytes));
      assert.equal(v, 0);
      assert.deepEqual(key, given);
    }),
    runs,
  );
});

test('a batch of messages gets the same signatures as single messages', () => {
  fc.assert(
    fc.property(
      scalar,
      fc.array(message, { maxLength: 4 }),
      bytes32,
      (key, messages, auxiliary) => {
        const oneByOne = messages.map((signed) => signSchnorr(key, signed, auxiliary));
        assert.deepEqual(signSchnorrAll(key, messages, auxiliary), oneByOne);
      },
    ),
    runs,
  );
});

test('only private keys in range and auxiliary bytes of their length sign', () => {
  const one = new Uint8Array(32).with(31, 1);
  for (const other of [new Uint8Array(32), orders.secp256k1, new Uint8Array(31)]) {
    assert.throws(() => signSchnorr(other, one), /the private key is in range/);
  }
  assert.throws(() => signSchnorr(one, one, new Uint8Array(31)), /auxiliary bytes/);
});

test('products of keys agree with noble', () => {
  const { Fn } = nobleSecp256k1.Point;
  fc.assert(
    fc.property(scalar, scalar, (key, factor) => {
      const product = multiplyPrivateKey(key, factor);
      assert.deepEqual(product, Fn.toBytes(Fn.mul(Fn.fromBytes(key), Fn.fromBytes(factor))));
    }),
    runs,
  );
  const one = new Uint8Array(32).with(31, 1);
  for (const factor of [new Uint8Array(32), orders.secp256k1]) {
    assert.throws(() => multiplyPrivateKey(one, factor), /the factor is in range/);
  }
});
