import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeCBOR } from '@levischuck/tiny-cbor';
import fc from 'fast-check';
import { decodeCbor, endOfCborItem } from '../../../src/core/auth/webauthn/cbor.ts';
import { hexBytes } from './webauthn_vectors.ts';

// RFC 8949, appendix A, the types that authenticators use.
const published: readonly (readonly [string, unknown])[] = [
  ['00', 0],
  ['17', 23],
  ['1818', 24],
  ['1903e8', 1000],
  ['1a000f4240', 1_000_000],
  ['1b000000e8d4a51000', 1_000_000_000_000],
  ['1bffffffffffffffff', 18446744073709551615n],
  ['20', -1],
  ['3903e7', -1000],
  ['f4', false],
  ['f5', true],
  ['f6', null],
  ['f7', undefined],
  ['40', new Uint8Array(0)],
  ['4401020304', Uint8Array.of(1, 2, 3, 4)],
  ['60', ''],
  ['6449455446', 'IETF'],
  ['62c3bc', 'ü'],
  ['80', []],
  ['8301820203820405', [1, [2, 3], [4, 5]]],
  ['a0', new Map()],
  [
    'a201020304',
    new Map([
      [1, 2],
      [3, 4],
    ]),
  ],
  [
    'a26161016162820203',
    new Map<string, unknown>([
      ['a', 1],
      ['b', [2, 3]],
    ]),
  ],
];

for (const [encoded, value] of published) {
  test(`${encoded} is read as RFC 8949 says`, () => {
    assert.deepEqual(decodeCbor(hexBytes(encoded)), { value });
    assert.equal(endOfCborItem(hexBytes(`ffff${encoded}00`), 2), 2 + encoded.length / 2);
  });
}

const refused: Readonly<Record<string, string>> = {
  nothing: '',
  'a byte behind the item': '0000',
  'a number in one byte too many': '1817',
  'a number in two bytes too many': '190018',
  'a number of 8 bytes that fits 1': '1b0000000000000001',
  'a length in one byte too many': '580401020304',
  'a length in two bytes too many': '59000401020304',
  'a map in one byte too many': 'b8010102',
  'a negative number in one byte too many': '3800',
  'bytes of an indefinite length': '5f42010243030405ff',
  'text of an indefinite length': '7f61616162ff',
  'an array of an indefinite length': '9fff',
  'a map of an indefinite length': 'bf616101ff',
  'a lone break': 'ff',
  'a reserved head': '1c',
  'a reserved simple value': 'f0',
  'bytes beyond the end': '4501020304',
  'text beyond the end': '6549455446',
  'bytes of a length above 2^53': '5bffffffffffffffff',
  'an array of more than there is': '8301',
  'an array of 2^64 - 1 items': '9bffffffffffffffff00',
  'a map without its last value': 'a2010203',
  'the same key twice': 'a201020103',
  'the same text key twice': 'a2616101616102',
  'the key 1 as 1 and as 1.0': 'a20102fa3f80000003',
  'the key 1 as 1.0': 'a1fa3f80000003',
  'the key 1 as a bignum': 'a1c2410103',
  'bytes as a key': 'a1410103',
  'an array as a key': 'a1800103',
  'text that is no UTF-8': '61ff',
  'text with a surrogate': '63eda080',
  'text behind a byte order mark': '66efbbbf666d74',
};

for (const [what, encoded] of Object.entries(refused)) {
  test(`CBOR is refused with ${what}`, () => {
    assert.equal(decodeCbor(hexBytes(encoded)), undefined);
  });
}

test('bytes are read only within their array, not in the memory behind it', () => {
  const memory = hexBytes('430102030405');
  assert.deepEqual(decodeCbor(memory.subarray(0, 4)), { value: Uint8Array.of(1, 2, 3) });
  assert.equal(decodeCbor(memory.subarray(0, 3)), undefined);
  assert.equal(decodeCbor(memory.subarray(0, 1)), undefined);
});

test('nesting beyond the limit is refused at once', () => {
  const nested = (depth: number) => hexBytes(`${'81'.repeat(depth)}00`);
  assert.ok(decodeCbor(nested(8)) !== undefined);
  for (const depth of [9, 100, 50_000]) assert.equal(decodeCbor(nested(depth)), undefined);
  for (const head of ['a1', 'a100', 'c1', '9b00000001']) {
    assert.equal(decodeCbor(hexBytes(head.repeat(20_000))), undefined);
  }
});

const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.maxSafeInteger(),
    fc.string({ unit: 'grapheme' }).filter((text) => !text.startsWith('\ufeff')),
    fc.uint8Array(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(fc.integer(), fc.string({ maxLength: 3 })), tie('value')), {
        maxLength: 4,
      })
      .map((entries) => new Map(entries)),
  ),
})).value;

test('a written value is read back, and no other bytes give the same value', () => {
  fc.assert(
    fc.property(anyValue, fc.nat(), fc.integer({ min: 1, max: 255 }), (value, where, change) => {
      const encoded = encodeCBOR(value as Parameters<typeof encodeCBOR>[0]);
      assert.deepEqual(decodeCbor(encoded), { value });
      const mutated = Uint8Array.from(encoded);
      const at = where % mutated.length;
      mutated[at] = (mutated[at] ?? 0) ^ change;
      const read = decodeCbor(mutated);
      if (read !== undefined) assert.deepEqual(encodeCBOR(read.value), mutated);
    }),
    { numRuns: 2000, seed: 5 },
  );
});

test('random bytes are one canonical item, or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const read = decodeCbor(bytes);
      if (read !== undefined) assert.deepEqual(encodeCBOR(read.value), bytes);
    }),
    { numRuns: 20_000, seed: 7 },
  );
});
