// BIP-32 on secp256k1, private keys only: public keys are computed from the seed.

import { concatSecrets, utf8, wipe } from '../base/bytes.ts';
import { hmacSha512 } from '../crypto/hashes.ts';
import { addToPrivateKey, secp256k1 } from '../crypto/secp256k1.ts';
import { assert } from '../errors/errors.ts';
import type { PathSegment } from './path.ts';

const label = utf8('Bitcoin seed');

/** A private key and its chain code, 32 bytes each; the caller wipes both. */
export type ExtendedKey = { privateKey: Uint8Array; chainCode: Uint8Array };

/** Returns the master key of a seed. */
export function bip32Master(seed: Uint8Array): ExtendedKey {
  const master = extendedKeyOf(hmacSha512(label, seed));
  // The standard defines no key for some seeds; their probability is 2^-127.
  assert(secp256k1.isPrivateKey(master.privateKey), 'the seed gives a master key');
  return master;
}

/** Returns the child of a key. */
export function bip32Child(parent: ExtendedKey, segment: PathSegment): ExtendedKey {
  const message = segment.hardened
    ? concatSecrets(Uint8Array.of(0), parent.privateKey, bytesOfIndex(segment))
    : concatSecrets(secp256k1.publicKeyOf(parent.privateKey), bytesOfIndex(segment));
  const { privateKey: tweak, chainCode } = extendedKeyOf(hmacSha512(parent.chainCode, message));
  const privateKey = addToPrivateKey(parent.privateKey, tweak);
  wipe(message, tweak);
  // The standard defines no key for some segments; their probability is 2^-127.
  assert(privateKey !== undefined, 'the segment gives a key');
  return { privateKey, chainCode };
}

/** Returns the halves of 64 bytes, as views. */
export function extendedKeyOf(bytes: Uint8Array): ExtendedKey {
  return { privateKey: bytes.subarray(0, 32), chainCode: bytes.subarray(32) };
}

/** Returns the index of a segment as BIP-32 hashes it: four bytes, with the top bit set for hardened. */
export function bytesOfIndex({ index, hardened }: PathSegment): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, index + (hardened ? 2 ** 31 : 0));
  return bytes;
}
