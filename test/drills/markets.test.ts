import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soakMarkets } from './markets.ts';

test('each deposit and swap is on the chain once despite kills', async (t) => {
  const rounds = 10;
  const { again, seconds, kills, ...result } = await soakMarkets({ rounds, every: 5 });
  t.diagnostic(JSON.stringify({ again, seconds, kills }));
  assert.deepEqual(result, {
    rounds,
    deposits: rounds,
    swaps: rounds,
    areDepositsOfChain: true,
    areSwapsOfChain: true,
    // An approval precedes each deposit and each swap.
    transactions: 4 * rounds,
  });
  assert(kills.gateway > 0 && kills.enclave > 0, JSON.stringify(kills));
});
