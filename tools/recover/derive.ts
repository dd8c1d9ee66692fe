// Derives account keys from the seed of a wallet: BIP-32 on secp256k1, SLIP-0010 on P-256 and Ed25519. Also
// derives public keys from private keys.

import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

export const curveNames = ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'] as const;
export type CurveName = (typeof curveNames)[number];

type Curve = {
  /** The HMAC key that derives a master key from a seed. */
  readonly label: string;
  /** 33 bytes (compressed point), or 32 on Ed25519. */
  readonly publicKeyOf: (privateKey: Uint8Array) => Uint8Array;
  /** Undefined for Ed25519, whose child keys are all hardened. */
  readonly order: bigint | undefined;
};

const curves: Readonly<Record<CurveName, Curve>> = {
  CURVE_SECP256K1: {
    label: 'Bitcoin seed',
    publicKeyOf: (key) => secp256k1.getPublicKey(key),
    order: secp256k1.Point.Fn.ORDER,
  },
  CURVE_P256: {
    label: 'Nist256p1 seed',
    publicKeyOf: (key) => p256.getPublicKey(key),
    order: p256.Point.Fn.ORDER,
  },
  CURVE_ED25519: { label: 'ed25519 seed', publicKeyOf: ed25519.getPublicKey, order: undefined },
};

/** Returns the name of a curve. Raises an error for any other text. */
export function curveNamed(name: unknown): CurveName {
  const found = curveNames.find((each) => each === name);
  if (found === undefined) throw new Error(`this tool does not support the curve ${name}`);
  return found;
}

export function publicKeyOf(curve: CurveName, privateKey: Uint8Array): Uint8Array {
  return curves[curve].publicKeyOf(privateKey);
}

const hardened = 2 ** 31;

/** Returns the private key (32 bytes) at a path such as `m/44'/60'/0'/0/0`. */
export function derive(curve: CurveName, seed: Uint8Array, path: string): Uint8Array {
  const { label, order } = curves[curve];
  let { key, chainCode } = halves(hmac(sha512, utf8ToBytes(label), seed));
  for (const index of indexesOf(path)) {
    const isHardened = order === undefined || index >= hardened;
    const number = order === undefined && index < hardened ? index + hardened : index;
    const parent = isHardened ? concatBytes(Uint8Array.of(0), key) : curves[curve].publicKeyOf(key);
    const child = halves(hmac(sha512, chainCode, concatBytes(parent, bytesOfNumber(number))));
    key = order === undefined ? child.key : addedModulo(child.key, key, order);
    chainCode = child.chainCode;
  }
  return key;
}

function halves(bytes: Uint8Array): { key: Uint8Array; chainCode: Uint8Array } {
  return { key: bytes.slice(0, 32), chainCode: bytes.slice(32) };
}

function indexesOf(path: string): number[] {
  const [first, ...segments] = path.split('/');
  const numbers = segments.map((segment) => {
    const match = /^([0-9]{1,10})(')?$/.exec(segment);
    return Number(match?.[1]) + (match?.[2] === undefined ? 0 : hardened);
  });
  if (first === 'm' && numbers.every((number) => number < 2 * hardened)) return numbers;
  throw new Error(`${path} is not a derivation path`);
}

function bytesOfNumber(number: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

function addedModulo(a: Uint8Array, b: Uint8Array, order: bigint): Uint8Array {
  const [left, right] = [a, b].map((bytes) => BigInt(`0x${bytesToHex(bytes)}`));
  const sum = ((left ?? 0n) + (right ?? 0n)) % order;
  if (left === undefined || left >= order || sum === 0n) throw new Error('the path has no key');
  return hexToBytes(sum.toString(16).padStart(64, '0'));
}
