import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concerning, withinShares } from '../../../src/core/history/chain_transactions.ts';

const caip19 = 'eip155:1/slip44:60';
const asset = { caip19, symbol: 'ETH', name: 'Ether', decimals: 18 };

/** Returns a block in which each transaction pays one address. */
function blockTo(address: string, count: number) {
  const transactions = Array.from({ length: count }, (_, i) => {
    const common = { from: '0xaa', to: address, fee: '1', hasFailed: false, signers: [] };
    return { txHash: `0x${i}`, ...common };
  });
  const transfers = transactions.map(({ txHash }) => {
    const of = { txHash, address, asset, amount: '1', counterparty: undefined };
    return { ...of, operation: 'deposit' as const };
  });
  return { transactions, transfers };
}

test('a block full of transfers to one address takes no more than linear time', () => {
  const block = blockTo('0xbb', 50_000);
  const before = process.cpuUsage();
  const found = concerning(block, (address) => address === '0xbb').get('0xbb') ?? [];
  const { user, system } = process.cpuUsage(before);
  assert.deepEqual(
    found.map(({ position, transaction }) => [position, transaction.txHash]),
    block.transactions.map(({ txHash }, i) => [i, txHash]),
  );
  assert.ok(user + system < 10_000_000, `${(user + system) / 1e6} s`);
});

test('an organization with few rows in a block keeps them, next to others with many', () => {
  const eachOf = (count: number) =>
    concerning(blockTo('0xbb', count), () => true).get('0xbb') ?? [];
  const state = (id: string) => ({ id });
  const [crowd, other] = [state('crowd'), state('other')];
  const places = [
    { state: crowd, address: '0x1', each: eachOf(6) },
    { state: other, address: '0x1', each: eachOf(2) },
    { state: crowd, address: '0x2', each: eachOf(6) },
    { state: crowd, address: '0x3', each: eachOf(6) },
  ];
  const kept = (total: number) =>
    withinShares(places, total).map(({ state: { id }, address, each }) => [
      id,
      address,
      each.map(({ position }) => position),
    ]);
  assert.deepEqual(withinShares(places, 20), places);
  assert.deepEqual(kept(10), [
    ['crowd', '0x1', [0, 1, 2, 3, 4, 5]],
    ['other', '0x1', [0, 1]],
    ['crowd', '0x2', [0, 1]],
  ]);
  const [first] = eachOf(1);
  assert(first !== undefined);
  const many = Array.from({ length: 12 }, (_, i) => {
    return { state: state(String(i)), address: '0x1', each: [first, first] };
  });
  const ofEach = withinShares(many, 10).map(({ each }) => each.length);
  assert.deepEqual(ofEach, Array(12).fill(1));
});
