// Compares the Borsh decoder with the package borsh, and lists data that it must not decode.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base58 } from '@scure/base';
import { type Schema, serialize } from 'borsh';
import fc from 'fast-check';
import {
  type BorshField,
  type BorshType,
  type BorshTypes,
  type DecodedFields,
  type DecodedValue,
  decodeBorsh,
} from '../../../src/core/contracts/borsh.ts';

/** A type, its schema in the package, and values with their decoded form. */
type Sample = {
  readonly type: BorshType;
  readonly schema: Schema;
  readonly value: fc.Arbitrary<{ readonly written: unknown; readonly read: DecodedValue }>;
};

const same = <Value extends DecodedValue>(arbitrary: fc.Arbitrary<Value>) =>
  arbitrary.map((value) => ({ written: value as unknown, read: value as DecodedValue }));

function integer(byteCount: 1 | 2 | 4 | 8 | 16, isSigned: boolean): Sample {
  const bits = 8 * byteCount;
  const [min, max] = isSigned
    ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
    : [0n, 2n ** BigInt(bits) - 1n];
  return {
    type: { kind: 'integer', byteCount, isSigned },
    schema: `${isSigned ? 'i' : 'u'}${bits}` as Schema,
    value: fc
      .bigInt({ min, max })
      .map((read) => ({ written: byteCount > 4 ? read : Number(read), read })),
  };
}

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const scalars: readonly Sample[] = [
  ...([1, 2, 4, 8, 16] as const).flatMap((bytes) => [integer(bytes, false), integer(bytes, true)]),
  { type: { kind: 'bool' }, schema: 'bool', value: same(fc.boolean()) },
  { type: { kind: 'string' }, schema: 'string', value: same(text) },
  {
    type: { kind: 'bytes' },
    schema: { array: { type: 'u8' } },
    value: fc
      .uint8Array({ maxLength: 8 })
      .map((bytes) => ({ written: [...bytes], read: bytes.toHex() })),
  },
  {
    type: { kind: 'key' },
    schema: { array: { type: 'u8', len: 32 } },
    value: fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => ({ written: [...bytes], read: base58.encode(bytes) })),
  },
  {
    type: { kind: 'float', byteCount: 4 },
    schema: 'f32',
    value: same(fc.float({ noNaN: true })),
  },
  {
    type: { kind: 'float', byteCount: 8 },
    schema: 'f64',
    value: same(fc.double({ noNaN: true })),
  },
];

const optionOf = ({ type, schema, value }: Sample): Sample => ({
  type: { kind: 'option', element: type },
  schema: { option: schema },
  value: fc.option(value).map((some) => some ?? { written: null, read: null }),
});

const vectorOf = ({ type, schema, value }: Sample): Sample => ({
  type: { kind: 'list', element: type },
  schema: { array: { type: schema } },
  value: fc.array(value, { maxLength: 3 }).map(listValue),
});

const arrayOf = ({ type, schema, value }: Sample): Sample => ({
  type: { kind: 'list', element: type, count: 2 },
  schema: { array: { type: schema, len: 2 } },
  value: fc.array(value, { minLength: 2, maxLength: 2 }).map(listValue),
});

const listValue = (items: readonly { written: unknown; read: DecodedValue }[]) => ({
  written: items.map(({ written }) => written),
  read: items.map(({ read }) => read),
});

function structOf(samples: readonly Sample[]): Sample {
  const names = samples.map((_, i) => `field${i}`);
  const entries = <Value>(values: readonly Value[]) =>
    names.map((name, i) => [name, values[i]] as const);
  return {
    type: {
      kind: 'fields',
      fields: { named: samples.map(({ type }, i) => ({ name: `field${i}`, type })) },
    },
    schema: { struct: Object.fromEntries(samples.map(({ schema }, i) => [`field${i}`, schema])) },
    value: fc.tuple(...samples.map(({ value }) => value)).map((values) => ({
      written: Object.fromEntries(entries(values.map(({ written }) => written))),
      read: new Map(entries(values.map(({ read }) => read))) as DecodedFields,
    })),
  };
}

function enumOf(samples: readonly Sample[]): Sample {
  const variant = (i: number) => `variant${i}`;
  return {
    type: {
      kind: 'enum',
      variants: samples.map(({ type }, i) => ({
        name: variant(i),
        fields: { named: [{ name: 'inner', type }] },
      })),
    },
    schema: {
      enum: samples.map(({ schema }, i) => ({
        struct: { [variant(i)]: { struct: { inner: schema } } },
      })),
    },
    value: fc.nat({ max: samples.length - 1 }).chain((i) =>
      (samples[i] as Sample).value.map(({ written, read }) => ({
        written: { [variant(i)]: { inner: written } },
        read: new Map([[variant(i), new Map([['inner', read]])]]),
      })),
    ),
  };
}

const sample: fc.Arbitrary<Sample> = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...scalars),
    tie('sample').map(optionOf),
    tie('sample').map(vectorOf),
    tie('sample').map(arrayOf),
    fc.array(tie('sample'), { minLength: 1, maxLength: 3 }).map(structOf),
    fc.array(tie('sample'), { minLength: 1, maxLength: 3 }).map(enumOf),
  ),
})).sample;

const field = (type: BorshType): readonly BorshField[] => [{ name: 'value', type }];
const decode = (type: BorshType, hex: string, types: BorshTypes = new Map()) =>
  decodeBorsh(field(type), types, Uint8Array.fromHex(hex), 0)?.get('value');

test('a value that the package borsh writes is decoded to the same value', () => {
  const written = sample.chain(({ type, schema, value }) =>
    value.map((each) => ({ type, schema, ...each })),
  );
  fc.assert(
    fc.property(written, ({ type, schema, written, read }) => {
      const bytes = serialize(schema, written);
      assert.deepEqual(decodeBorsh(field(type), new Map(), bytes, 0), new Map([['value', read]]));
      const longer = Uint8Array.of(...bytes, 0);
      assert.equal(decodeBorsh(field(type), new Map(), longer, 0), undefined, 'a byte too many');
      const shorter = bytes.subarray(0, -1);
      if (bytes.length > 0)
        assert.equal(decodeBorsh(field(type), new Map(), shorter, 0), undefined);
      const behind = Uint8Array.of(7, 7, ...bytes);
      assert.deepEqual(decodeBorsh(field(type), new Map(), behind, 2)?.get('value'), read);
    }),
    { numRuns: 2000 },
  );
});

const u8: BorshType = { kind: 'integer', byteCount: 1, isSigned: false };
const unit: BorshType = { kind: 'fields', fields: { named: [] } };

const undecoded: readonly (readonly [name: string, type: BorshType, hex: string])[] = [
  ['a bool of 2', { kind: 'bool' }, '02'],
  ['an option of 2', { kind: 'option', element: u8 }, '0205'],
  ['a text that is not UTF-8', { kind: 'string' }, '01000000ff'],
  ['half a surrogate pair', { kind: 'string' }, '03000000eda080'],
  ['a float that is no number', { kind: 'float', byteCount: 4 }, '0000c07f'],
  [
    'a variant that is not there',
    { kind: 'enum', variants: [{ name: 'A', fields: { named: [] } }] },
    '01',
  ],
  ['a length beyond the data', { kind: 'list', element: u8 }, 'ffffffff'],
  ['bytes beyond the data', { kind: 'bytes' }, 'ffffffff'],
  ['a type that is not defined', { kind: 'defined', name: 'Missing' }, '00'],
  ['four thousand million values without bytes', { kind: 'list', element: unit }, 'ffffffff'],
  ['a thousand values without bytes', { kind: 'list', element: unit, count: 1000 }, ''],
];

for (const [name, type, hex] of undecoded) {
  test(`is not decoded: ${name}`, () => {
    assert.equal(decode(type, hex), undefined);
  });
}

test('recursive types end with the data or at the maximum depth', () => {
  const types: BorshTypes = new Map([
    ['Loop', { kind: 'defined', name: 'Loop' }],
    ['List', { kind: 'option', element: { kind: 'defined', name: 'List' } }],
  ]);
  assert.equal(decode({ kind: 'defined', name: 'Loop' }, '', types), undefined);
  assert.equal(decode({ kind: 'defined', name: 'List' }, '00', types), null);
  assert.equal(decode({ kind: 'defined', name: 'List' }, '0100', types), null);
  assert.equal(decode({ kind: 'defined', name: 'List' }, `${'01'.repeat(16)}00`, types), undefined);
});

test('structs that double at each level without bytes are not decoded', () => {
  const types: BorshTypes = new Map(
    Array.from({ length: 14 }, (_, i) => {
      const inner: BorshType = i === 0 ? unit : { kind: 'defined', name: `T${i - 1}` };
      const named = Array.from({ length: 50 }, (__, j) => ({ name: `f${j}`, type: inner }));
      return [`T${i}`, { kind: 'fields', fields: { named } }] as const;
    }),
  );
  assert.equal(decode({ kind: 'defined', name: 'T13' }, '', types), undefined);
});
