import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base58 } from '@scure/base';
import { ChainFault } from '../../../src/core/balances/node_answer.ts';
import { solanaBlock } from '../../../src/core/balances/solana_block.ts';

const key = (fill: number) => base58.encode(new Uint8Array(32).fill(fill));
const signature = base58.encode(new Uint8Array(64).fill(9));
const [payer, other, table, mint, second] = [key(1), key(2), key(3), key(4), key(5)];

const coin = { symbol: 'SOL', name: 'Solana', decimals: 9, caip19: 'solana:x/slip44:501' };
const token = { symbol: 'TST', name: 'Test', decimals: 6 };
const watched = {
  coin,
  tokens: [
    { ...token, caip19: `solana:x/token:${mint}`, contract: mint },
    { ...token, symbol: 'TWO', caip19: `solana:x/token:${second}`, contract: second },
  ],
};

const held = (owner: string, amount: string, ofMint = mint) => ({
  accountIndex: 1,
  mint: ofMint,
  owner,
  programId: key(6),
  uiTokenAmount: { amount, decimals: 6, uiAmount: null, uiAmountString: '' },
});
const transaction = (meta: object = {}, sent: object = {}) => ({
  transaction: {
    signatures: [signature],
    accountKeys: [
      { pubkey: payer, signer: true, source: 'transaction', writable: true },
      { pubkey: other, signer: false, source: 'transaction', writable: true },
      { pubkey: table, signer: false, source: 'lookupTable', writable: true },
    ],
    ...sent,
  },
  meta: {
    err: null,
    fee: 5000,
    preBalances: [1_000_000, 10, 7],
    postBalances: [995_000, 10, 7],
    preTokenBalances: [],
    postTokenBalances: [],
    ...meta,
  },
  version: 0,
});
const block = (transactions: readonly unknown[], members: object = {}) => ({
  blockhash: key(11),
  previousBlockhash: key(10),
  parentSlot: 98,
  blockHeight: 50,
  blockTime: 100,
  transactions,
  ...members,
});

const names = new Map(
  [payer, other, table].map((each, i) => [each, ['payer', 'other', 'table'][i]]),
);
function movesOf(answer: unknown): string[] {
  return solanaBlock(answer, { slot: 100, watched }).transfers.map(
    ({ address, operation, amount, asset }) =>
      `${names.get(address)} ${operation} ${amount} ${asset.symbol}`,
  );
}

test('the number of a block is its slot, and its parent may be several slots before', () => {
  const read = solanaBlock(block([]), { slot: 100, watched });
  assert.deepEqual(read, {
    number: 100,
    hash: key(11),
    parent: { number: 98, hash: key(10) },
    timestampMs: 100_000,
    transfers: [],
    transactions: [],
  });
});

test('moved SOL excludes the fee, also for accounts of look-up tables', () => {
  const moved = transaction({ postBalances: [994_600, 110, 307] });
  const answer = solanaBlock(block([moved]), { slot: 100, watched });
  assert.deepEqual(
    answer.transfers.map(({ txHash, address, operation, amount }) => [
      ...[txHash === signature, names.get(address), operation, amount],
    ]),
    [
      [true, 'payer', 'withdraw', '400'],
      [true, 'other', 'deposit', '100'],
      [true, 'table', 'deposit', '300'],
    ],
  );
  assert.deepEqual(movesOf(block([transaction()])), []);
  // The payer of the fee may receive more than the fee.
  assert.deepEqual(movesOf(block([transaction({ postBalances: [995_001, 9, 7] })])), [
    'payer deposit 1 SOL',
    'other withdraw 1 SOL',
  ]);
});

test('a transaction that failed moves nothing', () => {
  const failed = {
    err: { InstructionError: [0, 'Custom'] },
    postBalances: [900_000, 1000, 7],
    postTokenBalances: [held(payer, '5')],
  };
  assert.deepEqual(movesOf(block([transaction(failed)])), []);
});

test('all accounts of an owner with a listed token are summed, other tokens do not count', () => {
  const moved = {
    preTokenBalances: [
      held(payer, '10'),
      held(payer, '5'),
      held(other, '1'),
      held(table, '3', key(7)),
    ],
    postTokenBalances: [held(payer, '12'), held(other, '4'), held(table, '9', second)],
  };
  assert.deepEqual(movesOf(block([transaction(moved)])), [
    'payer withdraw 3 TST',
    'other deposit 3 TST',
    'table deposit 9 TWO',
  ]);
  // Nothing moves between accounts of one owner; an account may change its owner.
  const own = { preTokenBalances: [held(payer, '10')], postTokenBalances: [held(payer, '10')] };
  assert.deepEqual(movesOf(block([transaction(own)])), []);
  const given = { preTokenBalances: [held(payer, '10')], postTokenBalances: [held(other, '10')] };
  assert.deepEqual(movesOf(block([transaction(given)])), [
    'payer withdraw 10 TST',
    'other deposit 10 TST',
  ]);
});

test('amounts of 64 bits are exact', () => {
  const moved = transaction({
    preBalances: [9_007_199_254_740_993n, 10, 7],
    postBalances: [9_007_199_254_735_992n, 11, 7],
    postTokenBalances: [held(other, '18446744073709551615')],
  });
  assert.deepEqual(movesOf(block([moved])), [
    'payer withdraw 1 SOL',
    'other deposit 1 SOL',
    'other deposit 18446744073709551615 TST',
  ]);
});

test('a malformed or contradictory block is refused as a whole', () => {
  const wrong: readonly unknown[] = [
    null,
    [],
    block([], { parentSlot: 100 }),
    block([], { parentSlot: -1 }),
    block([], { blockhash: '0x1' }),
    block([], { previousBlockhash: undefined }),
    block([], { blockTime: null }),
    block([], { transactions: undefined }),
    block([{ ...transaction(), meta: null }]),
    block([transaction({ err: undefined })]),
    block([transaction({ fee: -1 })]),
    block([transaction({ preBalances: [1, 2] })]),
    block([transaction({ postBalances: [1, 2, 3, 4] })]),
    block([transaction({ postBalances: [1, 2.5, 3] })]),
    block([transaction({ postBalances: [1, 2 ** 60, 3] })]),
    block([transaction({ postTokenBalances: null })]),
    block([transaction({ postTokenBalances: [held('', '1')] })]),
    block([transaction({ postTokenBalances: [held(payer, '-1')] })]),
    block([transaction({}, { signatures: [] })]),
    block([transaction({}, { accountKeys: [payer, other, table] })]),
  ];
  for (const [i, answer] of wrong.entries()) {
    assert.throws(() => movesOf(answer), ChainFault, `case ${i}`);
  }
});

test('every transaction but votes is listed with its fee, its signers and its success', () => {
  const keys = [
    { pubkey: payer, signer: true, source: 'transaction', writable: true },
    { pubkey: other, signer: true, source: 'transaction', writable: false },
    { pubkey: table, signer: false, source: 'lookupTable', writable: true },
  ];
  const vote = { pubkey: 'Vote111111111111111111111111111111111111111', signer: false };
  const { transactions } = solanaBlock(
    block([
      transaction({}, { accountKeys: [...keys.slice(0, 2), vote] }),
      transaction({ err: { InstructionError: [0, 'Custom'] } }, { accountKeys: keys }),
    ]),
    { slot: 100, watched },
  );
  const signers = [
    { address: payer, isWritable: true },
    { address: other, isWritable: false },
  ];
  assert.deepEqual(transactions, [
    { txHash: signature, from: payer, to: undefined, fee: '5000', hasFailed: true, signers },
  ]);
  const many = Array.from({ length: 65 }, () => keys[0]);
  const failed = { err: 'x' };
  assert.throws(
    () => solanaBlock(block([transaction(failed, { accountKeys: many })]), { slot: 100, watched }),
    ChainFault,
  );
});

test('a transfer names its only counterparty', () => {
  const parties = (postBalances: readonly number[]) =>
    solanaBlock(block([transaction({ postBalances })]), { slot: 100, watched }).transfers.map(
      ({ address, counterparty }) => [names.get(address), names.get(counterparty ?? '')],
    );
  assert.deepEqual(parties([994_900, 110, 7]), [
    ['payer', 'other'],
    ['other', 'payer'],
  ]);
  assert.deepEqual(parties([994_600, 110, 307]), [
    ['payer', undefined],
    ['other', 'payer'],
    ['table', 'payer'],
  ]);
});
