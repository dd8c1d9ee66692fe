import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hex } from '../../../src/core/base/bytes.ts';
import {
  addScalars,
  isScalar,
  multiplicationModulo,
  negateScalar,
  orders,
  scalarOfDigest,
} from '../../../src/core/crypto/scalars.ts';

const numberOf = (bytes: Uint8Array) => BigInt(`0x${hex(bytes)}`);
const bytesOf = (number: bigint) => Uint8Array.fromHex(number.toString(16).padStart(64, '0'));

for (const [name, order] of Object.entries(orders)) {
  const n = numberOf(order);
  // Half of the numbers are near the ends of the range, where carries and borrows occur.
  const anyNumber = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    fc.bigInt({ min: 0n, max: 300n }),
    fc.bigInt({ min: n - 300n, max: n + 300n }),
  );
  const scalar = anyNumber.map((number) => number % n);

  const multiply = multiplicationModulo(order);

  test(`arithmetic modulo the order of ${name} agrees with big integers`, () => {
    fc.assert(
      fc.property(scalar, scalar, anyNumber, (a, b, digest) => {
        assert.equal(numberOf(addScalars(bytesOf(a), bytesOf(b), order)), (a + b) % n);
        assert.equal(numberOf(multiply(bytesOf(a), bytesOf(b))), (a * b) % n);
        if (a !== 0n) assert.equal(numberOf(negateScalar(bytesOf(a), order)), n - a);
        assert.equal(numberOf(scalarOfDigest(bytesOf(digest), order)), digest % n);
        assert.equal(isScalar(bytesOf(digest), order), digest > 0n && digest < n);
      }),
      { numRuns: 500 },
    );
  });

  test(`the range of ${name} ends at the order`, () => {
    assert(!isScalar(bytesOf(0n), order));
    assert(isScalar(bytesOf(1n), order));
    assert(isScalar(bytesOf(n - 1n), order));
    assert(!isScalar(bytesOf(n), order));
    assert(!isScalar(new Uint8Array(31).fill(1), order));
    assert(!isScalar(new Uint8Array(33).fill(1), order));
  });

  test(`the arithmetic of ${name} leaves its arguments unchanged`, () => {
    const [a, b] = [bytesOf(n - 1n), bytesOf(n - 2n)];
    addScalars(a, b, order);
    multiply(a, b);
    negateScalar(a, order);
    scalarOfDigest(a, order);
    assert.deepEqual([a, b], [bytesOf(n - 1n), bytesOf(n - 2n)]);
    assert.equal(numberOf(order), n);
  });
}
