// Schnorr signatures (BIP-340) and the key-path tweak of Taproot (BIP-341, BIP-86).

import { schnorr } from '@noble/curves/secp256k1.js';
import { concatBytes, utf8, wipe } from '../bytes.ts';
import { assert } from '../errors.ts';
import type { Signature } from './curves.ts';
import { sha256 } from './hashes.ts';
import { negateScalar, orders } from './scalars.ts';
import { addToPrivateKey, addToPublicKey, secp256k1 } from './secp256k1.ts';

const noAuxiliaryBytes = new Uint8Array(32);
const noScripts = new Uint8Array(0);

/**
 * BIP-340 signature over a message, usually a 32-byte digest; `v` is 0. `auxiliaryBytes` are 32
 * bytes that the standard lets the signer choose; with zeros the signature is always the same.
 */
export function signSchnorr(
  privateKey: Uint8Array,
  message: Uint8Array,
  auxiliaryBytes: Uint8Array = noAuxiliaryBytes,
): Signature {
  assert(secp256k1.isPrivateKey(privateKey), 'the private key is in range');
  const signature = schnorr.sign(message, privateKey, auxiliaryBytes);
  return { r: signature.slice(0, 32), s: signature.slice(32), v: 0 };
}

/**
 * Whether a BIP-340 signature (64 bytes) over the message is by the owner of an x-only public key
 * (32 bytes). False for whatever is no key or no signature.
 */
export function verifySchnorr(
  publicKey: Uint8Array,
  signature: Uint8Array,
  message: Uint8Array,
): boolean {
  return publicKey.length === 32 && signature.length === 64
    ? schnorr.verify(signature, message, publicKey)
    : false;
}

/**
 * The private key (32 bytes) of the Taproot output of an internal private key. Without
 * `merkleRoot` there is no script path, as BIP-86 has it.
 */
export function tweakPrivateKey(
  privateKey: Uint8Array,
  merkleRoot: Uint8Array = noScripts,
): Uint8Array {
  const publicKey = secp256k1.publicKeyOf(privateKey);
  const isOdd = publicKey[0] === 3;
  const even = isOdd ? negateScalar(privateKey, orders.secp256k1) : Uint8Array.from(privateKey);
  try {
    const tweaked = addToPrivateKey(even, tweakOf(publicKey.subarray(1), merkleRoot));
    assert(tweaked !== undefined, 'the hash of a key is a valid tweak');
    return tweaked;
  } finally {
    wipe(even);
  }
}

/**
 * The x-only output key (32 bytes) of a compressed internal public key, or undefined where that
 * is not on the curve.
 */
export function tweakPublicKey(
  publicKey: Uint8Array,
  merkleRoot: Uint8Array = noScripts,
): Uint8Array | undefined {
  if (!secp256k1.isPublicKey(publicKey)) return undefined;
  const x = publicKey.subarray(1);
  const even = concatBytes(Uint8Array.of(2), x);
  return addToPublicKey(even, tweakOf(x, merkleRoot))?.subarray(1);
}

/** The tagged hash `TapTweak` of BIP-341. */
function tweakOf(x: Uint8Array, merkleRoot: Uint8Array): Uint8Array {
  const tag = sha256(utf8('TapTweak'));
  return sha256(concatBytes(tag, tag, x, merkleRoot));
}
