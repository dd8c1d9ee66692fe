import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CBORType, encodeCBOR } from '@levischuck/tiny-cbor';
import { p256 } from '@noble/curves/nist.js';
import { readCoseKey } from '../../../src/core/auth/webauthn/cose_key.ts';
import { hex } from '../../../src/core/base/bytes.ts';

const refuse = (reason: string): never => {
  throw new Error(reason);
};

const point = p256.getPublicKey(new Uint8Array(32).fill(7), false);
type Parameters = readonly (readonly [number | string, CBORType])[];
const es256: Parameters = [
  [1, 2],
  [3, -7],
  [-1, 1],
  [-2, point.slice(1, 33)],
  [-3, point.slice(33)],
];

/** Returns a modulus of this length; the reader does not check for primes. */
function modulus(bits: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits / 8)).fill(0xff);
  bytes[0] = 0xff >> (8 * bytes.length - bits);
  return bytes;
}
const rs256: Parameters = [
  [1, 3],
  [3, -257],
  [-1, modulus(2048)],
  [-2, Uint8Array.of(1, 0, 1)],
];

const bytesOf = (parameters: Parameters) => encodeCBOR(new Map(parameters));
const replaced = (parameters: Parameters, label: number, value: CBORType) =>
  parameters.map((each) => (each[0] === label ? ([label, value] as const) : each));
const read = (parameters: Parameters) => readCoseKey(bytesOf(parameters), refuse);

test('a key of ES256 is a compressed point', () => {
  const compressed = p256.getPublicKey(new Uint8Array(32).fill(7), true);
  assert.deepEqual(read(es256), { algorithm: 'ES256', publicKey: compressed });
  assert.deepEqual(read(es256.toReversed()), { algorithm: 'ES256', publicKey: compressed });
});

test('a key of RS256 is a modulus and an exponent', () => {
  for (const bits of [2048, 2049, 3072, 3482, 4096]) {
    for (const exponent of [[3], [17], [1, 0, 1], [255, 255, 255, 255]]) {
      const wanted = { modulus: modulus(bits), exponent: Uint8Array.from(exponent) };
      const key = read(replaced(replaced(rs256, -1, wanted.modulus), -2, wanted.exponent));
      assert.deepEqual(key, { algorithm: 'RS256', ...wanted });
    }
  }
});

const even = modulus(2048);
even[255] = 0xfe;
const wrongY = point.slice(33);
wrongY[31] = (wrongY[31] ?? 0) ^ 1;
const field = hex(Uint8Array.from(p256.Point.Fp.toBytes(p256.Point.Fp.ORDER - 1n)));

const refused: Readonly<Record<string, readonly [Parameters, RegExp]>> = {
  'no algorithm': [
    es256.filter(([label]) => label !== 3),
    /ES256 \(-7\) or RS256 \(-257\), got none/,
  ],
  EdDSA: [
    [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, new Uint8Array(32)],
    ],
    /RS256 \(-257\), got -8/,
  ],
  ES384: [replaced(es256, 3, -35), /got -35/],
  PS256: [replaced(rs256, 3, -37), /got -37/],
  'SHA-1': [replaced(rs256, 3, -65535), /got -65535/],
  'an algorithm as text': [replaced(es256, 3, 'ES256'), /got none/],
  'the key type of another algorithm': [replaced(es256, 1, 3), /the parameters of ES256 alone/],
  'the algorithm of another key type': [replaced(es256, 3, -257), /the parameters of RS256 alone/],
  'a key id': [[...es256, [2, Uint8Array.of(1)]], /the parameters of ES256 alone/],
  'a private key': [[...es256, [-4, new Uint8Array(32)]], /the parameters of ES256 alone/],
  'a text label': [[...es256, ['1', 2]], /the parameters of ES256 alone/],
  'no y': [es256.filter(([label]) => label !== -3), /the parameters of ES256 alone/],
  'another curve': [replaced(es256, -1, 2), /on the curve P-256/],
  secp256k1: [replaced(es256, -1, 8), /on the curve P-256/],
  'a short x': [replaced(es256, -2, point.slice(2, 33)), /two coordinates of 32 bytes/],
  'a long x': [replaced(es256, -2, point.slice(0, 33)), /two coordinates of 32 bytes/],
  'x as an array': [replaced(es256, -2, [...point.slice(1, 33)]), /two coordinates of 32 bytes/],
  'a compressed point': [replaced(es256, -3, true), /two coordinates of 32 bytes/],
  'no point of the curve': [replaced(es256, -3, wrongY), /a point of the curve/],
  'the point zero': [
    replaced(replaced(es256, -2, new Uint8Array(32)), -3, new Uint8Array(32)),
    /a point of the curve/,
  ],
  'a coordinate above the field': [
    replaced(es256, -2, new Uint8Array(32).fill(0xff)),
    /a point of the curve/,
  ],
  'the greatest x, which is on no point with this y': [
    replaced(es256, -2, Uint8Array.from(Buffer.from(field, 'hex'))),
    /a point of the curve/,
  ],
  'a modulus of 2047 bits': [replaced(rs256, -1, modulus(2047)), /2048 to 4096 bits/],
  'a modulus of 1024 bits': [replaced(rs256, -1, modulus(1024)), /2048 to 4096 bits/],
  'a modulus of 4097 bits': [replaced(rs256, -1, modulus(4097)), /2048 to 4096 bits/],
  'a modulus behind a zero': [
    replaced(rs256, -1, Uint8Array.of(0, ...modulus(2048))),
    /2048 to 4096 bits/,
  ],
  'an even modulus': [replaced(rs256, -1, even), /2048 to 4096 bits/],
  'an empty modulus': [replaced(rs256, -1, new Uint8Array(0)), /2048 to 4096 bits/],
  'a modulus as a number': [replaced(rs256, -1, 7), /2048 to 4096 bits/],
  'the exponent 1': [replaced(rs256, -2, Uint8Array.of(1)), /odd exponent/],
  'the exponent 0': [replaced(rs256, -2, Uint8Array.of(0)), /odd exponent/],
  'no exponent': [replaced(rs256, -2, new Uint8Array(0)), /odd exponent/],
  'an even exponent': [replaced(rs256, -2, Uint8Array.of(1, 0, 0)), /odd exponent/],
  'an exponent behind a zero': [replaced(rs256, -2, Uint8Array.of(0, 1, 0, 1)), /odd exponent/],
  'an exponent above 2^32': [replaced(rs256, -2, Uint8Array.of(1, 0, 0, 0, 1)), /odd exponent/],
  'an exponent as a number': [replaced(rs256, -2, 65537), /odd exponent/],
};

for (const [what, [parameters, reason]] of Object.entries(refused)) {
  test(`a key is refused with ${what}`, () => {
    assert.throws(() => read(parameters), reason);
  });
}

test('a key that is no map in canonical form is refused', () => {
  const bytes = bytesOf(es256);
  const longHead = Uint8Array.of(0xb8, 5, ...bytes.slice(1));
  const trailing = Uint8Array.of(...bytes, 0);
  const twice = Uint8Array.of(0xa6, ...bytes.slice(1), 0x03, 0x26);
  for (const wrong of [new Uint8Array(0), Uint8Array.of(0x80), longHead, trailing, twice]) {
    assert.throws(() => readCoseKey(wrong, refuse), /a CBOR map in its shortest form/);
  }
});
