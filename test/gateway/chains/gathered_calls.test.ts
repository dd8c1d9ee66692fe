import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChainFault } from '../../../src/core/balances/node_answer.ts';
import { createGatheredJsonRpc } from '../../../src/gateway/chains/gathered_calls.ts';
import type { Outbound } from '../../../src/gateway/outbound/outbound.ts';
import type { OutboundFailure } from '../../../src/gateway/outbound/request.ts';

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

const limits = { timeoutMs: 1_000, maximumBytes: 10_000 };

/** Creates a node that returns the parameters of each call; `worse` may answer differently. */
function createNode(worse: (calls: readonly Call[]) => unknown = () => undefined) {
  const asked: (readonly Call[])[] = [];
  const send: Outbound['send'] = async ({ body }) => {
    const calls = [JSON.parse(Buffer.from(body ?? []).toString())].flat() as Call[];
    asked.push(calls);
    const answer = worse(calls) ?? calls.map(({ id, params }) => ({ id, result: params[0] }));
    if (typeof answer === 'object' && answer !== null && 'failure' in answer) {
      return answer as OutboundFailure;
    }
    // The answers have another order than the calls.
    const sent = Array.isArray(answer) && calls.length === 1 ? answer[0] : answer;
    const text = JSON.stringify(Array.isArray(sent) ? sent.toReversed() : sent);
    return { status: 200, headers: {}, body: Buffer.from(text) };
  };
  return { call: createGatheredJsonRpc('http://node', send, limits), asked };
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

test('concurrent calls are sent together, equal ones once, each with its own result', async () => {
  const { call, asked } = createNode();
  const results = await Promise.all([...numbers(120), 0, 1, 2].map((i) => call('echo', [i])));
  assert.deepEqual(results, [...numbers(120), 0, 1, 2]);
  assert.deepEqual(
    asked.map((calls) => calls.length),
    [50, 50, 20],
  );
  assert.equal(await call('echo', ['later']), 'later');
  assert.equal(asked.length, 4);
});

test('long calls are split by their weight', async () => {
  const { call, asked } = createNode();
  const long = numbers(5).map((i) => `${i}`.repeat(200_000));
  assert.deepEqual(await Promise.all(long.map((text) => call('echo', [text]))), long);
  assert.deepEqual(
    asked.map((calls) => calls.length),
    [2, 2, 1],
  );
});

test('a refused or missing answer affects only one call', async () => {
  const { call } = createNode((calls) =>
    calls.flatMap((each): unknown[] => {
      const {
        id,
        params: [given],
      } = each;
      if (given === 1) return [{ id, error: { code: 3, data: '0x01' } }];
      return given === 2 ? [] : [{ id, result: given }];
    }),
  );
  const ended = await Promise.allSettled(numbers(4).map((i) => call('echo', [i])));
  const told = ended.map((each) =>
    each.status === 'fulfilled' ? each.value : [each.reason.code, each.reason.data],
  );
  assert.deepEqual(told, [0, [3, '0x01'], [undefined, undefined], 3]);
});

test('a node that refuses batches gets single calls', async () => {
  const { call, asked } = createNode((calls) =>
    calls.length > 1 ? { id: null, error: { code: -32_600 } } : undefined,
  );
  assert.deepEqual(await Promise.all(numbers(20).map((i) => call('echo', [i]))), numbers(20));
  assert.equal(asked.length, 21);
  assert.deepEqual(await Promise.all(numbers(20).map((i) => call('echo', [i]))), numbers(20));
  assert.equal(asked.length, 41);
});

test('an answer that is too large is requested in parts, and fails only its own call', async () => {
  const { call } = createNode((calls) =>
    calls.some(({ params: [given] }) => given === 7)
      ? { failure: 'too_large', detail: '' }
      : undefined,
  );
  const ended = await Promise.allSettled(numbers(20).map((i) => call('echo', [i])));
  assert.deepEqual(
    ended.flatMap(({ status }, i) => (status === 'rejected' ? [i] : [])),
    [7],
  );
});

test('batches without an answer in time become smaller, and larger again', async () => {
  const { call, asked } = createNode((calls) =>
    calls.length > 15 ? { failure: 'timeout', detail: '' } : undefined,
  );
  const all = () => Promise.allSettled(numbers(40).map((i) => call('echo', [i])));
  for (let i = 0; i < 3; i += 1) await all();
  const ended = await all();
  const answered = ended.filter(({ status }) => status === 'fulfilled');
  assert.ok(answered.length >= 15, String(answered.length));
  assert.ok(asked.every((calls) => calls.length <= 50));
  const [fault] = (await all()).filter((each) => each.status === 'rejected');
  if (fault !== undefined) assert.ok(fault.reason instanceof ChainFault);
});
