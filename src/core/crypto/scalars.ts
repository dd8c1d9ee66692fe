// Arithmetic on private keys and digests modulo a group order: 32-byte big-endian arrays that can
// be wiped, in loops whose course does not depend on the values.

import { copyOfSecret, secretBytes } from '../base/bytes.ts';

export const orders = Object.freeze({
  secp256k1: Uint8Array.fromHex('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'),
  p256: Uint8Array.fromHex('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'),
});

/** Returns true if `bytes` is a number from 1 to `order` − 1 written in 32 bytes. */
export function isScalar(bytes: Uint8Array, order: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  let bits = 0;
  let borrow = 0;
  // Computes only the sign of the difference, and leaves no copy of the number.
  for (let i = 31; i >= 0; i -= 1) {
    const byte = Number(bytes[i]);
    bits |= byte;
    borrow = (byte - Number(order[i]) - borrow) >>> 31;
  }
  return bits !== 0 && borrow === 1;
}

/** `a` + `b` modulo `order`; both must be below `order`. The sum may be zero. */
export function addScalars(a: Uint8Array, b: Uint8Array, order: Uint8Array): Uint8Array {
  const sum = secretBytes(32);
  let carry = 0;
  for (let i = 31; i >= 0; i -= 1) {
    const digit = Number(a[i]) + Number(b[i]) + carry;
    sum[i] = digit;
    carry = digit >> 8;
  }
  return reduceOnce(sum, carry, order);
}

/** Returns `order` − `a`, for `a` from 1 to `order` − 1. */
export function negateScalar(a: Uint8Array, order: Uint8Array): Uint8Array {
  const { difference } = subtract(order, a);
  const negative = copyOfSecret(difference);
  difference.fill(0);
  return negative;
}

/** Returns the number below `order` that ECDSA signs for a 32-byte digest. */
export function scalarOfDigest(digest: Uint8Array, order: Uint8Array): Uint8Array {
  // Both orders are above 2^255, so one subtraction is enough.
  return reduceOnce(new Uint8Array(digest), 0, order);
}

/**
 * Creates the multiplication modulo `order` of numbers below it, by Montgomery's method (Handbook of
 * Applied Cryptography, 14.36) with digits of 16 bits: no intermediate value is more than 32 bits.
 */
export function multiplicationModulo(
  order: Uint8Array,
): (a: Uint8Array, b: Uint8Array) => Uint8Array {
  const modulus = digitsOf(order);
  const factor = -inverseOfDigit(Number(modulus[0])) & 0xffff;
  // 2^512, because two steps divide by 2^256 each.
  let square: Uint8Array = Uint8Array.fromHex('1'.padStart(64, '0'));
  for (let i = 0; i < 512; i += 1) square = addScalars(square, square, order);

  /** Returns `a` · `b` / 2^256. */
  function step(a: Uint8Array, b: Uint8Array): Uint8Array {
    const [x, y, sum] = [digitsOf(a), digitsOf(b), new Uint32Array(digitCount + 2)];
    for (let i = 0; i < digitCount; i += 1) {
      addProduct(sum, x, Number(y[i]));
      // Adds the multiple of the order that clears the lowest digit, which is then dropped.
      addProduct(sum, modulus, (Number(sum[0]) * factor) & 0xffff);
      sum.copyWithin(0, 1);
      sum[digitCount + 1] = 0;
    }
    const product = reduceOnce(bytesOfDigits(sum), Number(sum[digitCount]), order);
    for (const digits of [x, y, sum]) digits.fill(0);
    return product;
  }

  return (a, b) => {
    const divided = step(a, b);
    const product = step(divided, square);
    divided.fill(0);
    return product;
  };
}

const digitCount = 16;

/** Returns the 16-bit digits of 32 bytes, lowest first. */
function digitsOf(bytes: Uint8Array): Uint32Array {
  const digits = new Uint32Array(digitCount);
  for (let i = 0; i < digitCount; i += 1) {
    digits[i] = (Number(bytes[30 - 2 * i]) << 8) | Number(bytes[31 - 2 * i]);
  }
  return digits;
}

function bytesOfDigits(digits: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(32);
  for (let i = 0; i < digitCount; i += 1) {
    bytes[30 - 2 * i] = Number(digits[i]) >> 8;
    bytes[31 - 2 * i] = Number(digits[i]);
  }
  return bytes;
}

/** Adds `digits` · `digit` to a sum of two digits more. */
function addProduct(sum: Uint32Array, digits: Uint32Array, digit: number): void {
  let carry = 0;
  for (let i = 0; i < digitCount; i += 1) {
    const value = Number(sum[i]) + Number(digits[i]) * digit + carry;
    sum[i] = value & 0xffff;
    carry = value >>> 16;
  }
  const top = Number(sum[digitCount]) + carry;
  sum[digitCount] = top & 0xffff;
  sum[digitCount + 1] = Number(sum[digitCount + 1]) + (top >>> 16);
}

/** Returns the inverse of an odd digit modulo 2^16 (Newton's method: each round doubles the correct bits). */
function inverseOfDigit(digit: number): number {
  let inverse = 1;
  for (let bits = 1; bits < 16; bits *= 2) {
    inverse = Math.imul(inverse, 2 - Math.imul(digit, inverse)) & 0xffff;
  }
  return inverse;
}

/** Subtracts `order` from `value` + `carry` · 2^256 unless the result would be negative. */
function reduceOnce(value: Uint8Array, carry: number, order: Uint8Array): Uint8Array {
  const { difference, borrow } = subtract(value, order);
  const keepDifference = -(carry | (1 - borrow)) & 0xff;
  for (let i = 0; i < 32; i += 1) {
    value[i] = (Number(difference[i]) & keepDifference) | (Number(value[i]) & ~keepDifference);
  }
  difference.fill(0);
  return value;
}

function subtract(a: Uint8Array, b: Uint8Array): { difference: Uint8Array; borrow: 0 | 1 } {
  const difference = new Uint8Array(32);
  let borrow: 0 | 1 = 0;
  for (let i = 31; i >= 0; i -= 1) {
    const digit: number = Number(a[i]) - Number(b[i]) - borrow;
    difference[i] = digit;
    borrow = digit < 0 ? 1 : 0;
  }
  return { difference, borrow };
}
