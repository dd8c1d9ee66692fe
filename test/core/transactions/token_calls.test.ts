import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concatBytes } from '../../../src/core/base/bytes.ts';
import { movedByCall, readTokenCall } from '../../../src/core/transactions/token_calls.ts';

const other = new Uint8Array(20).fill(7);
const word = (value: number) => {
  const bytes = new Uint8Array(32);
  bytes[31] = value;
  return bytes;
};
const exact = concatBytes(Uint8Array.fromHex('a9059cbb'), new Uint8Array(12), other, word(5));
const moved = { to: other, amount: 5n };

test('limits count what a token may move, however the data is written', () => {
  const dirty = exact.slice();
  dirty[4 + 3] = 0x41;
  for (const data of [exact, concatBytes(exact, Uint8Array.of(0)), dirty]) {
    assert.deepEqual(movedByCall(data), moved);
  }
  assert.deepEqual(movedByCall(exact.subarray(0, 4 + 32)), { to: other, amount: 0n });
});

test('people are told of exact data alone', () => {
  assert.deepEqual(readTokenCall(exact)?.amount, 5n);
  assert.equal(readTokenCall(concatBytes(exact, Uint8Array.of(0))), undefined);
});

test('what moves nothing is not counted', () => {
  assert.equal(movedByCall(Uint8Array.fromHex('095ea7b3')), undefined);
  assert.equal(movedByCall(new Uint8Array()), undefined);
});
