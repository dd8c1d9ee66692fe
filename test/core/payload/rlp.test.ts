import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesToHex, toRlp } from 'viem';
import { hex, utf8 } from '../../../src/core/base/bytes.ts';
import { encodeRlp, type RlpItem, rlpInteger } from '../../../src/core/payload/rlp.ts';

const encoded = (item: RlpItem) => hex(encodeRlp(item));

test('RLP: the examples of its specification', () => {
  assert.equal(encoded(utf8('dog')), '83646f67');
  assert.equal(encoded([utf8('cat'), utf8('dog')]), 'c88363617483646f67');
  assert.equal(encoded(new Uint8Array()), '80');
  assert.equal(encoded([]), 'c0');
  assert.equal(encoded(rlpInteger(0n)), '80');
  assert.equal(encoded(Uint8Array.of(0)), '00');
  assert.equal(encoded(rlpInteger(15n)), '0f');
  assert.equal(encoded(rlpInteger(1024n)), '820400');
  assert.equal(encoded([[], [[]], [[], [[]]]]), 'c7c0c1c0c3c0c1c0');
  const lorem = 'Lorem ipsum dolor sit amet, consectetur adipisicing elit';
  assert.equal(encoded(utf8(lorem)), `b838${hex(utf8(lorem))}`);
});

test('RLP: any item is written like in viem', () => {
  type Nested = Uint8Array | Nested[];
  const { item } = fc.letrec<{ item: Nested }>((tie) => ({
    item: fc.oneof(
      { depthSize: 'small' },
      fc.uint8Array({ maxLength: 70 }),
      fc.array(tie('item'), { maxLength: 5 }),
    ),
  }));
  fc.assert(fc.property(item, (nested) => assert.equal(encoded(nested), expected(nested))));
});

test('RLP: lengths are written at the boundaries of prefixes', () => {
  for (const length of [1, 55, 56, 255, 256, 65_535, 65_536]) {
    const bytes = new Uint8Array(length).fill(0x80);
    assert.equal(encoded(bytes), expected(bytes));
    assert.equal(encoded([bytes]), toRlp([bytesToHex(bytes)]).slice(2));
  }
});

test('RLP: an integer has no leading zeros', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), (value) => {
      const bytes = rlpInteger(value);
      assert.notEqual(bytes[0], 0);
      assert.equal(BigInt(`0x${hex(bytes)}`), value);
    }),
  );
});

function expected(item: Uint8Array | readonly RlpItem[]): string {
  return toRlp(hexItem(item)).slice(2);
}

type HexItem = `0x${string}` | HexItem[];

function hexItem(item: RlpItem): HexItem {
  return item instanceof Uint8Array ? bytesToHex(item) : item.map(hexItem);
}
