import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  canonicalPath,
  canonicalPathText,
  parsePath,
  pathIndexLimit,
  pathSegmentsLimit,
} from '../../../src/core/derivation/path.ts';

const index = fc.oneof(fc.nat(pathIndexLimit), fc.constantFrom(0, 1, pathIndexLimit));
const segment = fc.record({ index, hardened: fc.boolean() }, { noNullPrototype: true });
const path = fc.array(segment, { maxLength: pathSegmentsLimit });

test('every path is parsed back after it was printed', () => {
  fc.assert(
    fc.property(path, (segments) => {
      assert.deepEqual(parsePath(canonicalPath(segments)), segments);
    }),
  );
});

test('a parsed path has one printed spelling', () => {
  const piece = fc.constantFrom(
    'm',
    '/',
    "'",
    'h',
    'H',
    '0',
    '1',
    '44',
    '2147483647',
    '2147483648',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const segments = parsePath(text);
      if (segments === undefined) return;
      const marked = text.replace(/[hH]/g, "'");
      const whole = marked.startsWith('m') ? marked : `m/${marked}`;
      assert.equal(canonicalPath(segments), whole);
    }),
    { numRuns: 1000 },
  );
});

test('paths are read in their common spellings', () => {
  assert.deepEqual(parsePath('m'), []);
  assert.deepEqual(parsePath("m/44'/60'/0'/0/2147483647"), [
    { index: 44, hardened: true },
    { index: 60, hardened: true },
    { index: 0, hardened: true },
    { index: 0, hardened: false },
    { index: 2147483647, hardened: false },
  ]);
  assert.equal(parsePath(`m${'/0'.repeat(pathSegmentsLimit)}`)?.length, pathSegmentsLimit);
});

test('the marks of hardened segments mean the same, with and without m', () => {
  const expected = parsePath("m/44'/60'/0'/0/0");
  assert.equal(expected?.length, 5);
  for (const text of ['m/44h/60h/0h/0/0', "m/44H/60'/0h/0/0", "44'/60'/0'/0/0", '44h/60H/0h/0/0']) {
    assert.deepEqual(parsePath(text), expected);
    assert.equal(canonicalPathText(text), "m/44'/60'/0'/0/0");
  }
  assert.equal(canonicalPathText('nowhere'), 'nowhere');
});

const refused = [
  '',
  '/',
  'M/0',
  'm/',
  'm//0',
  'm/0/',
  '0/1',
  "0/1'",
  '/0',
  'm0',
  ' m/0',
  'm/0 ',
  'm/0\n',
  'm/00',
  'm/01',
  'm/-1',
  'm/+1',
  'm/1.0',
  'm/1e3',
  'm/0x1',
  "m/'",
  "m/0''",
  'm/0’',
  "m/0h'",
  'm/0hH',
  'h',
  'n/0',
  'm/٣',
  'm/2147483648',
  "m/2147483648'",
  'm/4294967296',
  'm/99999999999999999999',
  `m${'/0'.repeat(pathSegmentsLimit + 1)}`,
];

for (const text of refused) {
  test(`refused: ${JSON.stringify(text)}`, () => {
    assert.equal(parsePath(text), undefined);
  });
}
