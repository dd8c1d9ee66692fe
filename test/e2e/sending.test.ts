// Transactions sent over the real service and a real development chain, by unmodified clients.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAccount } from '@turnkey/viem';
import { Transaction, Wallet } from 'ethers';
import { foreignTransaction } from '../operations/sending/send_requests.ts';
import { startAnvil } from './anvil.ts';
import { asDeclared, coreClient, httpClient, serverClient } from './clients.ts';
import { startRpcProxy } from './rpc_proxy.ts';
import { startService, temporaryDirectory, until } from './service.ts';
import { startReceiver } from './webhook_receiver.ts';

/** Reverts with `Error("too late")` for call data, and accepts coins without call data. */
const refusal =
  '08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000' +
  '08746f6f206c617465000000000000000000000000000000000000000000000000';
const runtime = `36156011576064601360003960646000fd5b00${refusal}`;

const anvil = await startAnvil();
const proxy = await startRpcProxy(anvil.url);
const receiver = await startReceiver();
const [payer, other] = await anvil.call('eth_accounts');

const caip2 = 'eip155:31337' as 'eip155:1';
const confirmations = 3;
const start = {
  dataDirectory: temporaryDirectory(),
  environment: {
    KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
    KEYWRIGHT_CHAINS: JSON.stringify({
      [caip2]: {
        rpcUrl: proxy.url,
        confirmations,
        pollMs: 20,
        coin: { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 },
      },
    }),
  },
};
let service = await startService(start);
after(async () => {
  // The service queries the chain until it stops.
  await service.stop();
  receiver.close();
  await proxy.stop();
  anvil.stop();
});
let client = serverClient(service);
const { addresses } = await client.createWallet({
  walletName: 'Sends',
  accounts: [
    {
      curve: 'CURVE_SECP256K1',
      pathFormat: 'PATH_FORMAT_BIP32',
      path: "m/44'/60'/0'/0/0",
      addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
    },
  ],
});
const [from = ''] = addresses;
await client.createWebhookEndpoint({
  url: receiver.url,
  name: 'Sends',
  subscriptions: [{ eventType: 'SEND_TRANSACTION_STATUS_UPDATES' }],
});
await anvil.send({ from: payer, to: from, value: 100n * 10n ** 18n });
await anvil.mine(1);

type Rest = {
  nonce?: string;
  data?: string;
  to?: string;
  maxFeePerGas?: string;
  maxPriorityFeePerGas?: string;
};
const send = async (value: string, rest: Rest = {}) => {
  const { to = other, data, ...fees } = rest;
  const call = { to, value, ...(data === undefined ? {} : { data }) };
  const sent = await client.ethSendTransaction({ from, caip2, calls: [call], ...fees });
  return sent.sendTransactionStatusId;
};
const statusOf = (sendTransactionStatusId: string) =>
  client.getSendTransactionStatus({ sendTransactionStatusId });
const comesTo = (id: string, status: string) =>
  until(`the transaction is ${status}`, async () => (await statusOf(id)).txStatus === status);
const sendRaw = async (signedTransaction: string) => {
  const { activity } = await httpClient(service).ethSendRawTransaction({
    type: 'ACTIVITY_TYPE_ETH_SEND_RAW_TRANSACTION',
    timestampMs: String(Date.now()),
    organizationId: service.credentials.organizationId,
    parameters: { signedTransaction, caip2 },
  });
  const result = activity.result.ethSendRawTransactionResult;
  assert(result !== undefined);
  return result;
};
const balanceOf = async (address: string) =>
  BigInt(await anvil.call('eth_getBalance', address, 'latest'));
const reported = (id: string) =>
  receiver.received
    .map(({ body }) => JSON.parse(body.toString()))
    .filter(({ msg }) => msg.sendTransactionStatusId === id);

test('a transaction is sent, included and reported with its hash on the chain', async () => {
  const before = await balanceOf(other);
  const id = await send('5000');
  await comesTo(id, 'BROADCASTING');
  await anvil.mine(1);
  const polled = await client.pollTransactionStatus({ sendTransactionStatusId: id });
  assert.equal(polled.txStatus, 'INCLUDED');
  assert.equal((await balanceOf(other)) - before, 5000n);
  const txHash = polled.eth?.txHash ?? '';
  const sent = await anvil.call('eth_getTransactionByHash', txHash);
  assert.equal(sent.from, from.toLowerCase());
  assert.equal(sent.type, '0x2');
  await until('both events have arrived', () => reported(id).length === 2);
  const [broadcasting, included] = reported(id);
  const { organizationId } = service.credentials;
  assert.equal(broadcasting.msg.status, 'BROADCASTING');
  assert.deepEqual(included, {
    type: 'transaction:status',
    organizationId,
    parentOrganizationId: organizationId,
    msg: {
      sendTransactionStatusId: id,
      activityId: included.msg.activityId,
      status: 'INCLUDED',
      caip2,
      idempotencyKey: included.msg.idempotencyKey,
      timestamp: included.msg.timestamp,
      txHash,
    },
  });
  const { activity } = await client.getActivity({ activityId: included.msg.activityId });
  assert.equal(activity.type, 'ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2');
  assert.equal(activity.result.ethSendTransactionResultV2?.sendTransactionStatusId, id);
});

test('concurrent transactions have different nonces, and all are included', async () => {
  const before = await balanceOf(other);
  const ids = await Promise.all(Array.from({ length: 12 }, (_, i) => send(String(i + 1))));
  assert.equal(new Set(ids).size, 12);
  for (const id of ids) await comesTo(id, 'BROADCASTING');
  await anvil.mine(1);
  for (const id of ids) await comesTo(id, 'INCLUDED');
  assert.equal((await balanceOf(other)) - before, 78n);
});

test('a transaction that would revert is refused with the reason, and one that reverts later is included with an error', async () => {
  const code = `0x60${(runtime.length / 2).toString(16)}80600b6000396000f3${runtime}`;
  const made = await anvil.send({ from: payer, data: code });
  await anvil.mine(1);
  const { contractAddress: to } = await anvil.call('eth_getTransactionReceipt', made);
  await assert.rejects(send('0', { to, data: '0x01' }), /it would fail: too late/);
  const sent = await client.ethSendTransaction({
    from,
    caip2,
    calls: [{ to, data: '0x01' }],
    gasLimit: '100000',
  });
  await comesTo(sent.sendTransactionStatusId, 'BROADCASTING');
  await anvil.mine(1);
  await comesTo(sent.sendTransactionStatusId, 'INCLUDED');
  const status = await statusOf(sent.sendTransactionStatusId);
  assert.equal(status.error?.message, 'execution reverted');
});

test('a transaction of a lost block is sent again, and is included once', async () => {
  const before = await balanceOf(other);
  const id = await send('700');
  await comesTo(id, 'BROADCASTING');
  await anvil.mine(1);
  await comesTo(id, 'INCLUDED');
  const { eth } = await statusOf(id);
  // The chain drops the block, and the node forgets the transaction.
  await anvil.call('anvil_reorg', 1, []);
  await anvil.call('anvil_dropAllTransactions');
  await until(
    'the same transaction waits again',
    async () => (await anvil.call('eth_getTransactionByHash', eth?.txHash)) !== null,
  );
  await comesTo(id, 'BROADCASTING');
  await anvil.mine(confirmations + 1);
  await comesTo(id, 'INCLUDED');
  assert.equal((await statusOf(id)).eth?.txHash, eth?.txHash);
  assert.equal((await balanceOf(other)) - before, 700n);
});

test('a service that is killed before the broadcast sends the same bytes after its restart', async () => {
  const before = await balanceOf(other);
  proxy.swallow('eth_sendRawTransaction');
  const id = await send('900');
  const { txStatus, eth } = await statusOf(id);
  assert.equal(txStatus, 'INITIALIZED');
  await service.kill();
  proxy.swallow();
  service = await startService(start);
  client = serverClient(service);
  await comesTo(id, 'BROADCASTING');
  await anvil.mine(1);
  await comesTo(id, 'INCLUDED');
  assert.equal((await statusOf(id)).eth?.txHash, eth?.txHash);
  assert.equal((await balanceOf(other)) - before, 900n);
});

test('it fails only when another transaction with its nonce is final', async () => {
  proxy.swallow('eth_sendRawTransaction');
  const id = await send('1');
  // The owner of the address uses the nonce without the service.
  await anvil.openAccount(from.toLowerCase());
  await anvil.send({ from: from.toLowerCase(), to: other, value: 2n });
  await anvil.mine(confirmations);
  const requestsBefore = proxy.requests();
  await until('the service queried the chain', () => proxy.requests() >= requestsBefore + 20);
  assert.equal((await statusOf(id)).txStatus, 'INITIALIZED');
  proxy.swallow();
  await anvil.mine(1);
  await comesTo(id, 'FAILED');
  assert.match((await statusOf(id)).txError ?? '', /another transaction of the address has nonce/);
  // The next transaction has the next nonce.
  const next = await send('3');
  await comesTo(next, 'BROADCASTING');
  await anvil.mine(1);
  await comesTo(next, 'INCLUDED');
});

test('a transaction with a foreign signature is sent until it is final', async () => {
  const key = `0x${'0c'.repeat(32)}`;
  const { address } = new Wallet(key);
  await anvil.send({ from: payer, to: address, value: 10n ** 18n });
  await anvil.mine(1);
  const before = await balanceOf(other);
  const fees = { maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
  const signedTransaction = foreignTransaction(
    { chainId: 31_337, to: other, value: 800, ...fees },
    key,
  );
  const result = await sendRaw(signedTransaction);
  const { hash } = Transaction.from(signedTransaction);
  assert.equal(result.transactionHash, hash);
  const { sendTransactionStatusId: id } = { sendTransactionStatusId: '', ...result };
  await comesTo(id, 'BROADCASTING');
  await anvil.mine(1);
  await comesTo(id, 'INCLUDED');
  assert.equal((await balanceOf(other)) - before, 800n);
});

test('an address sends after its delegation is removed', async () => {
  const designator = `0xef0100${'12'.repeat(20)}`;
  await anvil.call('anvil_setCode', from, designator);
  assert.equal(await anvil.call('eth_getCode', from, 'latest'), designator);
  const { sendTransactionStatusId: id } = await client.ethUndelegate7702({ from, caip2 });
  await comesTo(id, 'BROADCASTING');
  await anvil.mine(1);
  await comesTo(id, 'INCLUDED');
  assert.equal((await statusOf(id)).error, undefined);
  assert.equal(await anvil.call('eth_getCode', from, 'latest'), '0x');
  const before = await balanceOf(other);
  const next = await send('60');
  await comesTo(next, 'BROADCASTING');
  await anvil.mine(1);
  await comesTo(next, 'INCLUDED');
  assert.equal((await balanceOf(other)) - before, 60n);
});

test('@turnkey/core sends by both types, and follows the transaction', async () => {
  const core = await coreClient(service);
  const { organizationId } = service.credentials;
  const before = await balanceOf(other);
  const first = await core.ethSendTransaction({
    organizationId,
    from,
    caip2,
    to: other,
    value: '31',
  });
  const second = await core.ethSendTransactionV2({
    organizationId,
    from,
    caip2,
    calls: [{ to: other, value: '32' }],
  });
  for (const { sendTransactionStatusId } of [first, second]) {
    await comesTo(sendTransactionStatusId, 'BROADCASTING');
  }
  await anvil.mine(1);
  for (const { sendTransactionStatusId } of [first, second]) {
    await comesTo(sendTransactionStatusId, 'INCLUDED');
    const status = await core.getSendTransactionStatus({ organizationId, sendTransactionStatusId });
    assert.equal(status.txStatus, 'INCLUDED');
  }
  assert.equal((await balanceOf(other)) - before, 63n);
});

test('a transaction of @turnkey/viem is sent unchanged', async () => {
  const before = await balanceOf(other);
  const { organizationId } = service.credentials;
  const account = await createAccount({
    client: asDeclared(httpClient(service)),
    organizationId,
    signWith: from,
  });
  const nonce = Number(await anvil.call('eth_getTransactionCount', from, 'latest'));
  const signedTransaction = await account.signTransaction({
    type: 'eip1559',
    chainId: 31_337,
    nonce,
    gas: 21_000n,
    to: other,
    value: 77n,
    maxFeePerGas: 20_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  });
  const { transactionHash } = await sendRaw(signedTransaction);
  await until(
    'the node has it',
    async () => (await anvil.call('eth_getTransactionByHash', transactionHash)) !== null,
  );
  await anvil.mine(1);
  assert.equal((await balanceOf(other)) - before, 77n);
});

test('a transaction is replaced by one with a 10 % higher fee, and one of them is included', async () => {
  const before = await balanceOf(other);
  const [first, second] = ['110', '120'];
  const nonce = String(Number(await anvil.call('eth_getTransactionCount', from, 'latest')));
  const terms = (fee: bigint, tip: bigint) => ({
    nonce,
    maxFeePerGas: String(fee),
    maxPriorityFeePerGas: String(tip),
  });
  const old = await send(first, terms(20_000_000_000n, 1_000_000_000n));
  await comesTo(old, 'BROADCASTING');
  await assert.rejects(
    send(second, terms(21_999_999_999n, 1_100_000_000n)),
    /a fee of 22000000000 wei and a tip of 1100000000 wei or more/,
  );
  const bumped = await send(second, terms(22_000_000_000n, 1_100_000_000n));
  await comesTo(bumped, 'BROADCASTING');
  await anvil.mine(confirmations + 1);
  await comesTo(bumped, 'INCLUDED');
  await comesTo(old, 'FAILED');
  assert.equal((await balanceOf(other)) - before, 120n);
});

test('parameters that the service does not support are refused before it signs', async () => {
  const calls = [{ to: other, value: '1' }];
  const refused = [
    [{ sponsor: true, calls }, /sponsors no transactions/],
    [{ calls: [...calls, ...calls] }, /expected one call, got 2: only a sponsor sends several/],
    [{ calls, nonce: '0' }, /expected nonce \d+ or a higher one, since lower ones are used/],
    [{ calls, deadline: '5' }, /only sponsored transactions have it/],
    [{ calls: [{ to: 'nobody' }] }, /expected an Ethereum address/],
    [{ calls, maxPriorityFeePerGas: '2', maxFeePerGas: '1' }, /at most `maxFeePerGas`/],
  ] as const;
  for (const [parameters, sentence] of refused) {
    const { calls: given, ...rest } = parameters;
    await assert.rejects(
      client.ethSendTransaction({ from, caip2, calls: [...given], ...rest }),
      sentence,
    );
  }
  await assert.rejects(
    client.ethSendTransaction({ from, caip2: 'eip155:1', calls }),
    /expected one of `eip155:31337`/,
  );
});
