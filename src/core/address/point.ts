import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { assert } from '../errors.ts';
import type { CurveName } from '../names.ts';

/** 65-byte uncompressed point (SEC 1, `04`) of a 33-byte compressed one; not for Ed25519. */
export function uncompressedPoint(publicKey: Uint8Array, curve: CurveName): Uint8Array {
  const group = groups[curve];
  assert(group, 'a curve with compressed points');
  return group.fromBytes(publicKey).toBytes(false);
}

const groups = {
  CURVE_SECP256K1: secp256k1.Point,
  CURVE_P256: p256.Point,
  CURVE_ED25519: undefined,
};
