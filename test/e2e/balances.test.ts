// Balances over the real service and a real development chain: webhooks report incoming and outgoing coins
// and tokens, also after a reorganization and after a kill of the service.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { formatEther } from 'viem';
import { startAnvil } from './anvil.ts';
import { serverClient } from './clients.ts';
import { startRpcProxy, type Worsening } from './rpc_proxy.ts';
import { startService, temporaryDirectory, until } from './service.ts';
import { createKeySet, refusalOf, startReceiver } from './webhook_receiver.ts';

/** Emits Transfer(caller, first word, second word) on every call. */
const tokenRuntime =
  '602035600052600035337fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60206000a300';
const tokenCode = `0x603180600b6000396000f3${tokenRuntime}`;
const word = (value: string | bigint) =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0');

const anvil = await startAnvil();
after(() => anvil.stop());
const proxy = await startRpcProxy(anvil.url);
after(() => proxy.stop());
const receiver = await startReceiver();
after(() => receiver.close());
const [payer, other] = await anvil.call('eth_accounts');
const made = await anvil.send({ from: payer, data: tokenCode });
await anvil.mine(1);
const { contractAddress } = await anvil.call('eth_getTransactionReceipt', made);

const chain = 'eip155:31337';
const start = {
  dataDirectory: temporaryDirectory(),
  environment: {
    KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
    KEYWRIGHT_CHAINS: JSON.stringify({
      [chain]: {
        rpcUrl: proxy.url,
        confirmations: 3,
        pollMs: 20,
        coin: { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 },
        tokens: [{ address: contractAddress, symbol: 'TST', name: 'Test', decimals: 6 }],
      },
    }),
  },
};
let service = await startService(start);
after(() => service.stop());
const client = serverClient(service);
const { addresses } = await client.createWallet({
  walletName: 'Watched',
  accounts: [
    {
      curve: 'CURVE_SECP256K1',
      pathFormat: 'PATH_FORMAT_BIP32',
      path: "m/44'/60'/0'/0/0",
      addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
    },
  ],
});
const [watched = ''] = addresses;
const address = watched.toLowerCase();
await client.createWebhookEndpoint({
  url: receiver.url,
  name: 'Balances',
  subscriptions: [
    { eventType: 'BALANCE_CONFIRMED_UPDATES' },
    { eventType: 'BALANCE_FINALIZED_UPDATES' },
  ],
});

const toldOf = ({ body }: { readonly body: Buffer }) => JSON.parse(body.toString());
const reported = () =>
  receiver.received
    .map(toldOf)
    .map(({ type, msg }) => `${type} ${msg.operation} ${msg.asset.amount} ${msg.asset.symbol}`);

test('incoming coins are reported with their block, and again when it is final', async () => {
  const txHash = await anvil.send({ from: payer, to: address, value: 10n ** 18n });
  // Transfers to unknown accounts and transfers of 0 cause no events.
  await anvil.send({ from: payer, to: other, value: 5n });
  await anvil.send({ from: other, to: address, value: 0n });
  await anvil.mine(1);
  const [first] = await receiver.atLeast(1);
  assert(first !== undefined);
  const keySet = createKeySet(service.baseUrl);
  assert.equal(await refusalOf(first, keySet), undefined);
  assert.equal(first.headers['x-service-event-type'], 'BALANCE_CONFIRMED_UPDATES');
  const block = await anvil.call('eth_getBlockByNumber', 'latest', false);
  const { organizationId } = service.credentials;
  const body = toldOf(first);
  assert.match(body.msg.idempotencyKey, /^[0-9a-f]{64}:balances:confirmed$/);
  assert.deepEqual(body, {
    type: 'balances:confirmed',
    organizationId,
    parentOrganizationId: organizationId,
    msg: {
      operation: 'deposit',
      caip2: chain,
      txHash,
      address,
      idempotencyKey: body.msg.idempotencyKey,
      asset: {
        symbol: 'ETH',
        name: 'Ether',
        decimals: 18,
        caip19: `${chain}/slip44:60`,
        amount: '1000000000000000000',
      },
      block: {
        number: Number(block.number),
        hash: block.hash,
        timestamp: new Date(Number(block.timestamp) * 1000).toISOString(),
      },
    },
  });
  await anvil.mine(3);
  const [, second] = await receiver.atLeast(2);
  assert(second !== undefined);
  assert.equal(second.headers['x-service-event-type'], 'BALANCE_FINALIZED_UPDATES');
  assert.deepEqual(toldOf(second).msg.block, body.msg.block);
});

test('outgoing coins and tokens, and incoming tokens, are reported by transaction and asset', async () => {
  const before = receiver.received.length;
  await anvil.openAccount(address);
  await anvil.send({ from: payer, to: contractAddress, data: `0x${word(address)}${word(700n)}` });
  await anvil.send({ from: address, to: other, value: 25n });
  await anvil.send({ from: address, to: contractAddress, data: `0x${word(other)}${word(300n)}` });
  await anvil.mine(4);
  await receiver.atLeast(before + 6);
  assert.deepEqual(reported().slice(before).sort(), [
    'balances:confirmed deposit 700 TST',
    'balances:confirmed withdraw 25 ETH',
    'balances:confirmed withdraw 300 TST',
    'balances:finalized deposit 700 TST',
    'balances:finalized withdraw 25 ETH',
    'balances:finalized withdraw 300 TST',
  ]);
});

test('clients read the balances of an account, the supported assets, and its nonce', async () => {
  const caip2 = chain as 'eip155:1';
  const { assets } = await client.listSupportedAssets({ caip2 });
  const ether = { symbol: 'ETH', name: 'Ether', decimals: 18, caip19: `${chain}/slip44:60` };
  const token = { symbol: 'TST', name: 'Test', decimals: 6 };
  assert.deepEqual(assets, [
    { ...ether, logoUrl: '', earnProviders: [] },
    {
      ...token,
      caip19: `${chain}/erc20:${contractAddress}`,
      logoUrl: '',
      earnProviders: [],
    },
  ]);
  const held = BigInt(await anvil.call('eth_getBalance', address, 'latest'));
  const { balances } = await client.getWalletAddressBalances({ address: watched, caip2 });
  // This contract stores no balances, and answers 0.
  assert.deepEqual(balances, [
    {
      ...ether,
      balance: String(held),
      display: { crypto: formatEther(held), usd: '' },
      tokenProgram: '',
    },
  ]);
  assert.deepEqual(await client.getNonces({ address: watched, caip2, nonce: true }), {
    nonce: String(Number(await anvil.call('eth_getTransactionCount', address, 'latest'))),
  });
  await assert.rejects(
    client.getWalletAddressBalances({ address: watched, caip2: 'eip155:1' }),
    /expected one of `eip155:31337`/,
  );
});

test('a block that a reorganization moves is reported again, and its old place never becomes final', async () => {
  const before = receiver.received.length;
  const lost = await anvil.send({ from: payer, to: address, value: 41n });
  await anvil.mine(1);
  await receiver.atLeast(before + 1);
  const raw = await anvil.call('eth_getTransactionByHash', lost);
  await anvil.call('anvil_reorg', 1, []);
  await anvil.mine(1);
  await anvil.send({ from: payer, to: address, value: 43n });
  await anvil.mine(4);
  const newest = Number(await anvil.call('eth_blockNumber'));
  await receiver.atLeast(before + 3);
  const after = receiver.received.slice(before).map(toldOf);
  const isFinal = ({ type }: { type: string }) => type === 'balances:finalized';
  for (const { msg } of after.filter(isFinal)) {
    assert.notEqual(msg.block.hash, raw.blockHash);
    const now = await anvil.call(
      'eth_getBlockByNumber',
      `0x${msg.block.number.toString(16)}`,
      false,
    );
    assert.equal(now.hash, msg.block.hash);
    assert(newest - msg.block.number >= 3);
  }
  assert(reported().slice(before).includes('balances:finalized deposit 43 ETH'));
});

test('a node that lags, lies or disconnects causes no events until it recovers', async () => {
  const newest = Number(await anvil.call('eth_blockNumber'));
  const changed = (member: string) => (value: unknown) => {
    const known = value as Readonly<Record<string, unknown>>;
    return Object.hasOwn(known, member) ? { ...known, [member]: `0x${'e'.repeat(64)}` } : known;
  };
  const numberOf = (block: unknown) => Number((block as { number: string } | null)?.number);
  const worsenings: readonly Worsening[] = [
    // The node knows no newer blocks.
    (method, result) =>
      method === 'eth_getBlockByNumber' && numberOf(result) > newest ? null : result,
    // The parents of its blocks differ.
    (method, result) =>
      method === 'eth_getBlockByNumber' && numberOf(result) > newest
        ? changed('parentHash')(result)
        : result,
    'gone',
    // Its receipts belong to other blocks.
    (method, result) =>
      method === 'eth_getBlockReceipts' ? (result as unknown[]).map(changed('blockHash')) : result,
  ];
  const ofIt = () => reported().filter((line) => line.includes(' 51 ETH'));
  proxy.is(worsenings[0]);
  await anvil.send({ from: payer, to: address, value: 51n });
  await anvil.mine(4);
  for (const worsening of worsenings) {
    proxy.is(worsening);
    const requestsBefore = proxy.requests();
    await until('the node gets further requests', () => proxy.requests() >= requestsBefore + 2);
    assert.deepEqual(ofIt(), []);
  }
  proxy.is(undefined);
  await until('both events have arrived', () => ofIt().length >= 2);
  assert.deepEqual(ofIt().sort(), [
    'balances:confirmed deposit 51 ETH',
    'balances:finalized deposit 51 ETH',
  ]);
});

test('transfers during downtime of the service are reported, each once', async () => {
  await service.kill();
  const before = receiver.received.length;
  await anvil.send({ from: payer, to: address, value: 77n });
  await anvil.mine(5);
  service = await startService(start);
  const isOurs = (line: string) => line.includes(' 77 ETH');
  const expected = ['balances:confirmed deposit 77 ETH', 'balances:finalized deposit 77 ETH'];
  while (reported().filter(isOurs).length < 2) await receiver.atLeast(receiver.received.length + 1);
  assert.deepEqual(reported().slice(before).filter(isOurs).sort(), expected);
  const ids = receiver.received.map(({ headers }) => headers['x-service-event-id']);
  const keys = receiver.received.map((each) => toldOf(each).msg.idempotencyKey);
  // A delivery that was interrupted may be repeated with the same event.
  assert.equal(new Set(keys).size, new Set(ids).size);
  assert.equal(service.output().stderr.includes('failed'), false);
});
