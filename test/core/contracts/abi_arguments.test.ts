import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AbiCoder, ParamType } from 'ethers';
import fc from 'fast-check';
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from 'viem';
import { hex } from '../../../src/core/base/bytes.ts';
import { finish } from '../../../src/core/base/steps.ts';
import { type AbiParameter, readAbiInSteps } from '../../../src/core/contracts/abi.ts';
import {
  type AbiValue,
  argumentLimits,
  decodeArguments,
  decodeUnshared,
} from '../../../src/core/contracts/abi_arguments.ts';
import { layoutOf } from '../../../src/core/contracts/abi_layout.ts';

const readAbi = (value: unknown) => finish(readAbiInSteps(value));

/** Returns the layout of types in the spelling of ethers, read from the JSON of an ABI. */
function layoutOfTypes(types: readonly string[]) {
  const inputs = types.map((type) => JSON.parse(ParamType.from(type).format('json')));
  const [called] = readAbi([{ type: 'function', name: 'f', inputs }]);
  assert.ok(called !== undefined);
  return layoutOf(called.inputs);
}

type Plain = string | boolean | readonly Plain[];

/** Returns a value with numbers as decimal text, and addresses and bytes as hex. */
function plain(value: AbiValue): Plain {
  switch (value.kind) {
    case 'list':
      return value.items.map(plain);
    case 'address':
    case 'bytes':
      return value.hex;
    case 'boolean':
      return value.value;
    default:
      return String(value.value);
  }
}

function decode(types: readonly string[], data: Uint8Array): readonly Plain[] | undefined {
  return decodeArguments(layoutOfTypes(types), data)?.map(plain);
}

const bytesOf = (...words: readonly string[]) => Uint8Array.fromHex(words.join(''));
const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0');
const negative = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0');

const scalars: readonly [type: string, arbitrary: fc.Arbitrary<unknown>][] = [
  ['uint8', fc.bigInt(0n, 255n).map(Number)],
  ['uint64', fc.bigInt(0n, 2n ** 64n - 1n)],
  ['uint256', fc.oneof(fc.bigInt(0n, 2n ** 256n - 1n), fc.constantFrom(0n, 2n ** 128n))],
  ['int24', fc.bigInt(-(2n ** 23n), 2n ** 23n - 1n).map(Number)],
  ['int256', fc.bigInt(-(2n ** 255n), 2n ** 255n - 1n)],
  ['bool', fc.boolean()],
  ['address', fc.uint8Array({ minLength: 20, maxLength: 20 }).map((of) => `0x${hex(of)}`)],
  ['bytes4', fc.uint8Array({ minLength: 4, maxLength: 4 }).map((of) => `0x${hex(of)}`)],
  ['bytes32', fc.uint8Array({ minLength: 32, maxLength: 32 }).map((of) => `0x${hex(of)}`)],
  ['bytes', fc.uint8Array({ maxLength: 70 }).map((of) => `0x${hex(of)}`)],
  ['string', fc.string({ unit: 'grapheme', maxLength: 40 })],
];

type Typed = { readonly type: string; readonly value: unknown };

const { typed } = fc.letrec<{ typed: Typed }>((tie) => ({
  typed: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .constantFrom(...scalars)
      .chain(([type, arbitrary]) => arbitrary.map((value): Typed => ({ type, value }))),
    fc.array(tie('typed'), { minLength: 1, maxLength: 3 }).map(
      (members): Typed => ({
        type: `(${members.map(({ type }) => type).join(',')})`,
        value: members.map(({ value }) => value),
      }),
    ),
    fc.tuple(tie('typed'), fc.integer({ min: 0, max: 3 }), fc.boolean()).map(
      ([{ type, value }, count, isFixed]): Typed => ({
        type: `${type}[${isFixed && count > 0 ? count : ''}]`,
        value: Array.from({ length: count }, () => value),
      }),
    ),
  ),
}));

const parameters = fc.array(typed, { minLength: 1, maxLength: 4 });

function plainOf(value: unknown): Plain {
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value === 'boolean') return value;
  const text = String(value);
  return /^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : text;
}

function encoded(given: readonly Typed[]): Uint8Array {
  const types = given.map(({ type }) => type);
  return bytesOf(
    AbiCoder.defaultAbiCoder()
      .encode(
        types,
        given.map(({ value }) => value),
      )
      .slice(2),
  );
}

test('arguments that viem and ethers encode are decoded, with and without surplus bytes', () => {
  fc.assert(
    fc.property(parameters, fc.uint8Array({ maxLength: 40 }), (given, surplus) => {
      const types = given.map(({ type }) => type);
      const data = encoded(given);
      const expected = given.map(({ value }) => plainOf(value));
      assert.deepEqual(decode(types, data), expected);
      assert.deepEqual(decode(types, Uint8Array.of(...data, ...surplus)), expected);
      const viemTypes = parseAbiParameters(types.join(', ')) as readonly { type: string }[];
      const byViem = encodeAbiParameters(viemTypes, given.map(({ value }) => value) as never);
      assert.equal(byViem.slice(2), hex(data));
    }),
  );
});

test('changed data is decoded as by ethers, or not at all', () => {
  let decoded = 0;
  fc.assert(
    fc.property(parameters, fc.nat(), fc.integer({ min: 1, max: 255 }), (given, place, change) => {
      const types = given.map(({ type }) => type);
      const data = encoded(given).slice();
      const at = place % data.length;
      data[at] = (data[at] ?? 0) ^ change;
      const ours = decode(types, data);
      const theirs = byEthers(types, data);
      if (theirs === undefined) return assert.equal(ours, undefined);
      if (ours !== undefined) {
        decoded += 1;
        return assert.deepEqual(ours, theirs.values);
      }
      assert.ok(!theirs.isSame, 'we refuse what ethers writes again');
    }),
    { numRuns: 1_000 },
  );
  assert.ok(decoded > 50);
});

function byEthers(types: readonly string[], data: Uint8Array) {
  try {
    const coder = AbiCoder.defaultAbiCoder();
    const values = coder.decode(types, data).toArray(true);
    const again = coder.encode(types, values).slice(2);
    return { values: values.map(plainOf), isSame: again === hex(data) };
  } catch {
    return undefined;
  }
}

const undecodable: Readonly<Record<string, readonly [types: readonly string[], data: Uint8Array]>> =
  {
    'no bytes': [['uint8'], bytesOf()],
    'a word that is cut off': [['uint8'], bytesOf(word(1)).subarray(0, 31)],
    'a uint8 of 256': [['uint8'], bytesOf(word(256))],
    'an int8 of 128': [['int8'], bytesOf(word(128))],
    'an int8 of -129': [['int8'], bytesOf(negative(-129n))],
    'a bool of 2': [['bool'], bytesOf(word(2))],
    'a bool with an upper byte': [['bool'], bytesOf(word(257))],
    'an address of 21 bytes': [['address'], bytesOf(word(2n ** 160n))],
    'a bytes4 of five bytes': [['bytes4'], bytesOf('0102030405'.padEnd(64, '0'))],
    'a function of 25 bytes': [['function'], bytesOf('01'.repeat(25).padEnd(64, '0'))],
    'an offset beyond the data': [['bytes'], bytesOf(word(64), word(0))],
    'an offset of 2^255': [['bytes'], bytesOf(word(2n ** 255n), word(0))],
    'an offset of 2^32, which a number of 32 bits would lose': [
      ['bytes'],
      bytesOf(word(2n ** 32n + 32n), word(0)),
    ],
    'a length beyond the data': [['bytes'], bytesOf(word(32), word(33), word(0))],
    'bytes of which a part is there': [['bytes'], bytesOf(word(32), word(2), 'ff')],
    'bytes that are filled up with others': [
      ['bytes'],
      bytesOf(word(32), word(1), 'ff'.repeat(32)),
    ],
    'text that is no UTF-8': [['string'], bytesOf(word(32), word(1), 'ff'.padEnd(64, '0'))],
    'a count beyond the data': [['uint256[]'], bytesOf(word(32), word(2), word(0))],
    'a count of 2^60': [['uint256[]'], bytesOf(word(32), word(2n ** 60n))],
    'a fixed array of more than there is': [['uint256[3]'], bytesOf(word(0), word(0))],
    'a fixed array of sixteen dimensions': [[`uint8${'[999999999]'.repeat(16)}`], bytesOf(word(0))],
    'more empty tuples than values are allowed': [
      ['tuple()[]'],
      bytesOf(word(32), word(argumentLimits.values)),
    ],
    'lists in more lists than are allowed': [
      [`uint8${'[1]'.repeat(argumentLimits.depth + 1)}`],
      bytesOf(word(0)),
    ],
  };

for (const [what, [types, data]] of Object.entries(undecodable)) {
  test(`${what} is not decoded`, () => {
    // ethers has no tuples without members.
    const parametersOf = types.map(
      (type): AbiParameter =>
        type === 'tuple()[]' ? { name: '', type: '()[]', components: [] } : { name: '', type },
    );
    assert.equal(decodeArguments(layoutOf(parametersOf), data), undefined);
  });
}

test('trailing zeros of the data may be missing, as for contracts', () => {
  const types = [{ type: 'uint8' }, { type: 'bytes' }] as const;
  for (let missing = 0; missing <= 31; missing += 1) {
    const data = bytesOf(word(7), word(64), word(1), 'ff'.padEnd(64 - 2 * missing, '0'));
    assert.deepEqual(decode(['uint8', 'bytes'], data), ['7', '0xff']);
    assert.deepEqual(decodeAbiParameters(types, data), [7, '0xff']);
  }
});

test('values at the limits are decoded', () => {
  const nested = layoutOf([{ name: '', type: `uint8${'[1]'.repeat(argumentLimits.depth)}` }]);
  assert.ok(decodeArguments(nested, bytesOf(word(0))) !== undefined);
  const empty = layoutOf([{ name: '', type: '()[]', components: [] }]);
  const most = bytesOf(word(32), word(argumentLimits.values - 1));
  assert.ok(decodeArguments(empty, most) !== undefined);
});

test('an offset may be shared, and repeated reads count again', () => {
  const data = (count: number, size: number) =>
    bytesOf(
      word(32),
      word(count),
      ...Array.from({ length: count }, () => word(32 * count)),
      word(size),
      'ff'.repeat(size),
    );
  assert.deepEqual(decode(['bytes[]'], data(2, 32)), [
    [`0x${'ff'.repeat(32)}`, `0x${'ff'.repeat(32)}`],
  ]);
  const half = argumentLimits.bytes / 2;
  assert.ok(decode(['bytes[]'], data(2, half)) !== undefined);
  assert.equal(decode(['bytes[]'], data(3, half)), undefined);
  const layout = layoutOf([{ name: '', type: 'bytes[]' }]);
  assert.notEqual(decodeUnshared(layout, data(1, 32)), undefined);
  assert.equal(decodeUnshared(layout, data(40, 64)), undefined);
  // Nested arrays multiply: six levels of ten offsets are 10^6 values.
  const level = [word(10), ...Array.from({ length: 10 }, () => word(320))];
  const levels = bytesOf(word(32), ...Array.from({ length: 6 }, () => level).flat(), word(0));
  assert.equal(decode([`uint8${'[]'.repeat(7)}`], levels), undefined);
});

test('an offset may point back, as in viem and ethers', () => {
  // The length of the bytes is the word before the offset: 0.
  const data = bytesOf(word(0), word(0), word(0));
  assert.deepEqual(decode(['uint8', 'bytes'], data), ['0', '0x']);
  assert.deepEqual(decodeAbiParameters([{ type: 'uint8' }, { type: 'bytes' }], data), [0, '0x']);
  assert.deepEqual(byEthers(['uint8', 'bytes'], data)?.values, ['0', '0x']);
});
