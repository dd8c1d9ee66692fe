// secp256k1 by the reference C library compiled to WebAssembly. Its low-level interface is used
// because only there can each copy of a private key be wiped.

import {
  CompressionFlag,
  ContextFlag,
  instantiateSecp256k1Wasm,
} from '@bitauth/libauth/build/lib/bin/secp256k1/secp256k1-wasm.js';
import { copyOfSecret, equalBytes, wipe } from '../base/bytes.ts';
import { assert } from '../errors/errors.ts';
import type { Curve, Signature } from './curves.ts';
import { invertPublicScalar } from './invert_scalar.ts';
import { isScalar, orders, scalarOfDigest } from './scalars.ts';

const wasm = await instantiateSecp256k1Wasm();
const context = wasm.contextCreate(ContextFlag.BOTH);
/** With a table of its own: what a damaged one makes of a number is found out by the other. */
const checkingContext = wasm.contextCreate(ContextFlag.SIGN);

// Every call runs to its end before the next, so one set of places in WASM memory serves all.
const at = Object.freeze({
  privateKey: wasm.malloc(32),
  tweak: wasm.malloc(32),
  digest: wasm.malloc(32),
  encodedPublicKey: wasm.malloc(65),
  publicKey: wasm.malloc(64),
  compactSignature: wasm.malloc(64),
  signature: wasm.malloc(64),
  recoverableSignature: wasm.malloc(65),
  recoveryId: wasm.malloc(4),
  length: wasm.malloc(4),
});

export const secp256k1: Curve = {
  publicKeyBytes: 33,
  isPrivateKey: (bytes) => isScalar(bytes, orders.secp256k1),
  publicKeyOf,
  isPublicKey: (bytes) => bytes.length === 33 && readPublicKey(bytes),
  parsePublicKey: (bytes) => (readPublicKey(bytes) ? writtenPublicKey(33) : undefined),
  uncompressed,
  sign,
};

/**
 * Returns true if a signature (r ‖ s, 64 bytes, either half of s) over a 32-byte digest is by the owner of
 * a compressed public key. False for whatever is no key or no signature.
 */
export function verifySecp256k1Digest(
  publicKey: Uint8Array,
  signature: Uint8Array,
  digest: Uint8Array,
): boolean {
  if (publicKey.length !== 33 || signature.length !== 64 || digest.length !== 32) return false;
  if (!readPublicKey(publicKey)) return false;
  wasm.heapU8.set(signature, at.compactSignature);
  if (wasm.signatureParseCompact(context, at.signature, at.compactSignature) !== 1) return false;
  // The library verifies low s only, and s and order − s verify alike.
  wasm.signatureNormalize(context, at.signature, at.signature);
  wasm.heapU8.set(digest, at.digest);
  return wasm.verify(context, at.signature, at.digest, at.publicKey) === 1;
}

/**
 * The compressed public key of whoever signed a 32-byte digest (r ‖ s, 64 bytes, either half of s; v: the
 * recovery bit). Returns undefined if there is no such key.
 */
export function recoverSecp256k1(
  digest: Uint8Array,
  signature: Uint8Array,
  v: 0 | 1,
): Uint8Array | undefined {
  assert(
    digest.length === 32 && signature.length === 64,
    'a digest and a signature have their size',
  );
  wasm.heapU8.set(signature, at.compactSignature);
  const { recoverableSignature } = at;
  const isRead = wasm.recoverableSignatureParse(
    context,
    recoverableSignature,
    at.compactSignature,
    v,
  );
  if (isRead !== 1) return undefined;
  wasm.heapU8.set(digest, at.digest);
  const isFound = wasm.recover(context, at.publicKey, recoverableSignature, at.digest) === 1;
  return isFound ? writtenPublicKey(33) : undefined;
}

/**
 * `privateKey` + `tweak` modulo the order, 32 bytes; undefined where the tweak is not below the
 * order or the sum is zero.
 */
export function addToPrivateKey(privateKey: Uint8Array, tweak: Uint8Array): Uint8Array | undefined {
  assert(tweak.length === 32, 'a tweak has 32 bytes');
  return withPrivateKey(privateKey, () => {
    wasm.heapU8.set(tweak, at.tweak);
    const isValid = wasm.privkeyTweakAdd(context, at.privateKey, at.tweak) === 1;
    clear(at.tweak, 32);
    return isValid ? readPrivateKey() : undefined;
  });
}

/**
 * The compressed key of `publicKey` + `tweak` · G; undefined where the key is not on the curve,
 * the tweak is not below the order, or the sum is infinity.
 */
export function addToPublicKey(publicKey: Uint8Array, tweak: Uint8Array): Uint8Array | undefined {
  assert(tweak.length === 32, 'a tweak has 32 bytes');
  if (!readPublicKey(publicKey)) return undefined;
  wasm.heapU8.set(tweak, at.tweak);
  if (wasm.pubkeyTweakAdd(context, at.publicKey, at.tweak) !== 1) return undefined;
  return writtenPublicKey(33);
}

/** `privateKey` · `factor` modulo the order, 32 bytes; the factor is from 1 to the order − 1. */
export function multiplyPrivateKey(privateKey: Uint8Array, factor: Uint8Array): Uint8Array {
  assert(isScalar(factor, orders.secp256k1), 'the factor is in range');
  return withPrivateKey(privateKey, () => {
    wasm.heapU8.set(factor, at.tweak);
    const isDone = wasm.privkeyTweakMul(context, at.privateKey, at.tweak) === 1;
    clear(at.tweak, 32);
    assert(isDone, 'a product of two that are not zero is not zero');
    return readPrivateKey();
  });
}

/** The compressed key of `factor` · `publicKey`; the factor is from 1 to the order − 1. */
export function multiplyPublicKey(publicKey: Uint8Array, factor: Uint8Array): Uint8Array {
  assert(isScalar(factor, orders.secp256k1), 'the factor is in range');
  assert(readPublicKey(publicKey), 'the public key is on secp256k1');
  wasm.heapU8.set(factor, at.tweak);
  assert(
    wasm.pubkeyTweakMul(context, at.publicKey, at.tweak) === 1,
    'a product of a point and what is not zero is a point',
  );
  return writtenPublicKey(33);
}

/** The public key once more, by another table than `publicKeyOf` and signing have. */
export function checkedPublicKeyOf(privateKey: Uint8Array): Uint8Array {
  return publicKeyIn(checkingContext, privateKey);
}

function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return publicKeyIn(context, privateKey);
}

function publicKeyIn(table: number, privateKey: Uint8Array): Uint8Array {
  return withPrivateKey(privateKey, () => {
    assert(
      wasm.pubkeyCreate(table, at.publicKey, at.privateKey) === 1,
      'a private key has a public key',
    );
    return writtenPublicKey(33);
  });
}

function uncompressed(publicKey: Uint8Array): Uint8Array {
  assert(readPublicKey(publicKey), 'the public key is on secp256k1');
  return writtenPublicKey(65);
}

function sign(privateKey: Uint8Array, digest: Uint8Array): Signature {
  assert(digest.length === 32, 'a digest has 32 bytes');
  // RFC 6979 feeds the nonce with the digest modulo the order, which this library leaves to us.
  const message = scalarOfDigest(digest, orders.secp256k1);
  const signature = signScalar(privateKey, message);
  // A wrong signature beside the right one of the same digest would tell the private key.
  assert(isSignedBy(privateKey, message, signature), 'a signature is right before it is released');
  return signature;
}

/**
 * The equation of a verifier, u = (message + r · private key) / s and R = u · G. Who knows the private
 * key needs one multiplication of a point for it, a third of the time that verification takes. s is
 * published.
 */
function isSignedBy(privateKey: Uint8Array, message: Uint8Array, of: Signature): boolean {
  const inverse = invertPublicScalar(of.s, orders.secp256k1);
  return withPrivateKey(privateKey, () => {
    // Works in place: none of the three intermediate numbers is copied.
    const isDone =
      tweakPrivateKey(wasm.privkeyTweakMul, of.r) &&
      tweakPrivateKey(wasm.privkeyTweakAdd, message) &&
      tweakPrivateKey(wasm.privkeyTweakMul, inverse);
    clear(at.tweak, 32);
    if (!isDone) return false;
    if (wasm.pubkeyCreate(checkingContext, at.publicKey, at.privateKey) !== 1) return false;
    const point = writtenPublicKey(33);
    return point[0] === 2 + of.v && equalBytes(point.subarray(1), of.r);
  });
}

/** Changes the private key in the memory of the library. Returns false if the result is not a valid key. */
function tweakPrivateKey(change: typeof wasm.privkeyTweakMul, tweak: Uint8Array): boolean {
  wasm.heapU8.set(tweak, at.tweak);
  return change(context, at.privateKey, at.tweak) === 1;
}

function signScalar(privateKey: Uint8Array, message: Uint8Array): Signature {
  return withPrivateKey(privateKey, () => {
    wasm.heapU8.set(message, at.digest);
    assert(
      wasm.signRecoverable(context, at.recoverableSignature, at.digest, at.privateKey) === 1,
      'a valid private key signs every digest',
    );
    wasm.recoverableSignatureSerialize(
      context,
      at.compactSignature,
      at.recoveryId,
      at.recoverableSignature,
    );
    const recoveryId = wasm.heapU8[at.recoveryId];
    // 2 and 3 stand for an R whose x is above the order, a chance of 2^-127, which v cannot say.
    assert(recoveryId === 0 || recoveryId === 1, 'the recovery id is 0 or 1');
    return {
      r: read(at.compactSignature, 32),
      s: read(at.compactSignature + 32, 32),
      v: recoveryId,
    };
  });
}

/** Puts the private key where the library reads it, and wipes that place afterwards. */
function withPrivateKey<Result>(privateKey: Uint8Array, use: () => Result): Result {
  assert(isScalar(privateKey, orders.secp256k1), 'the private key is in range');
  try {
    wasm.heapU8.set(privateKey, at.privateKey);
    return use();
  } finally {
    clear(at.privateKey, 32);
  }
}

/** Reads a compressed or uncompressed point into the library's own form; false if it is none. */
function readPublicKey(bytes: Uint8Array): boolean {
  const { length } = bytes;
  // The library also knows a hybrid form (06, 07), which nobody should send.
  const isKnownForm = length === 33 || (length === 65 && bytes[0] === 4);
  if (!isKnownForm) return false;
  wasm.heapU8.set(bytes, at.encodedPublicKey);
  return wasm.pubkeyParse(context, at.publicKey, at.encodedPublicKey, length) === 1;
}

function writtenPublicKey(length: 33 | 65): Uint8Array {
  const form = length === 33 ? CompressionFlag.COMPRESSED : CompressionFlag.UNCOMPRESSED;
  new DataView(wasm.heapU8.buffer).setUint32(at.length, length, true);
  wasm.pubkeySerialize(context, at.encodedPublicKey, at.length, at.publicKey, form);
  return read(at.encodedPublicKey, length);
}

function readPrivateKey(): Uint8Array {
  return copyOfSecret(wasm.heapU8.subarray(at.privateKey, at.privateKey + 32));
}

function read(pointer: number, length: number): Uint8Array {
  return wasm.heapU8.slice(pointer, pointer + length);
}

function clear(pointer: number, length: number): void {
  wipe(wasm.heapU8.subarray(pointer, pointer + length));
}
