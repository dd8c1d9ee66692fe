import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { invertPublicScalar } from '../../../src/core/crypto/invert_scalar.ts';
import { orders } from '../../../src/core/crypto/scalars.ts';

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${bytes.toHex()}`);
const bytesOf = (value: bigint): Uint8Array =>
  Uint8Array.fromHex(value.toString(16).padStart(64, '0'));

/**
 * Yields numbers of every length, and numbers near powers of two and near simple fractions of the order.
 */
function* scalarsBelow(order: bigint): Generator<bigint> {
  for (let bit = 0n; bit < 256n; bit += 1n) {
    for (const near of [-1n, 0n, 1n]) yield (1n << bit) + near;
  }
  for (let divisor = 2n; divisor < 400n; divisor += 1n) {
    for (const near of [-1n, 0n, 1n]) yield order / divisor + near;
  }
  for (let i = 0; i < 2_000; i += 1) {
    const digest = createHash('sha256').update(`scalar ${i}`).digest();
    yield numberOf(digest) >> BigInt(i % 250);
  }
  // Here the first remainder is close to the order, or the first quotients are large.
  for (let i = 1n; i < 200n; i += 1n) yield order - i;
  for (let i = 1n; i < 200n; i += 1n) yield i * (order >> 60n);
}

for (const [name, order] of Object.entries(orders)) {
  test(`a public scalar times its inverse is one, modulo the order of ${name}`, () => {
    const modulus = numberOf(order);
    let count = 0;
    for (const scalar of scalarsBelow(modulus)) {
      if (scalar <= 0n || scalar >= modulus) continue;
      const inverse = numberOf(invertPublicScalar(bytesOf(scalar), order));
      assert(inverse > 0n && inverse < modulus, 'the inverse is in range');
      assert.equal((scalar * inverse) % modulus, 1n, `of ${scalar.toString(16)}`);
      count += 1;
    }
    assert(count > 4_000);
  });
}

test('a number without an inverse or of another length is refused', () => {
  assert.throws(() => invertPublicScalar(bytesOf(0n), orders.p256), /a scalar has an inverse/);
  assert.throws(() => invertPublicScalar(new Uint8Array(31), orders.p256), /32 bytes/);
  const even = bytesOf(1n << 200n);
  assert.throws(() => invertPublicScalar(bytesOf(1n << 20n), even), /a scalar has an inverse/);
});
