// Verifies signatures of requests: the hot path. Returns false for an invalid public key or signature.
// Accepts both halves of s, since common clients do not normalize it.

import { createPublicKey, type KeyObject, verify as nodeVerify } from 'node:crypto';
import { concatBytes, utf8 } from '../base/bytes.ts';
import type { CurveName, StampScheme } from '../base/enums.ts';
import { table } from '../base/table.ts';
import { ed25519 } from './ed25519.ts';
import { keccak256, sha256 } from './hashes.ts';
import { rememberRecent } from './remember_recent.ts';
import { verifySecp256k1Digest } from './secp256k1.ts';
import type { EcdsaNumbers } from './signature_der.ts';

/** r ‖ s in 64 bytes, or as two numbers. */
export type SignatureBytes = Uint8Array | EcdsaNumbers;

type Verify = (publicKey: Uint8Array, signature: SignatureBytes, message: Uint8Array) => boolean;
type VerifyInPool = (...input: Parameters<Verify>) => Promise<boolean>;

type StampVerifier = {
  curve: CurveName;
  verify: Verify;
  /** Like `verify`, on another core if node:crypto supports it. */
  verifyInPool: VerifyInPool;
};

/** Verifies the signature of each stamp scheme over the body of the request. */
export const stampVerifiers = table<StampVerifier>()<StampScheme>({
  SIGNATURE_SCHEME_TK_API_P256: {
    curve: 'CURVE_P256',
    verify: verifyP256,
    verifyInPool: verifyP256InPool,
  },
  SIGNATURE_SCHEME_TK_API_SECP256K1: {
    curve: 'CURVE_SECP256K1',
    verify: verifySecp256k1,
    verifyInPool: async (...input) => verifySecp256k1(...input),
  },
  SIGNATURE_SCHEME_TK_API_ED25519: {
    curve: 'CURVE_ED25519',
    verify: verifyEd25519,
    verifyInPool: verifyEd25519InPool,
  },
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: {
    curve: 'CURVE_SECP256K1',
    verify: verifyEip191,
    verifyInPool: async (...input) => verifyEip191(...input),
  },
});

/** ECDSA P-256 over SHA-256 of the message; the public key is a compressed point. */
export function verifyP256(
  publicKey: Uint8Array,
  signature: SignatureBytes,
  message: Uint8Array,
): boolean {
  const key = p256Keys(publicKey);
  if (key === undefined) return false;
  return nodeVerify('sha256', message, { key, dsaEncoding }, compact(signature));
}

/** `verifyP256` on the thread pool of node:crypto. */
export async function verifyP256InPool(
  publicKey: Uint8Array,
  signature: SignatureBytes,
  message: Uint8Array,
): Promise<boolean> {
  const key = p256Keys(publicKey);
  if (key === undefined) return false;
  return inPool('sha256', message, { key, dsaEncoding }, compact(signature));
}

/** Verifies Ed25519 (RFC 8032) over the message itself. Rejects keys of small order. */
export function verifyEd25519(
  publicKey: Uint8Array,
  signature: SignatureBytes,
  message: Uint8Array,
): boolean {
  const key = ed25519Keys(publicKey);
  return key !== undefined && nodeVerify(null, message, key, compact(signature));
}

/** `verifyEd25519` on the thread pool of node:crypto. */
export async function verifyEd25519InPool(
  publicKey: Uint8Array,
  signature: SignatureBytes,
  message: Uint8Array,
): Promise<boolean> {
  const key = ed25519Keys(publicKey);
  return key !== undefined && inPool(null, message, { key }, compact(signature));
}

/** ECDSA secp256k1 over SHA-256 of the message; the public key is a compressed point. */
export function verifySecp256k1(
  publicKey: Uint8Array,
  signature: SignatureBytes,
  message: Uint8Array,
): boolean {
  return verifySecp256k1Digest(publicKey, compact(signature), sha256(message));
}

/** ECDSA secp256k1 over the EIP-191 hash of the message; the public key is a compressed point. */
export function verifyEip191(
  publicKey: Uint8Array,
  signature: SignatureBytes,
  message: Uint8Array,
): boolean {
  return verifySecp256k1Digest(publicKey, compact(signature), eip191Digest(message));
}

/** Returns the digest of a personal message (EIP-191, version 45), 32 bytes. */
export function eip191Digest(message: Uint8Array): Uint8Array {
  const prefix = utf8(`\x19Ethereum Signed Message:\n${message.length}`);
  return keccak256(concatBytes(prefix, message));
}

const dsaEncoding = 'ieee-p1363';

/** Importing a key takes at least a third of the time of a verification, and few keys send most requests. */
const cachedKeysLimit = 10_000;

const p256Keys = rememberRecent(cachedKeysLimit, (publicKey) => {
  if (publicKey.length !== 33) return undefined;
  try {
    return createPublicKey({
      key: publicKey,
      format: 'raw-public',
      asymmetricKeyType: 'ec',
      namedCurve: 'P-256',
    });
  } catch {
    // For 33 bytes the import fails only for a point that is not on the curve.
    return undefined;
  }
});

const ed25519Keys = rememberRecent(cachedKeysLimit, (publicKey) => {
  if (!ed25519.isPublicKey(publicKey)) return undefined;
  return createPublicKey({
    key: publicKey,
    format: 'raw-public',
    asymmetricKeyType: 'ed25519',
  });
});

function inPool(
  hash: string | null,
  message: Uint8Array,
  key: { key: KeyObject; dsaEncoding?: typeof dsaEncoding },
  signature: Uint8Array,
): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  nodeVerify(hash, message, key, signature, (error, isValid) =>
    error === null ? resolve(isValid) : reject(error),
  );
  return promise;
}

function compact(signature: SignatureBytes): Uint8Array {
  return signature instanceof Uint8Array ? signature : concatBytes(signature.r, signature.s);
}
