// BIP-32 on secp256k1, private keys only: public keys are computed from the seed.

import { concatSecrets, utf8, wipe } from '../base/bytes.ts';
import { hmacSha512 } from '../crypto/hashes.ts';
import { addToPrivateKey, secp256k1 } from '../crypto/secp256k1.ts';
import { assert } from '../errors/errors.ts';
import type { PathSegment } from './path.ts';

const label = utf8('Bitcoin seed');

/** A private key and its chain code, 32 bytes each, both to be wiped. */
export type ExtendedKey = { privateKey: Uint8Array; chainCode: Uint8Array };

/** The master key of a seed. */
export function bip32Master(seed: Uint8Array): ExtendedKey {
  const master = extendedKeyOf(hmacSha512(label, seed));
  // The standard knows no key for such a seed: a chance of 2^-127.
  assert(secp256k1.isPrivateKey(master.privateKey), 'the seed gives a master key');
  return master;
}

/** The child of a key. */
export function bip32Child(parent: ExtendedKey, segment: PathSegment): ExtendedKey {
  const message = segment.hardened
    ? concatSecrets(Uint8Array.of(0), parent.privateKey, bytesOfIndex(segment))
    : concatSecrets(secp256k1.publicKeyOf(parent.privateKey), bytesOfIndex(segment));
  const { privateKey: tweak, chainCode } = extendedKeyOf(hmacSha512(parent.chainCode, message));
  const privateKey = addToPrivateKey(parent.privateKey, tweak);
  wipe(message, tweak);
  // The standard knows no key at such a segment: a chance of 2^-127.
  assert(privateKey !== undefined, 'the segment gives a key');
  return { privateKey, chainCode };
}

/** The halves of 64 bytes, in one memory. */
export function extendedKeyOf(bytes: Uint8Array): ExtendedKey {
  return { privateKey: bytes.subarray(0, 32), chainCode: bytes.subarray(32) };
}

/** The number of a segment as BIP-32 hashes it: four bytes, the top bit for hardened. */
export function bytesOfIndex({ index, hardened }: PathSegment): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, index + (hardened ? 2 ** 31 : 0));
  return bytes;
}
