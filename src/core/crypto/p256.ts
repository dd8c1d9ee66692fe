// P-256 (secp256r1, FIPS 186-5). node:crypto has no deterministic signing, so it computes the curve
// operations, and this file the rest.

import { createECDH, ECDH } from 'node:crypto';
import { p256 as nobleP256 } from '@noble/curves/nist.js';
import { equalBytes, wipe } from '../base/bytes.ts';
import { assert } from '../errors/errors.ts';
import type { Curve, Signature } from './curve.ts';
import { invertPublicScalar } from './invert_scalar.ts';
import { deterministicScalars } from './rfc6979.ts';
import {
  addScalars,
  isScalar,
  multiplicationModulo,
  negateScalar,
  orders,
  scalarOfDigest,
} from './scalars.ts';

const curveName = 'prime256v1';

/** Numbers modulo the order. */
const scalars = nobleP256.Point.Fn;
const multiply = multiplicationModulo(orders.p256);

export const p256: Curve = {
  publicKeyBytes: 33,
  isPrivateKey: (bytes) => isScalar(bytes, orders.p256),
  publicKeyOf,
  isPublicKey: (bytes) => bytes.length === 33 && converted(bytes, 'compressed') !== undefined,
  parsePublicKey: (bytes) => converted(bytes, 'compressed'),
  uncompressed,
  sign,
};

/**
 * Returns the 65 bytes 04 ‖ x ‖ y of a compressed or uncompressed public key; undefined if it is infinity or
 * not a point of the curve.
 */
export function uncompressedPoint(publicKey: Uint8Array): Uint8Array | undefined {
  return converted(publicKey, 'uncompressed');
}

/**
 * Returns the compressed public key that signed a 32-byte digest; undefined if there is none. The signature
 * has 64 bytes, r ‖ s, each from 1 to the order − 1; v is the recovery bit.
 */
export function recoverP256(
  digest: Uint8Array,
  signature: Uint8Array,
  v: 0 | 1,
): Uint8Array | undefined {
  const { Signature } = nobleP256;
  try {
    const read = Signature.fromBytes(signature, 'compact').addRecoveryBit(v);
    return read.recoverPublicKey(digest).toBytes(true);
  } catch {
    // For numbers in range it fails only if no point has the coordinate r, or if the key is infinity.
    return undefined;
  }
}

function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return pointOf(privateKey, 'compressed');
}

function uncompressed(publicKey: Uint8Array): Uint8Array {
  const bytes = converted(publicKey, 'uncompressed');
  assert(bytes !== undefined, 'the public key is on P-256');
  return bytes;
}

function sign(privateKey: Uint8Array, digest: Uint8Array): Signature {
  assert(isScalar(privateKey, orders.p256), 'the private key is in range');
  assert(digest.length === 32, 'a digest has 32 bytes');
  const message = scalarOfDigest(digest, orders.p256);
  const [nonce, blind] = deterministicScalars(privateKey, message, orders.p256, 2);
  assert(nonce !== undefined && blind !== undefined, 'two scalars were asked for');
  try {
    const point = pointOf(nonce, 'uncompressed');
    const x = point.subarray(1, 33);
    const r = scalarOfDigest(x, orders.p256);
    // v cannot express an x above the order, whose probability is below 2^-128.
    assert(equalBytes(r, x), 'x is below the order');
    const isOdd = Number(point[64]) % 2 === 1;
    const s = blindedS({ privateKey, message, nonce, blind, r });
    // A wrong signature together with the right one of the same digest reveals the private key.
    assert(
      isSignedBy(privateKey, { message, r, s, isOdd }),
      'a signature is right before it is released',
    );
    const isHigh = s > (scalars.ORDER - 1n) / 2n;
    return {
      r,
      s: scalars.toBytes(isHigh ? scalars.neg(s) : s),
      v: isOdd === isHigh ? 0 : 1,
    };
  } finally {
    wipe(nonce, blind);
  }
}

/**
 * Verifies u = (message + r · private key) / s and R = u · G. The private key saves one multiplication of a
 * point. Uses −u, whose point differs from R only in its sign, so that an arithmetic fault does not repeat.
 */
function isSignedBy(
  privateKey: Uint8Array,
  of: { readonly message: Uint8Array; readonly r: Uint8Array; s: bigint; isOdd: boolean },
): boolean {
  const product = multiply(privateKey, of.r);
  const sum = addScalars(product, of.message, orders.p256);
  const nonce = multiply(sum, invertPublicScalar(scalars.toBytes(of.s), orders.p256));
  const negative = negateScalar(nonce, orders.p256);
  try {
    const point = pointOf(negative, 'compressed');
    return point[0] === (of.isOdd ? 2 : 3) && equalBytes(point.subarray(1), of.r);
  } finally {
    wipe(product, sum, nonce, negative);
  }
}

/**
 * s = (message + r · private key) / nonce. JavaScript numbers can't be wiped, and the time of an inversion
 * depends on its input. So both sides are first multiplied with another secret, in arrays: s = b · (message +
 * r · d) / (b · nonce). Without b, the two values reveal only their quotient.
 */
function blindedS(of: {
  readonly privateKey: Uint8Array;
  readonly message: Uint8Array;
  readonly nonce: Uint8Array;
  readonly blind: Uint8Array;
  readonly r: Uint8Array;
}): bigint {
  const blindMessage = multiply(of.blind, of.message);
  const blindKey = multiply(of.blind, of.privateKey);
  const blindProduct = multiply(blindKey, of.r);
  const dividend = addScalars(blindMessage, blindProduct, orders.p256);
  const divisor = multiply(of.blind, of.nonce);
  try {
    const s = scalars.div(scalars.fromBytes(dividend), scalars.fromBytes(divisor));
    assert(s !== 0n, 's is not zero');
    return s;
  } finally {
    wipe(blindMessage, blindKey, blindProduct, dividend, divisor);
  }
}

function pointOf(privateKey: Uint8Array, form: 'compressed' | 'uncompressed'): Uint8Array {
  assert(isScalar(privateKey, orders.p256), 'the private key is in range');
  const pair = createECDH(curveName);
  pair.setPrivateKey(privateKey);
  return Uint8Array.from(pair.getPublicKey(null, form));
}

function converted(bytes: Uint8Array, form: 'compressed' | 'uncompressed'): Uint8Array | undefined {
  // OpenSSL also accepts a hybrid form (06, 07), which is not valid here.
  const isKnownForm = bytes.length === 33 || (bytes.length === 65 && bytes[0] === 4);
  if (!isKnownForm) return undefined;
  try {
    const point = ECDH.convertKey(bytes, curveName, undefined, undefined, form);
    return typeof point === 'string' ? undefined : Uint8Array.from(point);
  } catch {
    // For these lengths the conversion fails only for a point that is not on the curve.
    return undefined;
  }
}
