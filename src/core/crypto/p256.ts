// P-256 (secp256r1, FIPS 186-5) by node:crypto, but for deterministic signing, which it lacks.

import { createECDH, ECDH } from 'node:crypto';
import { p256 as nobleP256 } from '@noble/curves/nist.js';
import { assert } from '../errors.ts';
import type { Curve, Signature } from './curves.ts';
import { isScalar, orders } from './scalars.ts';

const curveName = 'prime256v1';

export const p256: Curve = {
  publicKeyBytes: 33,
  isPrivateKey: (bytes) => isScalar(bytes, orders.p256),
  publicKeyOf,
  isPublicKey: (bytes) => bytes.length === 33 && converted(bytes, 'compressed') !== undefined,
  parsePublicKey: (bytes) => converted(bytes, 'compressed'),
  uncompressed,
  sign,
};

function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  assert(isScalar(privateKey, orders.p256), 'the private key is in range');
  const pair = createECDH(curveName);
  pair.setPrivateKey(privateKey);
  return Uint8Array.from(pair.getPublicKey(null, 'compressed'));
}

function uncompressed(publicKey: Uint8Array): Uint8Array {
  const bytes = converted(publicKey, 'uncompressed');
  assert(bytes !== undefined, 'the public key is on P-256');
  return bytes;
}

function sign(privateKey: Uint8Array, digest: Uint8Array): Signature {
  assert(isScalar(privateKey, orders.p256), 'the private key is in range');
  assert(digest.length === 32, 'a digest has 32 bytes');
  const signature = nobleP256.sign(digest, privateKey, {
    prehash: false,
    lowS: true,
    format: 'recovered',
  });
  const recoveryId = signature[0];
  // 2 and 3 stand for an R whose x is above the order, a chance of 2^-127, which v cannot say.
  assert(recoveryId === 0 || recoveryId === 1, 'the recovery id is 0 or 1');
  return { r: signature.slice(1, 33), s: signature.slice(33, 65), v: recoveryId };
}

function converted(bytes: Uint8Array, form: 'compressed' | 'uncompressed'): Uint8Array | undefined {
  // OpenSSL also knows a hybrid form (06, 07), which nobody should send.
  const isKnownForm = bytes.length === 33 || (bytes.length === 65 && bytes[0] === 4);
  if (!isKnownForm) return undefined;
  try {
    const point = ECDH.convertKey(bytes, curveName, undefined, undefined, form);
    return typeof point === 'string' ? undefined : Uint8Array.from(point);
  } catch {
    // Of bytes of these lengths the conversion has one complaint: no point of the curve.
    return undefined;
  }
}
