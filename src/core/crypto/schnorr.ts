// Schnorr signatures (BIP-340) and the key-path tweak of Taproot (BIP-341, BIP-86), on the curve
// arithmetic of secp256k1.ts.

import { concatBytes, copyOfSecret, equalBytes, utf8, wipe } from '../base/bytes.ts';
import { assert } from '../errors/errors.ts';
import type { Signature } from './curve.ts';
import { sha256 } from './hashes.ts';
import { isScalar, negateScalar, orders, scalarOfDigest } from './scalars.ts';
import {
  addToPrivateKey,
  addToPublicKey,
  checkedPublicKeyOf,
  multiplyPrivateKey,
  secp256k1,
} from './secp256k1.ts';

const noAuxiliaryBytes = new Uint8Array(32);
const noScripts = new Uint8Array(0);

const tags = {
  auxiliary: tag('BIP0340/aux'),
  nonce: tag('BIP0340/nonce'),
  challenge: tag('BIP0340/challenge'),
  tweak: tag('TapTweak'),
};

/**
 * Returns a BIP-340 signature over a message, usually a 32-byte digest; `v` is 0. The signer chooses the 32
 * `auxiliaryBytes`; zeros make the signature deterministic.
 */
export function signSchnorr(
  privateKey: Uint8Array,
  message: Uint8Array,
  auxiliaryBytes: Uint8Array = noAuxiliaryBytes,
): Signature {
  const [signature] = signSchnorrAll(privateKey, [message], auxiliaryBytes);
  assert(signature !== undefined, 'one message has one signature');
  return signature;
}

/** Signs many messages, in their order. Computes the parts that depend only on the key once. */
export function signSchnorrAll(
  privateKey: Uint8Array,
  messages: readonly Uint8Array[],
  auxiliaryBytes: Uint8Array = noAuxiliaryBytes,
): Signature[] {
  assert(auxiliaryBytes.length === 32, 'auxiliary bytes are 32');
  const key = evenKeyOf(privateKey);
  const mask = taggedHash(tags.auxiliary, auxiliaryBytes);
  const masked = key.privateKey.map((byte, i) => byte ^ Number(mask[i]));
  try {
    return messages.map((message) => signWithEvenKey(key, masked, message));
  } finally {
    wipe(key.privateKey, masked);
  }
}

/**
 * The private key (32 bytes) of the Taproot output of an internal private key. Without `merkleRoot` there is
 * no script path, as in BIP-86.
 */
export function tweakPrivateKey(
  privateKey: Uint8Array,
  merkleRoot: Uint8Array = noScripts,
): Uint8Array {
  const key = evenKeyOf(privateKey);
  try {
    const tweaked = addToPrivateKey(key.privateKey, tweakOf(key.x, merkleRoot));
    assert(tweaked !== undefined, 'the hash of a key is a valid tweak');
    return tweaked;
  } finally {
    wipe(key.privateKey);
  }
}

/**
 * Returns the x-only output key (32 bytes) of a compressed internal public key; undefined if it is not on the
 * curve.
 */
export function tweakPublicKey(
  publicKey: Uint8Array,
  merkleRoot: Uint8Array = noScripts,
): Uint8Array | undefined {
  if (!secp256k1.isPublicKey(publicKey)) return undefined;
  const x = publicKey.subarray(1);
  return addToPublicKey(evenPoint(x), tweakOf(x, merkleRoot))?.subarray(1);
}

type EvenKey = { readonly x: Uint8Array; readonly privateKey: Uint8Array };

/** Signs with an even key; `masked` is the private key in the form that the nonce hashes. */
function signWithEvenKey(key: EvenKey, masked: Uint8Array, message: Uint8Array): Signature {
  const nonceHash = taggedHash(tags.nonce, masked, key.x, message);
  const nonceScalar = scalarOfDigest(nonceHash, orders.secp256k1);
  const secrets = [nonceHash, nonceScalar];
  try {
    const nonce = evenKeyOf(nonceScalar);
    const challenge = challengeOf(nonce.x, key.x, message);
    const product = multiplyPrivateKey(key.privateKey, challenge);
    secrets.push(nonce.privateKey, product);
    const s = addToPrivateKey(product, nonce.privateKey);
    assert(s !== undefined, 'a nonce is not the negative of what it hides');
    // A wrong signature together with the right one of the same message reveals the private key.
    assert(
      isSignedBy(key.privateKey, challenge, nonce.x, s),
      'a signature is right before it is released',
    );
    return { r: nonce.x, s, v: 0 };
  } finally {
    wipe(...secrets);
  }
}

/**
 * Verifies R = s · G − e · P, which equals (s − e · private key) · G. One multiplication of a point takes a
 * quarter of the time of a verification.
 */
function isSignedBy(
  privateKey: Uint8Array,
  challenge: Uint8Array,
  r: Uint8Array,
  s: Uint8Array,
): boolean {
  const product = multiplyPrivateKey(privateKey, negateScalar(challenge, orders.secp256k1));
  const nonce = addToPrivateKey(product, s);
  try {
    return nonce !== undefined && equalBytes(checkedPublicKeyOf(nonce), evenPoint(r));
  } finally {
    wipe(product, nonce);
  }
}

/**
 * Returns the x coordinate (32 bytes) of a private key, and a copy of the private key for the point with that
 * x and an even y. The caller wipes the copy.
 */
function evenKeyOf(privateKey: Uint8Array): EvenKey {
  const publicKey = secp256k1.publicKeyOf(privateKey);
  const isOdd = publicKey[0] === 3;
  const even = isOdd ? negateScalar(privateKey, orders.secp256k1) : copyOfSecret(privateKey);
  return { x: publicKey.slice(1), privateKey: even };
}

function evenPoint(x: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(2), x);
}

/** Returns the challenge `e` of BIP-340 modulo the order. */
function challengeOf(r: Uint8Array, x: Uint8Array, message: Uint8Array): Uint8Array {
  const hash = taggedHash(tags.challenge, r, x, message);
  const challenge = scalarOfDigest(hash, orders.secp256k1);
  assert(isScalar(challenge, orders.secp256k1), 'a hash is not zero modulo the order');
  return challenge;
}

/** Returns the tweak of BIP-341. */
function tweakOf(x: Uint8Array, merkleRoot: Uint8Array): Uint8Array {
  return taggedHash(tags.tweak, x, merkleRoot);
}

/** Returns the start of a tagged hash: the hash of its name, twice. */
function tag(name: string): Uint8Array {
  const hash = sha256(utf8(name));
  return concatBytes(hash, hash);
}

/** Returns the tagged hash of BIP-340. Its parts may be secret. */
function taggedHash(start: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array {
  const preimage = concatBytes(start, ...parts);
  try {
    return sha256(preimage);
  } finally {
    wipe(preimage);
  }
}
