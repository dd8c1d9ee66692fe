// Public keys of passkeys: COSE_Key (RFC 9052 section 7) with the parameters of RFC 9053 section
// 7.1.1 and RFC 8230 section 4.

import { concatBytes } from '../../base/bytes.ts';
import { namesOf, table } from '../../base/table.ts';
import { p256 } from '../../crypto/p256.ts';
import { type CborValue, decodeCbor } from './cbor.ts';
import type { Refuse } from './refuse.ts';

export type CoseKey =
  /** A compressed point of P-256, 33 bytes. */
  | { readonly algorithm: 'ES256'; readonly publicKey: Uint8Array }
  /** Big-endian without leading zeros. */
  | { readonly algorithm: 'RS256'; readonly modulus: Uint8Array; readonly exponent: Uint8Array };

/**
 * Reads a COSE_Key of ES256 (P-256) or RS256 (2048 to 4096 bits). Rejects optional parameters, as Web
 * Authentication Level 3 section 6.5.1 requires, so only the order of parameters may vary.
 */
export function readCoseKey(bytes: Uint8Array, refuse: Refuse): CoseKey {
  const key = decodeCbor(bytes)?.value;
  if (!(key instanceof Map)) refuse('expected the public key as a CBOR map in its shortest form');
  const identifier = key.get(label.algorithm);
  const algorithm = namesOf(algorithms).find((name) => algorithms[name].identifier === identifier);
  if (algorithm === undefined) {
    const given = typeof identifier === 'number' ? `${identifier}` : 'none';
    refuse(`expected the algorithm of the public key to be ${expectedAlgorithms}, got ${given}`);
  }
  const { keyType, parameters, read } = algorithms[algorithm];
  if (key.get(label.keyType) !== keyType || key.size !== parameters) {
    refuse(`expected the public key to have the parameters of ${algorithm} alone`);
  }
  return read(key, refuse);
}

type CborMap = ReadonlyMap<string | number, CborValue>;

type AlgorithmRow = {
  /** Identifier in the registry of COSE algorithms. */
  readonly identifier: number;
  readonly keyType: number;
  /** Number of parameters of a key, including type and algorithm. */
  readonly parameters: number;
  readonly read: (key: CborMap, refuse: Refuse) => CoseKey;
};

const algorithms = table<AlgorithmRow>()<CoseKey['algorithm']>({
  ES256: { identifier: -7, keyType: 2, parameters: 5, read: readEs256 },
  RS256: { identifier: -257, keyType: 3, parameters: 4, read: readRs256 },
});

const expectedAlgorithms = namesOf(algorithms)
  .map((name) => `${name} (${algorithms[name].identifier})`)
  .join(' or ');

/** Labels of parameters; negative labels depend on the key type. */
const label = { keyType: 1, algorithm: 3, curve: -1, x: -2, y: -3, modulus: -1, exponent: -2 };

const p256Identifier = 1;
const coordinateBytes = 32;

function readEs256(key: CborMap, refuse: Refuse): CoseKey {
  if (key.get(label.curve) !== p256Identifier) refuse('expected the public key on the curve P-256');
  const x = key.get(label.x);
  const y = key.get(label.y);
  // Passkeys must not use the compressed form, which has a boolean y (section 5.8.5).
  if (!isCoordinate(x) || !isCoordinate(y)) {
    refuse(`expected two coordinates of ${coordinateBytes} bytes`);
  }
  const publicKey = p256.parsePublicKey(concatBytes(Uint8Array.of(4), x, y));
  if (publicKey === undefined) refuse('expected the public key to be a point of the curve');
  return { algorithm: 'ES256', publicKey };
}

const modulusBits = { minimum: 2048, maximum: 4096 };
const exponentBytes = 4;

function readRs256(key: CborMap, refuse: Refuse): CoseKey {
  const modulus = key.get(label.modulus);
  const exponent = key.get(label.exponent);
  if (!isOddNumber(modulus) || !isBetween(bitsOf(modulus), modulusBits)) {
    refuse(`expected a modulus of ${modulusBits.minimum} to ${modulusBits.maximum} bits`);
  }
  const isOne = exponent instanceof Uint8Array && exponent.length === 1 && exponent[0] === 1;
  if (!isOddNumber(exponent) || isOne || exponent.length > exponentBytes) {
    refuse('expected an odd exponent from 3 to 2^32');
  }
  return { algorithm: 'RS256', modulus, exponent };
}

function isCoordinate(value: CborValue): value is Uint8Array {
  return value instanceof Uint8Array && value.length === coordinateBytes;
}

/** Returns true if this is an odd number without leading zeros. */
function isOddNumber(value: CborValue): value is Uint8Array {
  return value instanceof Uint8Array && value[0] !== 0 && (value.at(-1) ?? 0) % 2 === 1;
}

function bitsOf(number: Uint8Array): number {
  return 8 * number.length - (Math.clz32(number[0] ?? 0) - 24);
}

function isBetween(value: number, bounds: { minimum: number; maximum: number }): boolean {
  return value >= bounds.minimum && value <= bounds.maximum;
}
