import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  canonicalPath,
  parsePath,
  pathIndexLimit,
  pathSegmentsLimit,
} from '../../../src/core/derivation/path.ts';

const index = fc.oneof(fc.nat(pathIndexLimit), fc.constantFrom(0, 1, pathIndexLimit));
const segment = fc.record({ index, hardened: fc.boolean() }, { noNullPrototype: true });
const path = fc.array(segment, { maxLength: pathSegmentsLimit });

test('every path survives being printed and parsed', () => {
  fc.assert(
    fc.property(path, (segments) => {
      assert.deepEqual(parsePath(canonicalPath(segments)), segments);
    }),
  );
});

test('a parsed path is spelled as it is printed', () => {
  const piece = fc.constantFrom('m', '/', "'", 'h', '0', '1', '44', '2147483647', '2147483648');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const segments = parsePath(text);
      if (segments !== undefined) assert.equal(canonicalPath(segments), text);
    }),
    { numRuns: 1000 },
  );
});

test('paths as they are commonly written', () => {
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

const refused = [
  '',
  '/',
  'M/0',
  'm/',
  'm//0',
  'm/0/',
  '0/1',
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
  'm/0h',
  'm/0H',
  'm/0’',
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
