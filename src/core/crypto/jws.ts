// Verifies signatures of JSON Web Signature (RFC 7515, RFC 7518, RFC 8037) with public keys in JWK form. Uses
// node:crypto: the service only verifies, with the eight algorithms of the table below. A library would add
// encryption, HMAC and remote key sets to the trusted code, and would be asynchronous without need.

import { constants, createPublicKey, type KeyObject, verify as nodeVerify } from 'node:crypto';
import { base64url, bytesOfBase64url } from '../base/bytes.ts';
import { rowOf, table } from '../base/table.ts';
import { isJsonObject, type Json, type JsonObject } from '../schema/json.ts';
import { ed25519 } from './ed25519.ts';

type JwsAlgorithm = {
  hash: string | null;
  options?: { padding: number; saltLength?: number } | { dsaEncoding: 'ieee-p1363' };
  /** Returns the public part of a suitable key; undefined for other keys. */
  publicPart: (jwk: JsonObject) => { [member: string]: string } | undefined;
};

const pkcs1 = { padding: constants.RSA_PKCS1_PADDING };
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING };
const fixedLength = { dsaEncoding: 'ieee-p1363' } as const;

/** Excludes `none` and HMAC: with HMAC, every verifier could also sign. */
const algorithms = table<JwsAlgorithm>()({
  RS256: { hash: 'sha256', options: pkcs1, publicPart: rsaPart },
  RS384: { hash: 'sha384', options: pkcs1, publicPart: rsaPart },
  RS512: { hash: 'sha512', options: pkcs1, publicPart: rsaPart },
  // RFC 7518 section 3.5: the salt is as long as the hash.
  PS256: { hash: 'sha256', options: { ...pss, saltLength: 32 }, publicPart: rsaPart },
  ES256: {
    hash: 'sha256',
    options: fixedLength,
    publicPart: (jwk) => pointPart(jwk, 'P-256', 32),
  },
  ES384: {
    hash: 'sha384',
    options: fixedLength,
    publicPart: (jwk) => pointPart(jwk, 'P-384', 48),
  },
  EdDSA: { hash: null, publicPart: ed25519Part },
  // RFC 9864: the name that includes the curve.
  Ed25519: { hash: null, publicPart: ed25519Part },
});

export type JwsAlgorithmName = keyof typeof algorithms;

/** The supported algorithms. */
export const jwsAlgorithmNames = Object.keys(algorithms) as readonly JwsAlgorithmName[];

export type JwsKey = { readonly algorithm: JwsAlgorithmName; readonly key: KeyObject };

/** Returns the algorithm of a name; undefined for `none`, HMAC and other names that are not in the table. */
export function jwsAlgorithmOf(name: string): JwsAlgorithmName | undefined {
  return rowOf(algorithms, name)?.name;
}

/**
 * Returns the key of a JWK (RFC 7517) if it is a public key for verification with this algorithm. Type,
 * curve, `use`, `key_ops` and `alg` must match if present; RSA keys have 2048 to 8192 bits. Undefined for
 * other values, and for a key with a private part.
 */
export function jwsKeyOf(jwk: Json | undefined, algorithm: JwsAlgorithmName): JwsKey | undefined {
  if (!isJsonObject(jwk)) return undefined;
  const { use, key_ops: operations, alg } = jwk;
  if (use !== undefined && use !== 'sig') return undefined;
  if (operations !== undefined) {
    if (!Array.isArray(operations) || !operations.includes('verify')) return undefined;
  }
  if (alg !== undefined && !isSameAlgorithm(alg, algorithm)) return undefined;
  if (privateMembers.some((member) => jwk[member] !== undefined)) return undefined;
  const publicPart = algorithms[algorithm].publicPart(jwk);
  if (publicPart === undefined) return undefined;
  try {
    return { algorithm, key: createPublicKey({ key: publicPart, format: 'jwk' }) };
  } catch {
    // For members of these forms, the import fails only for an invalid point or modulus.
    return undefined;
  }
}

/** With Ed25519, `EdDSA` and `Ed25519` are the same algorithm (RFC 9864). */
function isSameAlgorithm(alg: Json, algorithm: JwsAlgorithmName): boolean {
  const names: readonly Json[] = ['EdDSA', 'Ed25519'];
  return alg === algorithm || (names.includes(alg) && names.includes(algorithm));
}

/** Returns true if the signature over the message is valid; false for malformed signatures. */
export function verifyJws(
  { algorithm, key }: JwsKey,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const { hash, options }: JwsAlgorithm = algorithms[algorithm];
  return nodeVerify(hash, message, { key, ...options }, signature);
}

/**
 * Decodes canonical base64url: no padding, no white space, unused bits zero (RFC 7515 section 2, RFC 4648
 * section 3.5). Undefined for other text.
 */
export function bytesOfCanonicalBase64url(text: string): Uint8Array | undefined {
  const bytes = bytesOfBase64url(text);
  return bytes !== undefined && base64url(bytes) === text ? bytes : undefined;
}

/** A key with a published private part (RFC 7518 section 6) is compromised. */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const minimumModulusBits = 2048;
/** Far above the sizes of issuers; larger keys would only cost time. */
const maximumModulusBits = 8192;

function rsaPart(jwk: JsonObject): { [member: string]: string } | undefined {
  const { kty, n, e } = jwk;
  if (kty !== 'RSA' || typeof n !== 'string' || typeof e !== 'string') return undefined;
  const modulus = bytesOfCanonicalBase64url(n);
  const exponent = bytesOfCanonicalBase64url(e);
  if (modulus === undefined || exponent === undefined) return undefined;
  const bits = bitsOf(modulus);
  if (bits < minimumModulusBits || bits > maximumModulusBits) return undefined;
  // Odd, above 1, and at most four bytes, because a long exponent slows down every verification.
  const isOdd = (exponent.at(-1) ?? 0) % 2 === 1;
  if (!isOdd || bitsOf(exponent) < 2 || bitsOf(exponent) > 32) return undefined;
  return { kty, n, e };
}

function pointPart(
  jwk: JsonObject,
  curve: string,
  coordinateBytes: number,
): { [member: string]: string } | undefined {
  const { kty, crv, x, y } = jwk;
  if (kty !== 'EC' || crv !== curve || typeof x !== 'string' || typeof y !== 'string') {
    return undefined;
  }
  const isFull = [x, y].every(
    (text) => bytesOfCanonicalBase64url(text)?.length === coordinateBytes,
  );
  return isFull ? { kty, crv, x, y } : undefined;
}

function ed25519Part(jwk: JsonObject): { [member: string]: string } | undefined {
  const { kty, crv, x } = jwk;
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return undefined;
  const publicKey = bytesOfCanonicalBase64url(x);
  return publicKey !== undefined && ed25519.isPublicKey(publicKey) ? { kty, crv, x } : undefined;
}

/** Returns the bit length of a big-endian number without leading zeros. */
function bitsOf(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  if (first === -1) return 0;
  return (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24);
}
