// Three nodes of one Solana chain, of which one is down, lags or lies. Two nodes decide.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { hexOf, transactionOf } from '../operations/sending/solana_requests.ts';
import { accountParameters, createAddress, serverClient } from './clients.ts';
import { startRpcProxy, type Worsening } from './rpc_proxy.ts';
import { startService, temporaryDirectory, until } from './service.ts';
import { createSolanaChain } from './solana_chain.ts';
import { startSolanaNode } from './solana_node.ts';

const chain = createSolanaChain();
chain.finalize();
const nodes = await Promise.all([1, 2, 3].map(() => startSolanaNode(chain)));
const proxies = await Promise.all(nodes.map(({ url }) => startRpcProxy(url)));
const service = await startService({
  dataDirectory: temporaryDirectory(),
  environment: {
    KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
    KEYWRIGHT_CHAINS: JSON.stringify({
      [chain.caip2]: { rpcUrl: proxies.map(({ url }) => url), confirmations: 2, pollMs: 20 },
    }),
  },
});
after(async () => {
  // The service queries the chain until it stops.
  await service.stop();
  await Promise.all([...proxies, ...nodes].map((each) => each.stop()));
});
const client = serverClient(service);
const address = await createAddress(service, 'Solana', accountParameters.solana);
const owner = new PublicKey(address);
chain.send([
  SystemProgram.transfer({
    fromPubkey: chain.payer.publicKey,
    toPubkey: owner,
    lamports: 10_000_000_000,
  }),
]);
chain.produce();
chain.finalize();

const caip2 = chain.caip2 as 'solana:mainnet';
const lamports = 2_000_000;

async function send() {
  const toPubkey = Keypair.generate().publicKey;
  const pays = SystemProgram.transfer({ fromPubkey: owner, toPubkey, lamports });
  const unsigned = transactionOf(owner, [pays], chain.recentBlockhash());
  const sent = await client.solSendTransaction({
    unsignedTransaction: hexOf(unsigned),
    signWiths: [address],
    caip2,
  });
  const sendTransactionStatusId = sent.sendTransactionStatusId;
  return {
    status: async () =>
      (await client.getSendTransactionStatus({ sendTransactionStatusId })).txStatus,
    landed: () => (chain.accountAt(toPubkey)?.lamports() ?? 0n) === BigInt(lamports),
  };
}

/** Answers each query of a send with the opposite. */
const lie: Worsening = (method, result) => {
  const context = { slot: 1_000_000 };
  switch (method) {
    case 'isBlockhashValid':
      return { context, value: false };
    case 'getBlockHeight':
      return 1;
    case 'simulateTransaction':
      return { context, value: { err: 'AccountNotFound', logs: [], unitsConsumed: 0 } };
    case 'getEpochInfo':
      return { absoluteSlot: 1_000_000, blockHeight: 1_000_000, epoch: 0, slotIndex: 0 };
    case 'getSignatureStatuses': {
      const finalized = { slot: 3, err: null, confirmationStatus: 'finalized' };
      const { value } = result as { value: readonly unknown[] };
      return { context, value: value.map((each) => (each === null ? finalized : null)) };
    }
    default:
      return result;
  }
};

/** Waits until the service queried all answering nodes several times. */
async function someLooks(): Promise<void> {
  const counts = () => proxies.map(({ requests }) => requests());
  const before = counts();
  await until('the nodes got further requests', () =>
    counts().some((count, i) => count > (before[i] ?? 0) + 12),
  );
}

for (const [i, proxy] of proxies.entries()) {
  test(`lies of node ${i + 1} of three cause no event and no refusal`, async () => {
    proxy.is(lie);
    const sent = await send();
    await until('it is under way', async () => (await sent.status()) === 'BROADCASTING');
    await someLooks();
    assert.equal(await sent.status(), 'BROADCASTING');
    chain.produce();
    await until('it is included', async () => (await sent.status()) === 'INCLUDED');
    assert.ok(sent.landed());
    chain.finalize();
    await someLooks();
    assert.equal(await sent.status(), 'INCLUDED');
    proxy.is(undefined);
  });
}

test('one of three nodes that lags or is down delays nothing; two such nodes cause no event', async () => {
  const [first, second] = proxies;
  assert(first !== undefined && second !== undefined);
  nodes[2]?.has({ lateAfter: chain.finalSlot() });
  const late = await send();
  await until('it is under way', async () => (await late.status()) === 'BROADCASTING');
  chain.produce();
  await until('it is included', async () => (await late.status()) === 'INCLUDED');
  nodes[2]?.has(undefined);
  first.is('gone');
  const sent = await send();
  await until('it is under way', async () => (await sent.status()) === 'BROADCASTING');
  second.is('gone');
  await assert.rejects(send(), /node/);
  chain.produce();
  await someLooks();
  assert.equal(await sent.status(), 'BROADCASTING');
  first.is(undefined);
  second.is(undefined);
  await until('it is included', async () => (await sent.status()) === 'INCLUDED');
  assert.ok(sent.landed() && late.landed());
});
