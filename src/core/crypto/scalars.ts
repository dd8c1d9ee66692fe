// Arithmetic on private keys and digests modulo a group order: 32-byte big-endian arrays that can
// be wiped, in loops whose course does not depend on the values.

export const orders = Object.freeze({
  secp256k1: Uint8Array.fromHex('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'),
  p256: Uint8Array.fromHex('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'),
});

/** Whether `bytes` is a number from 1 to `order` − 1 written in 32 bytes. */
export function isScalar(bytes: Uint8Array, order: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  let bits = 0;
  for (const byte of bytes) bits |= byte;
  const { difference, borrow } = subtract(bytes, order);
  difference.fill(0);
  return bits !== 0 && borrow === 1;
}

/** `a` + `b` modulo `order`; both must be below `order`. The sum may be zero. */
export function addScalars(a: Uint8Array, b: Uint8Array, order: Uint8Array): Uint8Array {
  const sum = new Uint8Array(32);
  let carry = 0;
  for (let i = 31; i >= 0; i -= 1) {
    const digit = Number(a[i]) + Number(b[i]) + carry;
    sum[i] = digit;
    carry = digit >> 8;
  }
  return reduceOnce(sum, carry, order);
}

/** `order` − `a`, for `a` from 1 to `order` − 1. */
export function negateScalar(a: Uint8Array, order: Uint8Array): Uint8Array {
  return subtract(order, a).difference;
}

/** A 32-byte digest as the number below `order` that ECDSA signs. */
export function scalarOfDigest(digest: Uint8Array, order: Uint8Array): Uint8Array {
  // Both orders are above 2^255, so one subtraction is enough.
  return reduceOnce(Uint8Array.from(digest), 0, order);
}

/** Subtracts `order` from `value` + `carry` · 2^256 where that leaves no negative number. */
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
