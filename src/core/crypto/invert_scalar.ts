// Inverses of public numbers modulo an order, by Lehmer's form of Euclid's algorithm (Knuth, TAOCP 2, 4.5.2,
// algorithm L). The time depends on the number, so it must not be secret. Works in place on limbs of 24 bits:
// sums of products stay below 2^53, and calls leave no garbage.

import { assert } from '../errors/errors.ts';

const scalarBytes = 32;
const limbBytes = 3;
/** Eleven limbs hold 256 bits; the last limb holds the sign. */
const limbCount = 12;
const radix = 2 ** 24;
const byteWeights = [1, 2 ** 8, 2 ** 16] as const;

type Limbs = Float64Array;

const newLimbs = (): Limbs => new Float64Array(limbCount);

// Calls never overlap, so they share one set of limbs.
const remainders: [Limbs, Limbs] = [newLimbs(), newLimbs()];
/** Each remainder is this multiple of the scalar, modulo the order. */
const factors: [Limbs, Limbs] = [newLimbs(), newLimbs()];
const modulus = newLimbs();
/** Coefficients a, b, c, d that combine both rows into the next top and bottom row. */
const step = new Float64Array(4);

/**
 * Returns 1 / `scalar` modulo `order`, 32 bytes each, for a scalar from 1 to `order` − 1 without a common
 * divisor.
 */
export function invertPublicScalar(scalar: Uint8Array, order: Uint8Array): Uint8Array {
  assert(scalar.length === scalarBytes && order.length === scalarBytes, 'scalars have 32 bytes');
  read(order, modulus);
  remainders[0].set(modulus);
  read(scalar, remainders[1]);
  for (const row of factors) row.fill(0);
  factors[1][0] = 1;
  let top = limbCount - 1;
  for (;;) {
    while (top > 0 && remainders[0][top] === 0) top -= 1;
    if (top <= 1 && lowest(remainders[1]) === 0) break;
    findStep(top);
    if (step[1] === 0) divide();
    else {
      combine(remainders[0], remainders[1]);
      combine(factors[0], factors[1]);
    }
  }
  assert(lowest(remainders[0]) === 1, 'a scalar has an inverse');
  const [inverse] = factors;
  if (limb(inverse, limbCount - 1) < 0) add(inverse, modulus);
  return written(inverse);
}

/** Applies Euclid's algorithm to the leading 48 bits while lower bits cannot change the quotients. */
function findStep(top: number): void {
  const isExact = top <= 1;
  let x = leading(remainders[0], top);
  let y = leadingAs(remainders[1], top);
  let a = 1;
  let b = 0;
  let c = 0;
  let d = 1;
  while (y !== 0) {
    const quotient = isExact ? Math.floor(x / y) : certainQuotient(x, y, a, b, c, d);
    const nextC = a - quotient * c;
    const nextD = b - quotient * d;
    if (quotient === 0 || Math.abs(nextC) >= radix || Math.abs(nextD) >= radix) break;
    // A destructured list would be an object, and each inverse has about 150 of these steps.
    a = c;
    b = d;
    c = nextC;
    d = nextD;
    const rest = x - quotient * y;
    x = y;
    y = rest;
  }
  step[0] = a;
  step[1] = b;
  step[2] = c;
  step[3] = d;
}

/** Returns the quotient; 0 if it depends on lower bits. */
function certainQuotient(x: number, y: number, a: number, b: number, c: number, d: number): number {
  if (y + c === 0 || y + d === 0) return 0;
  const quotient = Math.floor((x + a) / (y + c));
  return quotient === Math.floor((x + b) / (y + d)) ? quotient : 0;
}

let shift = 0;

/** Returns the leading 48 bits, and stores their position for `leadingAs`. */
function leading(limbs: Limbs, top: number): number {
  shift = top <= 1 ? 0 : Math.clz32(limb(limbs, top)) - 8;
  return leadingAs(limbs, top);
}

function leadingAs(limbs: Limbs, top: number): number {
  if (top <= 1) return lowest(limbs);
  const high = limb(limbs, top) * radix + limb(limbs, top - 1);
  return high * (1 << shift) + (limb(limbs, top - 2) >> (24 - shift));
}

/** Returns the two lowest limbs as one number. */
function lowest(limbs: Limbs): number {
  return limb(limbs, 1) * radix + limb(limbs, 0);
}

function combine(first: Limbs, second: Limbs): void {
  const a = limb(step, 0);
  const b = limb(step, 1);
  const c = limb(step, 2);
  const d = limb(step, 3);
  let carryFirst = 0;
  let carrySecond = 0;
  for (let i = 0; i < limbCount; i += 1) {
    const x = limb(first, i);
    const y = limb(second, i);
    const ofFirst = a * x + b * y + carryFirst;
    const ofSecond = c * x + d * y + carrySecond;
    const isLast = i === limbCount - 1;
    carryFirst = isLast ? 0 : Math.floor(ofFirst / radix);
    carrySecond = isLast ? 0 : Math.floor(ofSecond / radix);
    first[i] = ofFirst - carryFirst * radix;
    second[i] = ofSecond - carrySecond * radix;
  }
}

/**
 * Performs one full step of Euclid's algorithm, when the leading bits determine no quotient. This is rare.
 */
function divide(): void {
  const [x, y] = [bigOf(remainders[0]), bigOf(remainders[1])];
  assert(y !== 0n, 'a scalar has an inverse');
  const quotient = x / y;
  const factor = bigOf(factors[0]) - quotient * bigOf(factors[1]);
  remainders.reverse();
  factors.reverse();
  setBig(remainders[1], x - quotient * y);
  setBig(factors[1], factor);
}

function bigOf(limbs: Limbs): bigint {
  return limbs.reduceRight((value, each) => value * BigInt(radix) + BigInt(each), 0n);
}

function setBig(limbs: Limbs, value: bigint): void {
  for (let i = 0; i < limbCount - 1; i += 1) {
    limbs[i] = Number(BigInt.asUintN(24, value >> BigInt(24 * i)));
  }
  limbs[limbCount - 1] = Number(value >> BigInt(24 * (limbCount - 1)));
}

function add(limbs: Limbs, other: Limbs): void {
  let carry = 0;
  for (let i = 0; i < limbCount; i += 1) {
    const sum = limb(limbs, i) + limb(other, i) + carry;
    carry = i === limbCount - 1 ? 0 : Math.floor(sum / radix);
    limbs[i] = sum - carry * radix;
  }
}

/** Reads 32 bytes, big-endian. */
function read(bytes: Uint8Array, limbs: Limbs): void {
  limbs.fill(0);
  for (let i = 0; i < scalarBytes; i += 1) {
    const place = Math.floor(i / limbBytes);
    limbs[place] = limb(limbs, place) + (bytes[scalarBytes - 1 - i] ?? 0) * weightAt(i);
  }
}

function written(limbs: Limbs): Uint8Array {
  const bytes = new Uint8Array(scalarBytes);
  for (let i = 0; i < scalarBytes; i += 1) {
    const value = limb(limbs, Math.floor(i / limbBytes));
    bytes[scalarBytes - 1 - i] = Math.floor(value / weightAt(i)) & 255;
  }
  return bytes;
}

const weightAt = (place: number): number => byteWeights[place % limbBytes] ?? 1;

function limb(limbs: Limbs, place: number): number {
  return limbs[place] ?? 0;
}
