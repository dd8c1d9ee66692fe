// The history of addresses over the real service and real chains, by unmodified clients. The incoming amounts
// less outgoing amounts and fees equal the balance of the nodes.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { startAnvil } from './anvil.ts';
import {
  accountParameters,
  coreClient,
  createAddress,
  httpClient,
  serverClient,
} from './clients.ts';
import { startRpcProxy } from './rpc_proxy.ts';
import { startService, temporaryDirectory, until } from './service.ts';
import { createSolanaChain } from './solana_chain.ts';
import { startSolanaNode } from './solana_node.ts';
import { mintTo, newMint, newTokenAccount, token, transferTokens } from './solana_tokens.ts';

const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Has `balanceOf`. Any other call moves tokens of the caller, also below 0, and emits an event. */
const tokenRuntime =
  '60003560e01c6370a0823114605d57' +
  '6024353354033355602435600435540160043555602435600052' +
  `600435337f${transferTopic}60206000a3600160005260206000f3` +
  '5b6004355460005260206000f3';
const tokenCode = `0x606a80600b6000396000f3${tokenRuntime}`;
const transferOf = (to: string, amount: bigint) =>
  `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`;

const anvil = await startAnvil();
after(() => anvil.stop());
const [giver, other] = await anvil.call('eth_accounts');
const made = await anvil.send({ from: giver, data: tokenCode });
await anvil.mine(1);
const { contractAddress } = await anvil.call('eth_getTransactionReceipt', made);

// One of three nodes reports transfers of tokens that never happened.
const liar = await startRpcProxy(anvil.url);
after(() => liar.stop());
const third = await startRpcProxy(anvil.url);
after(() => third.stop());

const machine = createSolanaChain();
const node = await startSolanaNode(machine);
after(() => node.stop());
const mint = Keypair.generate();
machine.send(newMint(token, machine.payer.publicKey, mint), mint);
machine.produce();
machine.finalize();

/** The clients' types have no private chains. */
const ethereum = 'eip155:31337' as 'eip155:1';
const solana = machine.caip2 as 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const watched = { pollMs: 20, confirmations: 2 };
const listed = { symbol: 'TST', name: 'Test', decimals: 6 };
const coin = { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 };
const service = await startService({
  dataDirectory: temporaryDirectory(),
  environment: {
    KEYWRIGHT_CHAINS: JSON.stringify({
      [ethereum]: {
        ...watched,
        rpcUrl: [anvil.url, liar.url, third.url],
        coin,
        tokens: [{ ...listed, address: contractAddress }],
      },
      [solana]: {
        ...watched,
        rpcUrl: node.url,
        tokens: [{ ...listed, address: mint.publicKey.toBase58() }],
      },
    }),
  },
});
// The service queries the chains until it stops.
after(() => service.stop());
const client = serverClient(service);

type Item = {
  readonly status: string;
  readonly origin: string;
  readonly block: { readonly hash: string };
  readonly fee: { readonly amount: string; readonly caip19: string };
  readonly transfers: readonly {
    readonly direction: string;
    readonly asset?: { readonly caip19: string };
    readonly amount: string;
  }[];
  readonly turnkey?: { readonly activityFingerprint?: string };
};

/** Returns the sum of an address's history for each asset. */
function sumsOf<Some extends Item>(items: readonly Some[], paidFee: (item: Some) => boolean) {
  const sums = new Map<string, bigint>();
  const add = (caip19: string, amount: bigint) =>
    sums.set(caip19, (sums.get(caip19) ?? 0n) + amount);
  for (const item of items) {
    if (paidFee(item)) add(item.fee.caip19, -BigInt(item.fee.amount));
    for (const { asset, direction, amount } of item.transfers) {
      add(asset?.caip19 ?? '', direction === 'IN' ? BigInt(amount) : -BigInt(amount));
    }
  }
  return [...sums].filter(([, sum]) => sum !== 0n).sort();
}

async function heldBy(address: string, caip2: typeof ethereum | typeof solana) {
  const { balances = [] } = await client.getWalletAddressBalances({ address, caip2 });
  return balances.map(({ caip19 = '', balance = '0' }) => [caip19, BigInt(balance)]).sort();
}

test('on Ethereum the history of an address adds up to its balances despite one lying node of three', async () => {
  const from = await createAddress(service, 'Ethereum', accountParameters.ethereum);
  const address = from.toLowerCase();
  const topicOf = (who: string) => `0x${who.slice(2).padStart(64, '0')}`;
  const invented = {
    address: contractAddress,
    topics: [`0x${transferTopic}`, topicOf(other), topicOf(address)],
    data: topicOf('0x77'),
  };
  liar.is((method, result) =>
    method === 'eth_getBlockReceipts' && Array.isArray(result)
      ? result.map((receipt) => ({ ...receipt, logs: [...receipt.logs, invented] }))
      : result,
  );
  const history = async (paginationOptions = {}) =>
    client.listEthTransactionHistory({ address: from, caip2: ethereum, paginationOptions });
  const whole = async () => (await history({ limit: '100' })).transactions;
  const agrees = async () => {
    const sums = sumsOf(await whole(), (item) => item.from === address);
    assert.deepEqual(sums, await heldBy(from, ethereum));
  };
  const has = (count: number) =>
    until(`the history has ${count}`, async () => (await whole()).length === count);

  await anvil.send({ from: giver, to: from, value: 10n ** 18n });
  await anvil.send({ from: giver, to: contractAddress, data: transferOf(from, 900n) });
  await anvil.send({ from: giver, to: other, value: 5n });
  await anvil.mine(1);
  await has(2);
  await agrees();

  const send = (to: string, value: string, rest: { data?: string; gasLimit?: string } = {}) => {
    const { gasLimit, data } = rest;
    return client.ethSendTransaction({
      from,
      caip2: ethereum,
      calls: [{ to, value, ...(data === undefined ? {} : { data }) }],
      ...(gasLimit === undefined ? {} : { gasLimit }),
    });
  };
  const sent = [
    await send(other, '12345'),
    await send(from, '7'),
    await send(contractAddress, '0', { data: transferOf(other, 250n) }),
    // The transaction runs out of gas, and pays for it.
    await send(contractAddress, '0', { data: transferOf(other, 1n), gasLimit: '30000' }),
  ];
  const statusOf = async ({ sendTransactionStatusId }: { sendTransactionStatusId: string }) =>
    client.getSendTransactionStatus({ sendTransactionStatusId });
  const allAre = (status: string) =>
    until(`all are ${status}`, async () => {
      const all = await Promise.all(sent.map(statusOf));
      return all.every(({ txStatus }) => txStatus === status);
    });
  await allAre('BROADCASTING');
  const snapshot = await anvil.call('evm_snapshot');
  await anvil.mine(1);
  await has(6);
  await agrees();
  const before = await whole();
  assert.deepEqual(
    before.map(({ status, origin }) => [status, origin]),
    [
      ...Array.from({ length: 4 }, () => ['CONFIRMED', 'TURNKEY']),
      ...Array.from({ length: 2 }, () => ['CONFIRMED', 'EXTERNAL']),
    ],
  );
  const lost = before[0]?.block.hash;

  // Another block replaces their block, and then they are included again.
  await anvil.call('evm_revert', snapshot);
  await anvil.send({ from: giver, to: from, value: 1n });
  await anvil.mine(1);
  await until('the lost block is gone', async () =>
    (await whole()).every(({ block }) => block.hash !== lost),
  );
  await until('they are sent again', async () => {
    await anvil.mine(1);
    return (await Promise.all(sent.map(statusOf))).every(({ txStatus }) => txStatus === 'INCLUDED');
  });
  await anvil.mine(3);
  await until('all is final', async () => {
    const items = await whole();
    return items.length === 7 && items.every(({ status }) => status === 'FINALIZED');
  });
  await agrees();

  const hashes = new Set((await Promise.all(sent.map(statusOf))).map(({ eth }) => eth?.txHash));
  const items = await whole();
  for (const { transactionHash, from: sender, block, fee, origin, turnkey } of items) {
    const receipt = await anvil.call('eth_getTransactionReceipt', transactionHash);
    assert.equal(receipt.from, sender);
    assert.equal(receipt.blockHash, block.hash);
    const paid = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
    assert.equal(fee.amount, String(paid));
    assert.equal(origin, hashes.has(transactionHash) ? 'TURNKEY' : 'EXTERNAL');
    if (origin === 'TURNKEY') assert.match(turnkey?.activityFingerprint ?? '', /^sha256:/);
  }
  // Pages and the other clients return the same list.
  const paged: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await history({ limit: '3', ...(cursor === undefined ? {} : { after: cursor }) });
    paged.push(...page.transactions.map(({ transactionHash }) => transactionHash));
    cursor = page.pageInfo?.endCursor;
    if (page.pageInfo?.hasNextPage !== true) break;
  }
  assert.deepEqual(
    paged,
    items.map(({ transactionHash }) => transactionHash),
  );
  const { organizationId } = service.credentials;
  const query = { organizationId, address: from, caip2: ethereum };
  const first = (await history()).transactions;
  const ofHttp = await httpClient(service).listEthTransactionHistory(query);
  assert.deepEqual(ofHttp.transactions, first);
  const ofCore = await (await coreClient(service)).listEthTransactionHistory(query);
  assert.deepEqual(ofCore.transactions, first);
});

test('on Solana the history of an address adds up to its balances despite dropped blocks', async () => {
  const address = await createAddress(service, 'Solana', accountParameters.solana);
  const owner = new PublicKey(address);
  const whole = async () =>
    (
      await client.listSolTransactionHistory({
        address,
        caip2: solana,
        paginationOptions: { limit: '100' },
      })
    ).transactions;
  const agrees = async () => {
    const sums = sumsOf(await whole(), (item) => item.feePayer === address);
    assert.deepEqual(sums, await heldBy(address, solana));
  };
  const has = (count: number) =>
    until(`the history has ${count}`, async () => (await whole()).length === count);
  const payer = machine.payer.publicKey;
  const [own, others] = [Keypair.generate(), Keypair.generate()];
  const of = { mint: mint.publicKey };
  const pays = (fromPubkey: PublicKey, toPubkey: PublicKey, lamports: number) =>
    SystemProgram.transfer({ fromPubkey, toPubkey, lamports });

  machine.send([pays(payer, owner, 10_000_000_000)]);
  machine.send(newTokenAccount(token, payer, own, { ...of, owner }), own);
  machine.send(newTokenAccount(token, payer, others, { ...of, owner: payer }), others);
  // The usual transfer of tokens names the account of an owner, not the owner.
  machine.send([mintTo(token, mint.publicKey, own.publicKey, payer, 900n)]);
  machine.produce();
  await has(2);
  await agrees();
  machine.finalize();

  const send = async (...instructions: readonly TransactionInstruction[]) => {
    const message = new TransactionMessage({
      payerKey: owner,
      recentBlockhash: machine.recentBlockhash(),
      instructions: [...instructions],
    });
    const transaction = new VersionedTransaction(message.compileToV0Message());
    const unsignedTransaction = Buffer.from(transaction.serialize()).toString('hex');
    const { sendTransactionStatusId } = await client.solSendTransaction({
      unsignedTransaction,
      signWiths: [address],
      caip2: solana,
    });
    await until('a node has it', async () => {
      const { txStatus } = await client.getSendTransactionStatus({ sendTransactionStatusId });
      return txStatus === 'BROADCASTING';
    });
    return sendTransactionStatusId;
  };
  await send(pays(owner, Keypair.generate().publicKey, 5_000_000));
  const paid = transferTokens(token, own.publicKey, others.publicKey, owner, 250n);
  const id = await send(paid, pays(owner, payer, 1_000));
  machine.produce();
  await has(4);
  await agrees();
  machine.send([pays(payer, owner, 77)]);
  machine.produce();
  await has(5);
  await agrees();
  // The newest block is dropped with its transfers.
  machine.drop(1);
  machine.produce(2);
  await has(4);
  await agrees();

  machine.produce();
  machine.produce();
  machine.produce();
  machine.finalize();
  await until('all is final', async () =>
    (await whole()).every(({ status }) => status === 'FINALIZED'),
  );
  await agrees();
  const items = await whole();
  const { solana: landed } = await client.getSendTransactionStatus({ sendTransactionStatusId: id });
  const own4 = items.find(({ signature }) => signature === landed?.signature);
  assert.equal(own4?.origin, 'TURNKEY');
  assert.equal(own4?.feePayer, address);
  assert.deepEqual(own4?.signers, [{ address, writable: true }]);
  assert.deepEqual(items.map(({ origin }) => origin).sort(), [
    ...['EXTERNAL', 'EXTERNAL', 'TURNKEY', 'TURNKEY'],
  ]);
  const { organizationId } = service.credentials;
  const query = { organizationId, address, caip2: solana };
  const ofHttp = await httpClient(service).listSolTransactionHistory(query);
  assert.deepEqual(ofHttp.transactions, items);
});
