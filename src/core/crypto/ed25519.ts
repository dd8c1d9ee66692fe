// Ed25519 (RFC 8032) by node:crypto. A private key is the 32-byte seed.

import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as nodeSign,
  verify as nodeVerify,
} from 'node:crypto';
import { ed25519 as nobleEd25519 } from '@noble/curves/ed25519.js';
import { assert } from '../errors/errors.ts';
import type { Curve, Signature } from './curve.ts';

export const ed25519: Curve = {
  publicKeyBytes: 32,
  isPrivateKey: (bytes) => bytes.length === 32,
  publicKeyOf,
  isPublicKey,
  parsePublicKey: (bytes) => (isPublicKey(bytes) ? Uint8Array.from(bytes) : undefined),
  uncompressed: (publicKey) => Uint8Array.from(publicKey),
  sign,
};

function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  const key = createPublicKey(privateKeyObject(privateKey));
  return Uint8Array.from(key.export({ format: 'raw-public' }));
}

/** Returns true for a canonical point of large order. With a key of small order, signatures can be forged. */
function isPublicKey(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  try {
    return !nobleEd25519.Point.fromBytes(bytes).isSmallOrder();
  } catch {
    // For 32 bytes the decoder rejects only bytes that are no point of the curve, or not canonical.
    return false;
  }
}

function sign(privateKey: Uint8Array, message: Uint8Array): Signature {
  const key = privateKeyObject(privateKey);
  const signature = nodeSign(null, message, key);
  // A wrong signature together with the right one of the same message reveals the private key.
  assert(
    nodeVerify(null, message, createPublicKey(key), signature),
    'a signature is right before it is released',
  );
  return {
    r: Uint8Array.from(signature.subarray(0, 32)),
    s: Uint8Array.from(signature.subarray(32)),
    v: 0,
  };
}

function privateKeyObject(privateKey: Uint8Array): KeyObject {
  assert(privateKey.length === 32, 'an Ed25519 private key has 32 bytes');
  return createPrivateKey({
    key: privateKey,
    format: 'raw-private',
    asymmetricKeyType: 'ed25519',
  });
}
