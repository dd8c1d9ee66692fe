import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soakSponsored } from './sponsored.ts';

for (const family of ['ethereum', 'solana'] as const) {
  test(`each sponsored transfer is on the chain once despite kills, within the limit: ${family}`, async (t) => {
    // A sponsor may have fewer transfers in progress at a time.
    const transfers = 70;
    const { again, seconds, kills, ...result } = await soakSponsored({
      family,
      transfers,
      every: 20,
    });
    t.diagnostic(JSON.stringify({ again, seconds, kills }));
    assert.deepEqual(result, {
      transfers,
      landedOnce: transfers,
      landedTwice: 0,
      lost: 0,
      wrongStatuses: 0,
      isSpendOfChain: true,
      isCountOfChain: true,
      aboveLimit: { refused: 4, signed: 0 },
    });
    assert(kills.gateway > 0 && kills.enclave > 0, JSON.stringify(kills));
  });
}
