import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeRlp, type RlpItem } from '../../../src/core/payload/rlp.ts';
import {
  type RlpSlice,
  readRlp,
  readRlpItems,
  rlpBytes,
  rlpUnsigned,
} from '../../../src/core/payload/rlp_reader.ts';

const bytesOf = (digits: string) => Uint8Array.fromHex(digits.replaceAll(' ', ''));

function refuse(problem: string, index?: number): never {
  throw new Error(index === undefined ? problem : `[${index}] ${problem}`);
}

function itemValue(item: RlpSlice): RlpItem {
  if (!item.isList) return rlpBytes(item, refuse);
  return readRlpItems(item, 1_000, refuse).map(itemValue);
}

const read = (digits: string) => itemValue(readRlp(bytesOf(digits), refuse));

test('RLP: written items are read back', () => {
  type Nested = Uint8Array | Nested[];
  const { item } = fc.letrec<{ item: Nested }>((tie) => ({
    item: fc.oneof(
      { depthSize: 'small' },
      fc.uint8Array({ maxLength: 70 }),
      fc.array(tie('item'), { maxLength: 5 }),
    ),
  }));
  fc.assert(
    fc.property(item, (nested) => {
      assert.deepEqual(itemValue(readRlp(encodeRlp(nested), refuse)), nested);
    }),
  );
});

test('RLP: accepted bytes are the only encoding of their value', () => {
  const nearlyRlp = fc.array(
    fc.oneof(
      fc.constantFrom(0, 1, 0x37, 0x7f, 0x80, 0x81, 0x82, 0xb7, 0xb8, 0xb9),
      fc.constantFrom(0xc0, 0xc1, 0xc2, 0xf7, 0xf8, 0xf9, 0xff),
    ),
    { minLength: 1, maxLength: 12 },
  );
  let accepted = 0;
  fc.assert(
    fc.property(nearlyRlp, (bytes) => {
      let value: RlpItem;
      try {
        value = itemValue(readRlp(Uint8Array.from(bytes), refuse));
      } catch {
        return;
      }
      accepted += 1;
      assert.deepEqual(encodeRlp(value), Uint8Array.from(bytes));
    }),
    { numRuns: 20_000 },
  );
  assert.ok(accepted > 100);
});

test('RLP: lengths are read at the boundaries of prefixes', () => {
  for (const length of [0, 1, 55, 56, 255, 256, 65_535, 65_536]) {
    const bytes = new Uint8Array(length).fill(0x80);
    assert.deepEqual(itemValue(readRlp(encodeRlp(bytes), refuse)), bytes);
    assert.deepEqual(itemValue(readRlp(encodeRlp([bytes]), refuse)), [bytes]);
  }
});

const refused: Readonly<Record<string, readonly [digits: string, problem: RegExp]>> = {
  'no bytes': ['', /^expected an item, got no bytes$/],
  'a byte after the item': ['80 00', /^expected nothing after it, got 1 byte$/],
  'a byte below 80 with a prefix': ['81 7f', /^expected a byte below 80 to stand for itself$/],
  'the long form of a short string': ['b8 01 80', /^expected the short form for 1 byte$/],
  'the long form of 55 bytes': [`b8 37 ${'00'.repeat(55)}`, /short form for 55 bytes/],
  'the long form of a short list': ['f8 01 80', /^expected the short form for 1 byte$/],
  'a length with a leading zero': [`b9 00 38 ${'00'.repeat(56)}`, /length without leading zeros/],
  'a length that is cut off': ['b9 01', /^expected a length of 2 bytes, got 1$/],
  'a string that is cut off': ['83 61 62', /^expected 3 bytes after its length, got 2$/],
  'a list that is cut off': ['c2 80', /^expected 2 bytes after its length, got 1$/],
  'a length of 2^64-1': [`bf ${'ff'.repeat(8)}`, /^expected 18446744073709552000 bytes after/],
  'an item of a list': ['c3 80 81 00', /^\[1\] expected a byte below 80/],
  'a length at the end of a list': ['c2 80 b8', /^\[1\] expected a length of 1 byte, got 0$/],
};

for (const [what, [digits, problem]] of Object.entries(refused)) {
  test(`RLP refuses ${what}`, () => assert.throws(() => read(digits), { message: problem }));
}

test('RLP: an item ends with its list', () => {
  // The bytes behind the list would complete the item.
  const list = readRlp(bytesOf('c2 82 61'), refuse);
  assert.throws(() => readRlpItems({ ...list, source: bytesOf('c2 82 61 62') }, 9, refuse), {
    message: '[0] expected 2 bytes after its length, got 1',
  });
});

test('RLP: the caller bounds the items of a list', () => {
  const list = readRlp(bytesOf('c3 01 02 03'), refuse);
  assert.equal(readRlpItems(list, 3, refuse).length, 3);
  assert.throws(() => readRlpItems(list, 2, refuse), { message: 'expected at most 2 items' });
  assert.throws(() => readRlpItems(readRlp(bytesOf('01'), refuse), 2, refuse), {
    message: 'expected a list, got 1 byte',
  });
  assert.throws(() => rlpBytes(list, refuse), { message: 'expected bytes, got a list' });
});

test('RLP: integers have no leading zeros, and the caller bounds their bytes', () => {
  const integer = (digits: string, maximum: number) =>
    rlpUnsigned(readRlp(bytesOf(digits), refuse), maximum, refuse);
  assert.equal(integer('80', 8), 0n);
  assert.equal(integer('7f', 1), 127n);
  assert.equal(integer(`a0 ${'ff'.repeat(32)}`, 32), 2n ** 256n - 1n);
  const zero = { message: 'expected an integer without leading zeros' };
  assert.throws(() => integer('00', 8), zero);
  assert.throws(() => integer('82 00 01', 8), zero);
  assert.throws(() => integer('82 01 00', 1), {
    message: 'expected an integer of at most 1 byte, got 2 bytes',
  });
});
