import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { smallKinds } from '../../src/core/organization/kinds.ts';
import { decode, encode, FrameError, list, struct, text } from '../../src/ipc/codec.ts';
import { recordKinds } from '../../src/ipc/stored_rows.ts';

test('kinds of records cross as they are, and all kinds of small state as one byte', () => {
  assert.equal(encode(recordKinds, smallKinds).length, 1);
  assert.equal(decode(recordKinds, encode(recordKinds, [...smallKinds])), smallKinds);
  const some = fc.subarray(['wallet_account', ...smallKinds], { maxLength: smallKinds.length - 1 });
  fc.assert(
    fc.property(some, (kinds) => {
      assert.deepEqual(decode(recordKinds, encode(recordKinds, kinds)), kinds);
    }),
  );
});

test('all kinds of small state are refused as a list, because every value has one spelling', () => {
  const spelled = encode(list(text), smallKinds);
  const frame = Uint8Array.from([0, ...spelled]);
  assert.throws(() => decode(recordKinds, frame), FrameError);
});

test('each read of a struct gives an object of its own', () => {
  const schema = struct({ name: text });
  const [first, second] = [encode(schema, { name: 'a' }), encode(schema, { name: 'b' })];
  const one = decode(schema, first);
  assert.deepEqual(decode(schema, second), { name: 'b' });
  assert.deepEqual(one, { name: 'a' });
});
