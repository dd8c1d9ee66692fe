// Health of chain nodes: answers, failures, silent nodes, and cached results.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fail } from '../../../src/core/errors/errors.ts';
import { createChainHealth } from '../../../src/gateway/chains/chain_health.ts';

test('a chain counts as answering if its node answers in time', async () => {
  const health = createChainHealth({
    chains: ['quick', 'down', 'stuck'],
    ask: async (caip2) => {
      if (caip2 === 'down') fail('chain_node_unavailable', { caip2 });
      if (caip2 === 'stuck') await new Promise(() => {});
    },
    clock: () => 0,
    patienceMs: 100,
  });
  assert.deepEqual([...(await health())], ['quick']);
});

test('a result is cached for 15 seconds', async () => {
  let now = 0;
  let asked = 0;
  const health = createChainHealth({
    chains: ['one'],
    ask: async () => {
      asked += 1;
    },
    clock: () => now,
  });
  await Promise.all([health(), health()]);
  now = 14_999;
  await health();
  assert.equal(asked, 1);
  now = 15_000;
  await health();
  assert.equal(asked, 2);
});

test('an unexpected error does not count as a silent node', async () => {
  const health = createChainHealth({
    chains: ['one'],
    ask: () => Promise.reject(new TypeError('a fault')),
    clock: () => 0,
  });
  await assert.rejects(health(), TypeError);
});
