// secp256k1 by the reference C library (libsecp256k1.ts).

import { copyOfSecret, equalBytes } from '../base/bytes.ts';
import { assert } from '../errors/errors.ts';
import type { Curve, Signature } from './curve.ts';
import { invertPublicScalar } from './invert_scalar.ts';
import { createLibrary, type Libsecp256k1, newPlace, pointForms } from './libsecp256k1.ts';
import { isScalar, orders, scalarOfDigest } from './scalars.ts';

const signing = createLibrary(new Uint8Array(32).fill(1));
/** A second instance with its own tables and intermediate values, to detect corruption of the first. */
const checking = createLibrary(new Uint8Array(32).fill(2));
const { calls, context, heap } = signing;

// Calls never overlap, so they share one set of addresses in the library's memory.
const at = Object.freeze({
  privateKey: newPlace(32),
  tweak: newPlace(32),
  digest: newPlace(32),
  encodedPublicKey: newPlace(65),
  publicKey: newPlace(64),
  compactSignature: newPlace(64),
  signature: newPlace(64),
  recoverableSignature: newPlace(65),
  recoveryId: newPlace(4),
  length: newPlace(4),
});

/** With both arguments absent, the library derives nonces by RFC 6979 from the key and the digest. */
const [rfc6979, noFurtherInput] = [0, 0];

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
 * Returns true if a signature (r ‖ s, 64 bytes, either half of s) over a 32-byte digest is by the owner of a
 * compressed public key. Returns false for an invalid key or signature.
 */
export function verifySecp256k1Digest(
  publicKey: Uint8Array,
  signature: Uint8Array,
  digest: Uint8Array,
): boolean {
  if (publicKey.length !== 33 || signature.length !== 64 || digest.length !== 32) return false;
  if (!readPublicKey(publicKey)) return false;
  heap.set(signature, at.compactSignature);
  if (
    calls.secp256k1_ecdsa_signature_parse_compact(context, at.signature, at.compactSignature) !== 1
  )
    return false;
  // The library accepts only low s; s and order − s are equally valid.
  calls.secp256k1_ecdsa_signature_normalize(context, at.signature, at.signature);
  heap.set(digest, at.digest);
  return calls.secp256k1_ecdsa_verify(context, at.signature, at.digest, at.publicKey) === 1;
}

/**
 * Returns the compressed public key of the signer of a 32-byte digest (r ‖ s, 64 bytes, either half of s; v:
 * the recovery bit). Returns undefined if there is no such key.
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
  heap.set(signature, at.compactSignature);
  const { recoverableSignature } = at;
  const isRead = calls.secp256k1_ecdsa_recoverable_signature_parse_compact(
    context,
    recoverableSignature,
    at.compactSignature,
    v,
  );
  if (isRead !== 1) return undefined;
  heap.set(digest, at.digest);
  const isFound =
    calls.secp256k1_ecdsa_recover(context, at.publicKey, recoverableSignature, at.digest) === 1;
  return isFound ? writtenPublicKey(33) : undefined;
}

/**
 * Returns `privateKey` + `tweak` modulo the order, 32 bytes; undefined if the tweak is not below the order or
 * the sum is zero.
 */
export function addToPrivateKey(privateKey: Uint8Array, tweak: Uint8Array): Uint8Array | undefined {
  assert(tweak.length === 32, 'a tweak has 32 bytes');
  return withPrivateKey(privateKey, () => {
    heap.set(tweak, at.tweak);
    const isValid = calls.secp256k1_ec_seckey_tweak_add(context, at.privateKey, at.tweak) === 1;
    clear(at.tweak, 32);
    return isValid ? readPrivateKey() : undefined;
  });
}

/**
 * Returns the compressed key of `publicKey` + `tweak` · G; undefined if the key is not on the curve, the
 * tweak is not below the order, or the sum is infinity.
 */
export function addToPublicKey(publicKey: Uint8Array, tweak: Uint8Array): Uint8Array | undefined {
  assert(tweak.length === 32, 'a tweak has 32 bytes');
  if (!readPublicKey(publicKey)) return undefined;
  heap.set(tweak, at.tweak);
  if (calls.secp256k1_ec_pubkey_tweak_add(context, at.publicKey, at.tweak) !== 1) return undefined;
  return writtenPublicKey(33);
}

/** `privateKey` · `factor` modulo the order, 32 bytes; the factor is from 1 to the order − 1. */
export function multiplyPrivateKey(privateKey: Uint8Array, factor: Uint8Array): Uint8Array {
  assert(isScalar(factor, orders.secp256k1), 'the factor is in range');
  return withPrivateKey(privateKey, () => {
    heap.set(factor, at.tweak);
    const isDone = calls.secp256k1_ec_seckey_tweak_mul(context, at.privateKey, at.tweak) === 1;
    clear(at.tweak, 32);
    assert(isDone, 'a product of two that are not zero is not zero');
    return readPrivateKey();
  });
}

/** Computes the public key with another copy of the library than `publicKeyOf` and signing. */
export function checkedPublicKeyOf(privateKey: Uint8Array): Uint8Array {
  return publicKeyBy(checking, privateKey);
}

function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return publicKeyBy(signing, privateKey);
}

function publicKeyBy(copy: Libsecp256k1, privateKey: Uint8Array): Uint8Array {
  return withPrivateKey(privateKey, () => pointOfPrivateKey(copy), copy);
}

/** Returns the point of the private key in the memory of a copy. */
function pointOfPrivateKey(copy: Libsecp256k1): Uint8Array {
  assert(
    copy.calls.secp256k1_ec_pubkey_create(copy.context, at.publicKey, at.privateKey) === 1,
    'a private key has a public key',
  );
  return writtenPublicKey(33, copy);
}

function uncompressed(publicKey: Uint8Array): Uint8Array {
  assert(readPublicKey(publicKey), 'the public key is on secp256k1');
  return writtenPublicKey(65);
}

function sign(privateKey: Uint8Array, digest: Uint8Array): Signature {
  assert(digest.length === 32, 'a digest has 32 bytes');
  // RFC 6979 uses the digest modulo the order, which this library leaves to its caller.
  const message = scalarOfDigest(digest, orders.secp256k1);
  const signature = signScalar(privateKey, message);
  // A wrong signature together with the right one of the same digest reveals the private key.
  assert(isSignedBy(privateKey, message, signature), 'a signature is right before it is released');
  return signature;
}

/**
 * Verifies u = (message + r · private key) / s and R = u · G. With the private key, this takes one
 * multiplication of a point, a third of the time of a verification. s is public.
 */
function isSignedBy(privateKey: Uint8Array, message: Uint8Array, of: Signature): boolean {
  const inverse = invertPublicScalar(of.s, orders.secp256k1);
  const { secp256k1_ec_seckey_tweak_add: add, secp256k1_ec_seckey_tweak_mul: multiply } =
    checking.calls;
  return withPrivateKey(
    privateKey,
    () => {
      // Works in place: none of the three intermediate numbers is copied.
      const isDone =
        tweakPrivateKey(multiply, of.r) &&
        tweakPrivateKey(add, message) &&
        tweakPrivateKey(multiply, inverse);
      clear(at.tweak, 32, checking);
      if (!isDone) return false;
      const point = pointOfPrivateKey(checking);
      return point[0] === 2 + of.v && equalBytes(point.slice(1), of.r);
    },
    checking,
  );
}

/**
 * Changes the private key in the memory of the checking copy. Returns false if the result is not a valid key.
 */
function tweakPrivateKey(
  change: Libsecp256k1['calls']['secp256k1_ec_seckey_tweak_add'],
  tweak: Uint8Array,
): boolean {
  checking.heap.set(tweak, at.tweak);
  return change(checking.context, at.privateKey, at.tweak) === 1;
}

function signScalar(privateKey: Uint8Array, message: Uint8Array): Signature {
  return withPrivateKey(privateKey, () => {
    heap.set(message, at.digest);
    assert(
      calls.secp256k1_ecdsa_sign_recoverable(
        context,
        at.recoverableSignature,
        at.digest,
        at.privateKey,
        rfc6979,
        noFurtherInput,
      ) === 1,
      'a valid private key signs every digest',
    );
    calls.secp256k1_ecdsa_recoverable_signature_serialize_compact(
      context,
      at.compactSignature,
      at.recoveryId,
      at.recoverableSignature,
    );
    const recoveryId = heap[at.recoveryId];
    // v cannot express 2 and 3, which mean an R whose x is above the order; their probability is 2^-127.
    assert(recoveryId === 0 || recoveryId === 1, 'the recovery id is 0 or 1');
    return {
      r: read(at.compactSignature, 32),
      s: read(at.compactSignature + 32, 32),
      v: recoveryId,
    };
  });
}

/** Copies the private key into the library's memory for one call, and wipes it afterwards. */
function withPrivateKey<Result>(
  privateKey: Uint8Array,
  use: () => Result,
  copy: Libsecp256k1 = signing,
): Result {
  assert(isScalar(privateKey, orders.secp256k1), 'the private key is in range');
  try {
    copy.heap.set(privateKey, at.privateKey);
    return use();
  } finally {
    clear(at.privateKey, 32, copy);
  }
}

/** Reads a compressed or uncompressed point into the library's own form; false if it is invalid. */
function readPublicKey(bytes: Uint8Array): boolean {
  const { length } = bytes;
  // The library also accepts a hybrid form (06, 07), which is not valid here.
  const isKnownForm = length === 33 || (length === 65 && bytes[0] === 4);
  if (!isKnownForm) return false;
  heap.set(bytes, at.encodedPublicKey);
  return calls.secp256k1_ec_pubkey_parse(context, at.publicKey, at.encodedPublicKey, length) === 1;
}

function writtenPublicKey(length: 33 | 65, copy: Libsecp256k1 = signing): Uint8Array {
  const form = length === 33 ? pointForms.compressed : pointForms.uncompressed;
  // The library reads the length as four bytes, little-endian.
  copy.heap.fill(0, at.length, at.length + 4);
  copy.heap[at.length] = length;
  copy.calls.secp256k1_ec_pubkey_serialize(
    copy.context,
    at.encodedPublicKey,
    at.length,
    at.publicKey,
    form,
  );
  return copy.heap.slice(at.encodedPublicKey, at.encodedPublicKey + length);
}

function readPrivateKey(): Uint8Array {
  return copyOfSecret(heap.subarray(at.privateKey, at.privateKey + 32));
}

function read(pointer: number, length: number): Uint8Array {
  return heap.slice(pointer, pointer + length);
}

function clear(pointer: number, length: number, copy: Libsecp256k1 = signing): void {
  copy.heap.fill(0, pointer, pointer + length);
}
