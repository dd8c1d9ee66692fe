import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChainFault } from '../../../src/core/balances/node_answer.ts';
import { resting, saidByMost } from '../../../src/gateway/chains/several_nodes.ts';

test('a refusal is an answer, so the node is not skipped', async () => {
  const refuses = async () => {
    throw new ChainFault('refused', -32_000);
  };
  const rested = resting(refuses, () => 0);
  for (let i = 0; i < 3; i += 1) await assert.rejects(rested('a', []), { code: -32_000 });
});

test('a node that did not answer is skipped for 15 seconds', async () => {
  let time = 0;
  let calls = 0;
  const call = resting(
    async () => {
      calls += 1;
      throw new ChainFault('timeout');
    },
    () => time,
  );
  for (time = 0; time < 15_000; time += 5_000) await assert.rejects(call('a', []), ChainFault);
  assert.equal(calls, 1);
  await assert.rejects(call('a', []), /timeout/);
  assert.equal(calls, 2);
});

test('the answer of most nodes is reported, and none if they contradict each other', () => {
  assert.equal(saidByMost(['only']), 'only');
  assert.equal(saidByMost(['lie', 'truth', 'truth']), 'truth');
  assert.equal(saidByMost(['lie', 'truth']), undefined);
  assert.equal(saidByMost([]), undefined);
});
