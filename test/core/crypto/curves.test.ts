// ENUM-02: the three curves, each compared with an implementation that shares no code with them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { concatBytes, hex } from '../../../src/core/base/bytes.ts';
import { curveNames } from '../../../src/core/base/enums.ts';
import { namesOf } from '../../../src/core/base/table.ts';
import type { Signature } from '../../../src/core/crypto/curve.ts';
import { curves } from '../../../src/core/crypto/curves.ts';
import { orders } from '../../../src/core/crypto/scalars.ts';
import { addToPrivateKey, addToPublicKey } from '../../../src/core/crypto/secp256k1.ts';

const runs = { numRuns: 200 };
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const recovered = { prehash: false, lowS: true, format: 'recovered' } as const;

const weierstrassRows = [
  { curve: curves.CURVE_SECP256K1, noble: secp256k1, order: orders.secp256k1 },
  { curve: curves.CURVE_P256, noble: p256, order: orders.p256 },
];

const joined = ({ r, s }: Signature) => concatBytes(r, s);

test('the table holds every curve under its name', () => {
  assert.deepEqual(namesOf(curves), curveNames);
});

for (const { curve, noble, order } of weierstrassRows) {
  const { name, publicKeyOf, parsePublicKey, isPublicKey, isPrivateKey, uncompressed } = curve;
  const privateKey = bytes32.filter(isPrivateKey);
  const examplePrivateKey = new Uint8Array(32).fill(7);
  const examplePublicKey = publicKeyOf(examplePrivateKey);

  test(`${name}: keys agree with noble`, () => {
    fc.assert(
      fc.property(privateKey, (key) => {
        const publicKey = publicKeyOf(key);
        assert.deepEqual(publicKey, noble.getPublicKey(key, true));
        assert.deepEqual(uncompressed(publicKey), noble.getPublicKey(key, false));
        assert.deepEqual(parsePublicKey(uncompressed(publicKey)), publicKey);
        assert.deepEqual(parsePublicKey(publicKey), publicKey);
      }),
      runs,
    );
  });

  // RFC 6979 reduces digests at or above the order, which are too rare to occur by chance.
  const digest = fc.oneof(
    bytes32,
    fc.constant(order),
    fc.constant(new Uint8Array(32)),
    fc.constant(new Uint8Array(32).fill(0xff)),
  );

  test(`${name}: signatures agree with noble, are low and recover the key`, () => {
    fc.assert(
      fc.property(privateKey, digest, (key, signedDigest) => {
        const signature = curve.sign(key, signedDigest);
        const theirs = noble.sign(signedDigest, key, recovered);
        assert.deepEqual(concatBytes(Uint8Array.of(signature.v), joined(signature)), theirs);
        assert(BigInt(`0x${hex(signature.s)}`) <= BigInt(`0x${hex(order)}`) / 2n);
        const publicKey = noble.recoverPublicKey(theirs, signedDigest, { prehash: false });
        assert.deepEqual(publicKey, publicKeyOf(key));
      }),
      runs,
    );
  });

  test(`${name}: points agree with noble about being on the curve`, () => {
    const isPoint = (bytes: Uint8Array) => noble.utils.isValidPublicKey(bytes, true);
    fc.assert(
      fc.property(fc.constantFrom(2, 3), bytes32, (sign, x) => {
        const candidate = concatBytes(Uint8Array.of(sign), x);
        assert.equal(isPublicKey(candidate), isPoint(candidate));
        assert.deepEqual(parsePublicKey(candidate), isPoint(candidate) ? candidate : undefined);
      }),
      runs,
    );
  });

  test(`${name}: invalid public keys are refused`, () => {
    const full = uncompressed(examplePublicKey);
    const isOdd = (Number(full[64]) & 1) === 1;
    const hybrid = Uint8Array.from(full);
    hybrid[0] = isOdd ? 7 : 6;
    const offCurve = Uint8Array.from(full);
    offCurve[64] = Number(offCurve[64]) ^ 1;
    const others = [
      new Uint8Array(0),
      Uint8Array.of(0),
      new Uint8Array(33),
      new Uint8Array(65),
      examplePublicKey.subarray(1),
      concatBytes(examplePublicKey, Uint8Array.of(0)),
      concatBytes(Uint8Array.of(4), examplePublicKey.subarray(1)),
      concatBytes(Uint8Array.of(2), new Uint8Array(32).fill(0xff)),
      concatBytes(full, Uint8Array.of(0)),
      hybrid,
      offCurve,
    ];
    for (const other of others) {
      assert.equal(parsePublicKey(other), undefined, hex(other));
      assert.equal(isPublicKey(other), false, hex(other));
      assert.throws(() => uncompressed(other), /the public key is on/);
    }
    assert.equal(isPublicKey(full), false, 'only the compressed form counts as a public key');
  });

  test(`${name}: private keys run from 1 to the order`, () => {
    const last = Uint8Array.from(order);
    last[31] = Number(last[31]) - 1;
    assert(isPrivateKey(last));
    for (const none of [new Uint8Array(32), order, last.subarray(1)]) {
      assert(!isPrivateKey(none));
      assert.throws(() => publicKeyOf(none), /the private key is in range/);
      assert.throws(() => curve.sign(none, new Uint8Array(32)), /the private key is in range/);
    }
  });

  test(`${name}: only digests of 32 bytes are signed`, () => {
    for (const length of [0, 31, 33, 64]) {
      const other = new Uint8Array(length);
      assert.throws(() => curve.sign(examplePrivateKey, other), /a digest has 32 bytes/);
    }
  });
}

test('CURVE_ED25519: keys and signatures agree with noble', () => {
  const { publicKeyOf, sign, isPublicKey, uncompressed } = curves.CURVE_ED25519;
  fc.assert(
    fc.property(bytes32, fc.uint8Array({ maxLength: 200 }), (key, message) => {
      const publicKey = publicKeyOf(key);
      assert.deepEqual(publicKey, ed25519.getPublicKey(key));
      assert(isPublicKey(publicKey));
      assert.deepEqual(uncompressed(publicKey), publicKey);
      const signature = sign(key, message);
      assert.deepEqual(joined(signature), ed25519.sign(message, key));
      assert.equal(signature.v, 0);
    }),
    runs,
  );
});

test('CURVE_ED25519: invalid public keys are refused', () => {
  const { isPublicKey, parsePublicKey } = curves.CURVE_ED25519;
  const others = [
    new Uint8Array(0),
    new Uint8Array(31),
    new Uint8Array(33),
    // No point has y = 2.
    Uint8Array.fromHex(`02${'00'.repeat(31)}`),
    // Points of order 1, 2, 4 and 8.
    Uint8Array.fromHex(`01${'00'.repeat(31)}`),
    Uint8Array.fromHex(`ec${'ff'.repeat(30)}7f`),
    new Uint8Array(32),
    Uint8Array.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
    // The number 1 encoded as p + 1.
    Uint8Array.fromHex(`ee${'ff'.repeat(30)}7f`),
  ];
  for (const other of others) {
    assert.equal(isPublicKey(other), false, hex(other));
    assert.equal(parsePublicKey(other), undefined, hex(other));
  }
});

test('CURVE_ED25519: only private keys of 32 bytes are used', () => {
  const { isPrivateKey, publicKeyOf, sign } = curves.CURVE_ED25519;
  for (const length of [0, 31, 33, 64]) {
    const other = new Uint8Array(length);
    assert(!isPrivateKey(other));
    assert.throws(() => publicKeyOf(other), /has 32 bytes/);
    assert.throws(() => sign(other, other), /has 32 bytes/);
  }
});

test('tweaks of private and public secp256k1 keys give matching keys', () => {
  const { isPrivateKey, publicKeyOf } = curves.CURVE_SECP256K1;
  const scalar = bytes32.filter(isPrivateKey);
  fc.assert(
    fc.property(scalar, scalar, (key, tweak) => {
      const sum = addToPrivateKey(key, tweak);
      assert(sum !== undefined);
      const { Fn } = secp256k1.Point;
      assert.deepEqual(sum, Fn.toBytes(Fn.add(Fn.fromBytes(key), Fn.fromBytes(tweak))));
      assert.deepEqual(addToPublicKey(publicKeyOf(key), tweak), publicKeyOf(sum));
    }),
    runs,
  );
});

test('tweaks out of range, and sums that are no keys, are refused', () => {
  const one = new Uint8Array(32);
  one[31] = 1;
  const minusOne = Uint8Array.from(orders.secp256k1);
  minusOne[31] = Number(minusOne[31]) - 1;
  const publicKey = curves.CURVE_SECP256K1.publicKeyOf(one);
  for (const tweak of [minusOne, orders.secp256k1, new Uint8Array(32).fill(0xff)]) {
    assert.equal(addToPrivateKey(one, tweak), undefined);
    assert.equal(addToPublicKey(publicKey, tweak), undefined);
  }
  assert.deepEqual(addToPrivateKey(one, new Uint8Array(32)), one);
  assert.equal(addToPublicKey(new Uint8Array(33), one), undefined);
});

for (const name of curveNames) {
  test(`${name}: a private key is never converted to text`, (t) => {
    const { publicKeyOf, sign } = curves[name];
    const key = new Uint8Array(32).fill(0x5a);
    const { toHex } = Uint8Array.prototype;
    const texts: string[] = [];
    t.mock.method(Uint8Array.prototype, 'toHex', function written(this: Uint8Array) {
      texts.push(toHex.call(this));
      return toHex.call(this);
    });
    publicKeyOf(key);
    sign(key, new Uint8Array(32).fill(1));
    assert(!texts.includes(toHex.call(key)));
  });
}
