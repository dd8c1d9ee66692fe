import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evmBlock } from '../../../src/core/balances/evm_block.ts';
import { ChainFault } from '../../../src/core/balances/node_answer.ts';

const hash = (digit: string) => `0x${digit.repeat(64)}`;
const address = (digit: string) => `0x${digit.repeat(40)}`;
const topic = (digit: string) => `0x${'0'.repeat(24)}${digit.repeat(40)}`;
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const amount = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;

const coin = { symbol: 'ETH', name: 'Ether', decimals: 18, caip19: 'eip155:1/slip44:60' };
const token = { symbol: 'TST', name: 'Test', decimals: 6, caip19: 'eip155:1/erc20:0xcc' };
const watched = { coin, tokens: [{ ...token, contract: address('c') }] };

const log = (data = amount(3), topics = [transferTopic, topic('a'), topic('b')]) => ({
  address: address('C'),
  topics,
  data,
});
const receipt = (members: object = {}) => ({
  transactionHash: hash('1'),
  blockHash: hash('e'),
  status: '0x1',
  logs: [],
  ...members,
});
const transaction = { hash: hash('1'), from: address('A'), to: address('b'), value: '0x5' };
const block = (transactions: readonly unknown[] = [transaction]) => ({
  number: '0x10',
  hash: hash('E'),
  parentHash: hash('d'),
  timestamp: '0x64',
  transactions,
});

function movesOf(given: unknown, receipts: unknown): string[] {
  return evmBlock(given, receipts, { number: 16, watched }).transfers.map(
    ({ address: who, operation, amount: sum, asset }) =>
      `${who.slice(0, 3)} ${operation} ${sum} ${asset.symbol}`,
  );
}

test('a transferred coin leaves one address and reaches another, in lower case', () => {
  const read = evmBlock(block(), [receipt()], { number: 16, watched });
  assert.deepEqual(
    { ...read, transfers: read.transfers.length, transactions: read.transactions.length },
    {
      number: 16,
      hash: hash('e'),
      parent: { number: 15, hash: hash('d') },
      timestampMs: 100_000,
      transfers: 2,
      transactions: 1,
    },
  );
  assert.deepEqual(movesOf(block(), [receipt()]), ['0xa withdraw 5 ETH', '0xb deposit 5 ETH']);
  assert.equal(read.transfers[0]?.address, address('a'));
});

test('failed and empty transactions move nothing, and a contract creation only withdraws', () => {
  const failed = [receipt({ status: '0x0', logs: [log()] })];
  assert.deepEqual(movesOf(block(), failed), []);
  assert.deepEqual(movesOf(block([{ ...transaction, value: '0x0' }]), [receipt()]), []);
  assert.deepEqual(movesOf(block([{ ...transaction, to: null }]), [receipt()]), [
    '0xa withdraw 5 ETH',
  ]);
});

// OP Stack deposits mint coins for the sender, even if the rest of the transaction fails.
test('a deposit from another chain mints coins', () => {
  const own = { ...transaction, type: '0x7e', mint: '0x5', to: address('A') };
  assert.deepEqual(movesOf(block([own]), [receipt()]), ['0xa deposit 5 ETH']);
  const other = { ...own, to: address('b') };
  assert.deepEqual(movesOf(block([other]), [receipt()]), ['0xb deposit 5 ETH']);
  const less = { ...other, mint: '0x2' };
  assert.deepEqual(movesOf(block([less]), [receipt()]), [
    '0xa withdraw 3 ETH',
    '0xb deposit 5 ETH',
  ]);
  const failed = [receipt({ status: '0x0' })];
  assert.deepEqual(movesOf(block([other]), failed), ['0xa deposit 5 ETH']);
  for (const mint of [null, undefined, '0x0']) {
    const none = { ...other, mint };
    assert.deepEqual(movesOf(block([none]), [receipt()]), [
      '0xa withdraw 5 ETH',
      '0xb deposit 5 ETH',
    ]);
  }
  // In any other type of transaction the member has no meaning.
  const ordinary = { ...own, type: '0x2' };
  assert.deepEqual(movesOf(block([ordinary]), [receipt()]), [
    '0xa withdraw 5 ETH',
    '0xa deposit 5 ETH',
  ]);
});

test('transfers of one token in one transaction are summed, and logs of other standards do not count', () => {
  const still = [{ ...transaction, value: '0x0' }];
  const logs = [
    ...[log(), log(amount(4)), log(amount(0))],
    { ...log(), address: address('f') },
    log('0x', [transferTopic, topic('a'), topic('b'), topic('1')]),
    log('0x'),
    log(amount(3), [hash('9'), topic('a'), topic('b')]),
    log(amount(3), []),
  ];
  assert.deepEqual(movesOf(block(still), [receipt({ logs })]), [
    '0xa withdraw 7 TST',
    '0xb deposit 7 TST',
  ]);
});

test('a malformed or contradictory block is refused as a whole', () => {
  const wrong: readonly (readonly [unknown, unknown])[] = [
    [block(), []],
    [block(), [receipt({ blockHash: hash('f') })]],
    [block(), [receipt({ transactionHash: hash('2') })]],
    [block(), [receipt({ status: undefined })]],
    [block(), [receipt({ logs: null })]],
    [block(), [receipt({ logs: [log(amount(1), [transferTopic, hash('a'), topic('b')])] })]],
    [{ ...block(), number: '0x11' }, [receipt()]],
    [{ ...block(), hash: '0x1' }, [receipt()]],
    [{ ...block(), timestamp: `0x${'f'.repeat(16)}` }, [receipt()]],
    [block([{ ...transaction, value: '5' }]), [receipt()]],
    [block([{ ...transaction, from: null }]), [receipt()]],
    [block([hash('1')]), [receipt()]],
    ['0x', [receipt()]],
    [[], [receipt()]],
  ];
  for (const [given, receipts] of wrong) {
    assert.throws(() => movesOf(given, receipts), ChainFault, JSON.stringify([given, receipts]));
  }
});

test('every transaction is listed with its fee and its success', () => {
  const second = { ...transaction, hash: hash('2'), to: null, value: '0x0', gasPrice: '0x2' };
  const deposit = { ...transaction, hash: hash('3'), type: '0x7e', value: '0x0' };
  const cost = { gasUsed: '0x5208', effectiveGasPrice: '0x3' };
  const receipts = [
    receipt({ ...cost, l1Fee: '0x7', blobGasUsed: '0x2', blobGasPrice: '0x5' }),
    receipt({ transactionHash: hash('2'), status: '0x0', gasUsed: '0xa' }),
    receipt({ transactionHash: hash('3'), ...cost }),
  ];
  const { transactions } = evmBlock(block([transaction, second, deposit]), receipts, {
    number: 16,
    watched,
  });
  assert.deepEqual(
    transactions.map(({ to, fee, hasFailed }) => [to, fee, hasFailed]),
    [
      [address('b'), String(21_000 * 3 + 7 + 10), false],
      [undefined, '20', true],
      [address('b'), '0', false],
    ],
  );
  for (const wrong of [{ gasUsed: '-1' }, { effectiveGasPrice: 3 }, { l1Fee: '0xzz' }]) {
    assert.throws(() => movesOf(block(), [receipt({ ...cost, ...wrong })]), ChainFault);
  }
});

test('a transfer names its only counterparty, and none of several', () => {
  const still = [{ ...transaction, value: '0x0' }];
  const other = log(amount(4), [transferTopic, topic('a'), topic('9')]);
  const partiesOf = (given: readonly unknown[], logs: readonly unknown[]) =>
    evmBlock(block(given), [receipt({ logs })], { number: 16, watched }).transfers.map(
      ({ address: who, counterparty }) => [who.slice(2, 3), counterparty?.slice(2, 3)],
    );
  assert.deepEqual(partiesOf([transaction], []), [
    ['a', 'b'],
    ['b', 'a'],
  ]);
  assert.deepEqual(partiesOf(still, [log(), other]), [
    ['a', undefined],
    ['b', 'a'],
    ['9', 'a'],
  ]);
});
