// Replaces the curves of `src/core/crypto`, whose libraries need Node. Handles public keys only, because the
// page holds no private key in a form that these functions accept.

import { ed25519 as nobleEd25519 } from '@noble/curves/ed25519.js';
import { p256 as nobleP256 } from '@noble/curves/nist.js';
import { secp256k1 as nobleSecp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToNumberBE } from '@noble/curves/utils.js';
import type { Curve } from '../../src/core/crypto/curve.ts';

function never(): never {
  throw new Error('no private key is in a page');
}

type Weierstrass = typeof nobleSecp256k1.Point | typeof nobleP256.Point;

/** Converts a compressed or uncompressed point. Returns undefined for other bytes. */
function converted(Point: Weierstrass, bytes: Uint8Array, isCompressed: boolean) {
  const isKnownForm = bytes.length === 33 || (bytes.length === 65 && bytes[0] === 4);
  if (!isKnownForm) return undefined;
  try {
    return Point.fromBytes(bytes).toBytes(isCompressed);
  } catch {
    // For these lengths the decoder rejects only bytes that encode no point of the curve.
    return undefined;
  }
}

function weierstrass(Point: Weierstrass): Curve {
  return {
    publicKeyBytes: 33,
    isPrivateKey: never,
    publicKeyOf: never,
    isPublicKey: (bytes) => bytes.length === 33 && converted(Point, bytes, true) !== undefined,
    parsePublicKey: (bytes) => converted(Point, bytes, true),
    uncompressed: (publicKey) => Point.fromBytes(publicKey).toBytes(false),
    sign: never,
  };
}

export const secp256k1 = weierstrass(nobleSecp256k1.Point);
export const p256 = weierstrass(nobleP256.Point);

export const ed25519: Curve = {
  publicKeyBytes: 32,
  isPrivateKey: never,
  publicKeyOf: never,
  isPublicKey: isEd25519Key,
  parsePublicKey: (bytes) => (isEd25519Key(bytes) ? Uint8Array.from(bytes) : undefined),
  uncompressed: (publicKey) => Uint8Array.from(publicKey),
  sign: never,
};

function isEd25519Key(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  try {
    return !nobleEd25519.Point.fromBytes(bytes).isSmallOrder();
  } catch {
    // For 32 bytes the decoder rejects only non-canonical bytes and bytes that encode no point of the curve.
    return false;
  }
}

/** Same behavior as in `src/core/crypto/p256.ts`. */
export const uncompressedPoint = (publicKey: Uint8Array): Uint8Array | undefined =>
  converted(nobleP256.Point, publicKey, false);

/** Same behavior as in `src/core/crypto/secp256k1.ts`. */
export function recoverSecp256k1(
  digest: Uint8Array,
  signature: Uint8Array,
  v: 0 | 1,
): Uint8Array | undefined {
  try {
    return nobleSecp256k1.Signature.fromBytes(signature, 'compact')
      .addRecoveryBit(v)
      .recoverPublicKey(digest)
      .toBytes(true);
  } catch {
    // The numbers are out of range, or no point matches: the signature belongs to no key.
    return undefined;
  }
}

/** Same behavior as in `src/core/crypto/secp256k1.ts`. */
export function addToPublicKey(publicKey: Uint8Array, tweak: Uint8Array): Uint8Array | undefined {
  const { Point } = nobleSecp256k1;
  const number = bytesToNumberBE(tweak);
  if (number >= Point.Fn.ORDER) return undefined;
  try {
    const point = Point.fromBytes(publicKey);
    const sum = number === 0n ? point : point.add(Point.BASE.multiplyUnsafe(number));
    return sum.is0() ? undefined : sum.toBytes(true);
  } catch {
    // The bytes encode no point of the curve.
    return undefined;
  }
}

export const addToPrivateKey = never;
export const checkedPublicKeyOf = never;
export const multiplyPrivateKey = never;
export const verifySecp256k1Digest = never;
