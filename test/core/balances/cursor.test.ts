import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BlockMark,
  type ChainCursor,
  type CursorStep,
  cursorAfter,
} from '../../../src/core/balances/cursor.ts';

const block = (number: number, hash = `a${number}`) => ({ number, hash });
const chain: ChainCursor = [block(5), block(6), block(7)];

const after = (cursor: ChainCursor, step: CursorStep, lag = 0) =>
  cursorAfter(cursor, step, { confirmations: 2, lag })?.map(({ hash }) => hash);

test('a watch begins once, with a block that counts as final', () => {
  assert.deepEqual(after([], { kind: 'begin', block: block(5) }), ['a5']);
  assert.equal(after(chain, { kind: 'begin', block: block(5) }), undefined);
  for (const kind of ['finalize', 'rewind'] as const) {
    assert.equal(after([], { kind, block: block(5) }), undefined);
  }
  assert.equal(after([], { kind: 'confirm', block: block(5), parent: block(4) }), undefined);
});

test('a block is confirmed only as the child of the newest', () => {
  const confirm = (number: number, parent: BlockMark) =>
    after(chain, { kind: 'confirm', block: block(number), parent });
  assert.deepEqual(confirm(8, block(7)), ['a5', 'a6', 'a7', 'a8']);
  // Numbers may be skipped, like slots without a block.
  assert.deepEqual(confirm(10, block(7)), ['a5', 'a6', 'a7', 'a10']);
  assert.equal(confirm(8, block(7, 'b7')), undefined);
  assert.equal(confirm(9, block(8, 'a7')), undefined);
  assert.equal(confirm(7, block(6)), undefined);
  assert.equal(confirm(7, block(7)), undefined);
});

test('the oldest block becomes final after enough blocks, and then before any other step', () => {
  const due = [...chain, block(8)];
  assert.equal(after(chain, { kind: 'finalize', block: block(6) }), undefined);
  assert.deepEqual(after(due, { kind: 'finalize', block: block(6) }), ['a6', 'a7', 'a8']);
  assert.equal(after(due, { kind: 'finalize', block: block(6, 'b6') }), undefined);
  assert.equal(after(due, { kind: 'finalize', block: block(7) }), undefined);
  assert.equal(after(due, { kind: 'confirm', block: block(9), parent: block(8) }), undefined);
});

test('while the oldest block waits for finality, only a bounded number of blocks is confirmed', () => {
  const due = [...chain, block(8)];
  const ninth = { kind: 'confirm', block: block(9), parent: block(8) } as const;
  assert.equal(after(due, ninth, 1)?.length, 5);
  const tenth = { kind: 'confirm', block: block(10), parent: block(9) } as const;
  assert.equal(after([...due, block(9)], tenth, 1), undefined);
  const finalize = { kind: 'finalize', block: block(6) } as const;
  assert.deepEqual(after([...due, block(9)], finalize, 1), ['a6', 'a7', 'a8', 'a9']);
});

test('a watch rewinds to a known block, and never behind a final one', () => {
  assert.deepEqual(after(chain, { kind: 'rewind', block: block(6) }), ['a5', 'a6']);
  assert.deepEqual(after(chain, { kind: 'rewind', block: block(5) }), ['a5']);
  for (const unknown of [block(4), block(6, 'b6'), block(7), block(8)]) {
    assert.equal(after(chain, { kind: 'rewind', block: unknown }), undefined);
  }
});
