// Compares BIP-340 signatures beyond the vectors with an implementation that shares no code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secp256k1 as nobleSecp256k1, schnorr } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { concatBytes } from '../../../src/core/base/bytes.ts';
import { orders } from '../../../src/core/crypto/scalars.ts';
import { signSchnorr, signSchnorrAll, verifySchnorr } from '../../../src/core/crypto/schnorr.ts';
import {
  multiplyPrivateKey,
  multiplyPublicKey,
  secp256k1,
} from '../../../src/core/crypto/secp256k1.ts';

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
      assert(verifySchnorr(schnorr.getPublicKey(key), concatBytes(r, s), signed));
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

test('changed signatures, keys and messages do not verify', () => {
  fc.assert(
    fc.property(scalar, bytes32, fc.nat(64 * 8 - 1), (key, signed, bit) => {
      const publicKey = schnorr.getPublicKey(key);
      const signature = schnorr.sign(signed, key);
      assert(verifySchnorr(publicKey, signature, signed));
      assert(!verifySchnorr(publicKey, flipped(signature, bit), signed));
      assert(!verifySchnorr(publicKey, signature, flipped(signed, bit % 256)));
      assert(!verifySchnorr(flipped(publicKey, bit % 256), signature, signed));
    }),
    runs,
  );
});

test('an s of zero or at the order, and an r of no point, do not verify', () => {
  const key = new Uint8Array(32).fill(7);
  const signed = new Uint8Array(32);
  const publicKey = schnorr.getPublicKey(key);
  const signature = schnorr.sign(signed, key);
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
  const zero = new Uint8Array(32);
  const largest = new Uint8Array(32).fill(0xff);
  for (const other of [zero, orders.secp256k1, largest]) {
    assert(!verifySchnorr(publicKey, concatBytes(r, other), signed));
    assert(!verifySchnorr(publicKey, concatBytes(other, s), signed));
    assert(!verifySchnorr(other, signature, signed));
  }
  for (const length of [0, 31, 33, 63, 65]) {
    assert(!verifySchnorr(new Uint8Array(length), signature, signed));
    assert(!verifySchnorr(publicKey, new Uint8Array(length), signed));
  }
});

test('signing requires a private key in range and auxiliary bytes of the right length', () => {
  const one = new Uint8Array(32).with(31, 1);
  for (const other of [new Uint8Array(32), orders.secp256k1, new Uint8Array(31)]) {
    assert.throws(() => signSchnorr(other, one), /the private key is in range/);
  }
  assert.throws(() => signSchnorr(one, one, new Uint8Array(31)), /auxiliary bytes/);
});

test('products of private and public keys agree with noble, and match', () => {
  const { Fn } = nobleSecp256k1.Point;
  fc.assert(
    fc.property(scalar, scalar, (key, factor) => {
      const product = multiplyPrivateKey(key, factor);
      assert.deepEqual(product, Fn.toBytes(Fn.mul(Fn.fromBytes(key), Fn.fromBytes(factor))));
      const point = multiplyPublicKey(secp256k1.publicKeyOf(key), factor);
      assert.deepEqual(point, secp256k1.publicKeyOf(product));
    }),
    runs,
  );
  const one = new Uint8Array(32).with(31, 1);
  for (const factor of [new Uint8Array(32), orders.secp256k1]) {
    assert.throws(() => multiplyPrivateKey(one, factor), /the factor is in range/);
    assert.throws(() => multiplyPublicKey(new Uint8Array(33), factor), /the factor is in range/);
  }
  assert.throws(() => multiplyPublicKey(new Uint8Array(33), one), /on secp256k1/);
});

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const i = bit >> 3;
  return bytes.with(i, Number(bytes[i]) ^ (1 << (bit & 7)));
}
