// Sums of balances by asset, with the change within a day unless the history is too long.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, sumsOf } from '../../dashboard/app/overview/balance_sums.ts';

const coin = 'eip155:1/slip44:60';
const token = 'eip155:1/erc20:0x1';
const balance = (caip19: string, amount: string, decimals: number) => ({
  caip19,
  symbol: caip19 === coin ? 'ETH' : 'TST',
  name: '',
  decimals,
  balance: amount,
  display: { crypto: '', usd: '' },
  tokenProgram: '',
});

test('amounts of one asset are added up over addresses, exactly', () => {
  const sums = sumsOf([
    { balances: [balance(coin, '500000000000000000', 18)], changes: new Map([[coin, -1n]]) },
    {
      balances: [balance(coin, '9007199254740993000000000000000000', 18), balance(token, '5', 6)],
      changes: new Map([[token, 2_000_000n]]),
    },
  ]);
  assert.deepEqual(
    sums.map(({ symbol, amount, change }) => [symbol, amount, change]),
    [
      ['ETH', '9007199254740993.5', '−0.000000000000000001'],
      ['TST', '0.000005', '+2'],
    ],
  );
});

test('no change is shown if the history of one address is longer than a page', () => {
  const [sum] = sumsOf([
    { balances: [balance(coin, '1', 0)], changes: new Map([[coin, 1n]]) },
    { balances: [], changes: undefined },
  ]);
  assert.equal(sum?.change, undefined);
});

test('an outgoing amount includes the fee of its address, and no fee of others', () => {
  const fee = { amount: '10', caip19: coin };
  const out = { direction: 'OUT', asset: { caip19: coin }, amount: '100' } as const;
  const into = { direction: 'IN', asset: { caip19: token }, amount: '7' } as const;
  const unlisted = { direction: 'IN', asset: undefined, amount: '9' } as const;
  const changes = changesOf('0xAB', [
    { from: '0xab', fee, transfers: [out] },
    { from: '0xcd', fee, transfers: [into, unlisted] },
    { feePayer: '0xAB', fee, transfers: [] },
  ]);
  assert.deepEqual(
    [...changes],
    [
      [coin, -120n],
      [token, 7n],
    ],
  );
});
