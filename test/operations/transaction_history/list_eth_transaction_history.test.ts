import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { keptOfAddress } from '../../../src/core/history/chain_transactions.ts';
import { startTestService, type TestService } from '../../support/harness.ts';
import { assertRefused, assertViolation, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { ethereumAccount, makeWallet } from '../wallets/wallet_requests.ts';
import { ether, ethereum, solana, transaction, transfer, watchedChain } from './watched_chain.ts';

const operation = 'list_eth_transaction_history';
const token = `${ethereum}/erc20:0x${'c'.repeat(40)}`;

type Item = {
  readonly transactionHash: string;
  readonly status: string;
  readonly block: { readonly number: string };
};

async function start(t: TestContext) {
  const service = await startTestService();
  t.after(() => service.close());
  const { addresses, walletId } = await makeWallet(service, [ethereumAccount()]);
  const [account = ''] = addresses;
  return { service, account, walletId, address: account.toLowerCase() };
}

async function listed(service: TestService, address: string, paginationOptions = {}) {
  const { status, body } = await service.query(operation, {
    address,
    caip2: ethereum,
    paginationOptions,
  });
  assert.equal(status, 200, JSON.stringify(body));
  const items: readonly Item[] = body.transactions;
  return {
    body,
    pageInfo: body.pageInfo,
    hashes: items.map(({ transactionHash }) => transactionHash),
    told: items.map(({ transactionHash, status: how }) => `${transactionHash} ${how}`),
  };
}

test('list_eth_transaction_history: lists incoming and outgoing transfers, and paid fees', async (t) => {
  const { service, account, address } = await start(t);
  const chain = watchedChain(service);
  await chain.begin();
  const erc20 = { symbol: 'TST', name: 'Test', decimals: 6, caip19: token };
  const block = await chain.confirm('b2', {
    transactions: [
      transaction('0x1', { from: '0xgiver', to: address }),
      transaction('0x2', { from: '0xstranger', to: '0xother' }),
      transaction('0x3', { from: address, to: '0xcontract', fee: '7' }),
      transaction('0x4', { from: address, to: '0xcontract', fee: '8', hasFailed: true }),
      transaction('0x5', { from: '0xsomebody' }),
    ],
    transfers: [
      transfer('0x1', { address, counterparty: '0xgiver' }),
      transfer('0x2', { address: '0xother' }),
      transfer('0x3', {
        address,
        ...erc20,
        operation: 'withdraw',
        amount: '1500000',
        counterparty: undefined,
      }),
      transfer('0x5', { address, caip19: 'eip155:1/erc20:unlisted', amount: '9' }),
    ],
  });
  const asked = { address: account, caip2: ethereum };
  const answer = await checkQuery(service, {
    operation,
    body: asked,
    malformed: [{ field: 'address', parameters: { address: '', caip2: ethereum } }],
  });
  const inBlock = {
    block: { number: '2', hash: 'b2', timestamp: '1970-01-01T00:00:01.000Z' },
    status: 'CONFIRMED',
    origin: 'EXTERNAL',
  };
  const feeOf = (amount: string) => ({ amount, caip19: ether.caip19 });
  assert.deepEqual(answer.transactions, [
    {
      ...inBlock,
      transactionHash: '0x5',
      from: '0xsomebody',
      fee: feeOf('21'),
      transfers: [{ direction: 'IN', amount: '9', counterparty: 'stranger' }],
    },
    {
      ...inBlock,
      transactionHash: '0x4',
      from: address,
      to: '0xcontract',
      fee: feeOf('8'),
      executionFailed: true,
      transfers: [],
    },
    {
      ...inBlock,
      transactionHash: '0x3',
      from: address,
      to: '0xcontract',
      fee: feeOf('7'),
      transfers: [
        {
          direction: 'OUT',
          asset: erc20,
          amount: '1500000',
          counterparty: '',
          display: { crypto: '1.5', usd: '' },
        },
      ],
    },
    {
      ...inBlock,
      transactionHash: '0x1',
      from: '0xgiver',
      to: address,
      fee: feeOf('21'),
      transfers: [
        {
          direction: 'IN',
          asset: ether,
          amount: '5',
          counterparty: '0xgiver',
          display: { crypto: '0.000000000000000005', usd: '' },
        },
      ],
    },
  ]);
  await chain.confirm('b3');
  await chain.finalize(block);
  const { told } = await listed(service, address);
  assert.deepEqual(told, ['0x5 FINALIZED', '0x4 FINALIZED', '0x3 FINALIZED', '0x1 FINALIZED']);
});

test('list_eth_transaction_history: a transaction of a lost block disappears, and returns with its block', async (t) => {
  const { service, address } = await start(t);
  const chain = watchedChain(service);
  const moved = (txHash: string) => ({
    transactions: [transaction(txHash)],
    transfers: [transfer(txHash, { address })],
  });
  await chain.begin();
  await chain.confirm('a2', moved('0xa'));
  await chain.confirm('a3', moved('0xb'));
  assert.deepEqual((await listed(service, address)).told, ['0xb CONFIRMED', '0xa CONFIRMED']);
  await chain.rewindTo(1, 'b1');
  assert.deepEqual((await listed(service, address)).told, []);
  const rows = async () =>
    (
      await service.store.port.recordPage({
        organizationId: service.root.organizationId,
        kind: 'chain_transaction',
        groupId: undefined,
        page: { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 100 },
      })
    ).length;
  assert.equal(await rows(), 0, 'nothing is kept of blocks that are gone');
  // The same transaction in another block, then in its first block again.
  await chain.confirm('c2', moved('0xa'));
  assert.deepEqual((await listed(service, address)).told, ['0xa CONFIRMED']);
  await chain.rewindTo(1, 'b1');
  const again = await chain.confirm('a2', moved('0xa'));
  assert.deepEqual((await listed(service, address)).told, ['0xa CONFIRMED']);
  await chain.confirm('a3');
  await chain.finalize(again);
  assert.deepEqual((await listed(service, address)).told, ['0xa FINALIZED']);
  assert.equal(await rows(), 1);
});

test('list_eth_transaction_history: no list shows a restored row of a lost block', async (t) => {
  const { service, address } = await start(t);
  const chain = watchedChain(service);
  const { port } = service.store;
  await chain.begin();
  await chain.confirm('a2', {
    transactions: [transaction('0xa')],
    transfers: [transfer('0xa', { address })],
  });
  const page = { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 100 };
  const asked = { kind: 'chain_transaction', groupId: undefined, page };
  const kept = await port.recordPage({ ...asked, organizationId: service.root.organizationId });
  await chain.rewindTo(1, 'b1');
  const { noChange } = await import('../../../src/store/port.ts');
  assert.equal(await port.commit({ ...noChange, records: kept }), 'committed');
  assert.deepEqual((await listed(service, address)).told, []);
});

test('list_eth_transaction_history: pages continue from their cursors in both directions', async (t) => {
  const { service, address } = await start(t);
  const chain = watchedChain(service, ethereum, { confirmations: 100 });
  await chain.begin();
  for (const hash of ['b2', 'b3', 'b4']) {
    const names = [`${hash}-first`, `${hash}-second`];
    await chain.confirm(hash, {
      transactions: names.map((name) => transaction(name, { from: address })),
    });
  }
  const all = ['b4-second', 'b4-first', 'b3-second', 'b3-first', 'b2-second', 'b2-first'];
  assert.deepEqual((await listed(service, address)).hashes, all);
  const first = await listed(service, address, { limit: '4' });
  assert.deepEqual(first.hashes, all.slice(0, 4));
  const { startCursor, endCursor, ...around } = first.pageInfo;
  assert.deepEqual(around, { hasNextPage: true, hasPreviousPage: false });
  const second = await listed(service, address, { limit: '4', after: endCursor });
  assert.deepEqual(second.hashes, all.slice(4));
  assert.equal(second.pageInfo.hasNextPage, false);
  assert.equal(second.pageInfo.hasPreviousPage, true);
  const back = await listed(service, address, { limit: '3', before: second.pageInfo.startCursor });
  assert.deepEqual(back.hashes, all.slice(1, 4));
  assert.equal(back.pageInfo.hasNextPage, true);
  assert.equal(back.pageInfo.hasPreviousPage, true);
  const none = await listed(service, address, { before: startCursor });
  assert.deepEqual(none.hashes, []);
  assert.deepEqual(none.pageInfo, { hasNextPage: true, hasPreviousPage: false });
  const tooMany = { address, caip2: ethereum, paginationOptions: { limit: '101' } };
  assertViolation(await service.query(operation, tooMany), 'paginationOptions.limit');
});

test('list_eth_transaction_history: takes only accounts of the organization, on chains that have them', async (t) => {
  const { service, address, walletId } = await start(t);
  const child = await addChild(service);
  const chain = watchedChain(service);
  await chain.begin();
  await chain.confirm('b2', { transactions: [transaction('0xa', { from: address })] });
  const asked = { address, caip2: ethereum };
  const inChild = { organizationId: child.organizationId };
  assertRefused(await service.query(operation, asked, inChild), 404, 5);
  assertRefused(await service.query(operation, asked, child), 404, 5);
  const strange = { ...asked, address: `0x${'9'.repeat(40)}` };
  assertRefused(await service.query(operation, strange), 404, 5);
  assertViolation(await service.query(operation, { address, caip2: solana }), 'caip2');
  assertViolation(await service.query(operation, { address, caip2: 'eip155:2' }), 'caip2');
  const deleted = await service.submit('delete_wallets', 'ACTIVITY_TYPE_DELETE_WALLETS', {
    walletIds: [walletId],
    deleteWithoutExport: true,
  });
  assert.equal(deleted.status, 200);
  assertRefused(await service.query(operation, asked), 404, 5);
});

test('list_eth_transaction_history: a later account has only later transactions', async (t) => {
  const { service, address } = await start(t);
  const chain = watchedChain(service, ethereum, { confirmations: 2 });
  await chain.begin();
  const later = { transactions: [transaction('0xa', { from: address })] };
  const block = await chain.confirm('b2', later);
  await chain.confirm('b3');
  const { addresses } = await makeWallet(service, [ethereumAccount(1)]);
  const [another = ''] = addresses;
  assert.deepEqual((await listed(service, another)).told, []);
  await chain.confirm('b4', {
    transactions: [transaction('0xb', { from: another.toLowerCase() })],
  });
  await chain.finalize(block);
  assert.deepEqual((await listed(service, another)).told, ['0xb CONFIRMED']);
  assert.deepEqual((await listed(service, address)).told, ['0xa FINALIZED']);
});

test('list_eth_transaction_history: an address at its limit loses its oldest transactions', async (t) => {
  const { service, address } = await start(t);
  const chain = watchedChain(service);
  await chain.begin();
  const many = (hash: string, count: number) => ({
    transactions: Array.from({ length: count }, (_, i) =>
      transaction(`${hash}/${i}`, { from: address }),
    ),
  });
  const first = await chain.confirm('b2', many('b2', 3));
  const second = await chain.confirm('b3', many('b3', keptOfAddress - 2));
  await chain.finalize(first);
  await chain.confirm('b4');
  await chain.finalize(second);
  const page = { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 2 };
  const { organizationId } = service.root;
  const oldest = await service.store.port.recordPage({
    organizationId,
    kind: 'chain_transaction',
    groupId: undefined,
    page,
  });
  const cursor = { after: oldest[1]?.id, limit: '1' };
  const { hashes } = await listed(service, address, { before: cursor.after, limit: '1' });
  assert.deepEqual(hashes, ['b3/0']);
  const { hashes: last } = await listed(service, address, cursor);
  assert.deepEqual(last, ['b2/1']);
});

test('list_eth_transaction_history: an invalid amount stops the watch, and nothing of it is stored', async (t) => {
  const { service, address } = await start(t);
  const chain = watchedChain(service);
  await chain.begin();
  for (const amount of ['-1', '1.5', '0x1', '']) {
    const transfers = [transfer('0xa', { address, amount })];
    const block = { number: 2, hash: 'b2', parent: { number: 1, hash: 'b1' } };
    const asked = { ...block, transfers, transactions: [transaction('0xa')] };
    await assert.rejects(chain.step('confirm', asked));
  }
  assert.deepEqual((await listed(service, address)).told, []);
});
