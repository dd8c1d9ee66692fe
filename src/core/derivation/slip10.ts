// SLIP-0010: BIP-32 adapted to Ed25519 and P-256.

import { concatSecrets, utf8, wipe } from '../base/bytes.ts';
import { hmacSha512 } from '../crypto/hashes.ts';
import { p256 } from '../crypto/p256.ts';
import { addScalars, orders } from '../crypto/scalars.ts';
import { assert } from '../errors/errors.ts';
import { bytesOfIndex, type ExtendedKey, extendedKeyOf } from './bip32.ts';
import type { PathSegment } from './path.ts';

const ed25519Label = utf8('ed25519 seed');
const p256Label = utf8('Nist256p1 seed');

/** Returns the Ed25519 master key of a seed. */
export function ed25519Master(seed: Uint8Array): ExtendedKey {
  return extendedKeyOf(hmacSha512(ed25519Label, seed));
}

/** Returns the child of an Ed25519 key. The curve supports only hardened segments. */
export function ed25519Child(parent: ExtendedKey, segment: PathSegment): ExtendedKey {
  assert(segment.hardened, 'a segment of an Ed25519 path is hardened');
  const message = hardenedMessage(parent, segment);
  const child = extendedKeyOf(hmacSha512(parent.chainCode, message));
  wipe(message);
  return child;
}

/** Returns the P-256 master key of a seed. */
export function p256Master(seed: Uint8Array): ExtendedKey {
  let bytes = hmacSha512(p256Label, seed);
  // A number out of range is hashed again; this happens for about one of 2^32 seeds.
  while (!p256.isPrivateKey(bytes.subarray(0, 32))) {
    const rejected = bytes;
    bytes = hmacSha512(p256Label, rejected);
    wipe(rejected);
  }
  return extendedKeyOf(bytes);
}

/** Returns the child of a P-256 key. */
export function p256Child(parent: ExtendedKey, segment: PathSegment): ExtendedKey {
  let message = segment.hardened
    ? hardenedMessage(parent, segment)
    : concatSecrets(p256.publicKeyOf(parent.privateKey), bytesOfIndex(segment));
  for (;;) {
    const { privateKey: tweak, chainCode } = extendedKeyOf(hmacSha512(parent.chainCode, message));
    wipe(message);
    const child = childKey(parent.privateKey, tweak);
    wipe(tweak);
    if (child !== undefined) return { privateKey: child, chainCode };
    message = concatSecrets(Uint8Array.of(1), chainCode, bytesOfIndex(segment));
    wipe(chainCode);
  }
}

/** Returns the sum of both; undefined if the tweak is out of range or the sum is zero. */
function childKey(privateKey: Uint8Array, tweak: Uint8Array): Uint8Array | undefined {
  // A tweak of zero is in range and gives the parent's key.
  const isTweak = p256.isPrivateKey(tweak) || tweak.every((byte) => byte === 0);
  if (!isTweak) return undefined;
  const child = addScalars(privateKey, tweak, orders.p256);
  return p256.isPrivateKey(child) ? child : undefined;
}

function hardenedMessage(parent: ExtendedKey, segment: PathSegment): Uint8Array {
  return concatSecrets(Uint8Array.of(0), parent.privateKey, bytesOfIndex(segment));
}
