// Balances over the real service and a Solana chain on loopback with real programs: incoming and outgoing
// coins and tokens, a dropped fork, a stopped service, and a faulty node.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  AddressLookupTableAccount,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { TurnkeySigner } from '@turnkey/solana';
import { accountParameters, asDeclared, createAddress, serverClient } from './clients.ts';
import { startService, temporaryDirectory, until } from './service.ts';
import { createSolanaChain } from './solana_chain.ts';
import { startSolanaNode } from './solana_node.ts';
import {
  mintTo,
  newMint,
  newTokenAccount,
  token,
  token2022,
  transferTokens,
} from './solana_tokens.ts';
import { startReceiver } from './webhook_receiver.ts';

const chain = createSolanaChain();
const node = await startSolanaNode(chain);
after(() => node.stop());
const receiver = await startReceiver();
after(() => receiver.close());

const payer = chain.payer.publicKey;
const [mint, mint2022] = [Keypair.generate(), Keypair.generate()];
chain.send(newMint(token, payer, mint), mint);
chain.send(newMint(token2022, payer, mint2022), mint2022);
chain.produce();
chain.finalize();

const listed = { name: 'Test', decimals: 6 };
const start = {
  dataDirectory: temporaryDirectory(),
  environment: {
    KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
    KEYWRIGHT_CHAINS: JSON.stringify({
      [chain.caip2]: {
        rpcUrl: node.url,
        confirmations: 2,
        pollMs: 20,
        tokens: [
          { ...listed, symbol: 'OLD', address: mint.publicKey.toBase58() },
          { ...listed, symbol: 'NEW', address: mint2022.publicKey.toBase58() },
        ],
      },
    }),
  },
};
let service = await startService(start);
after(() => service.stop());
const client = serverClient(service);
const address = await createAddress(service, 'Solana', accountParameters.solana);
const watched = new PublicKey(address);
await client.createWebhookEndpoint({
  url: receiver.url,
  name: 'Balances',
  subscriptions: [
    { eventType: 'BALANCE_CONFIRMED_UPDATES' },
    { eventType: 'BALANCE_FINALIZED_UPDATES' },
  ],
});

const bodies = () => receiver.received.map(({ body }) => JSON.parse(body.toString()));
const reported = () =>
  bodies().map(({ type, msg }) => {
    const { operation, asset } = msg;
    return `${type.slice('balances:'.length)} ${operation} ${asset.amount} ${asset.symbol}`;
  });
/** Requires that exactly these events have arrived since, in any order. */
async function toldSince(before: number, expected: readonly string[]) {
  await receiver.atLeast(before + expected.length);
  assert.deepEqual(reported().slice(before).sort(), [...expected].sort());
}
/** Both events of each transfer. */
const both = (...moves: readonly string[]) =>
  moves.flatMap((move) => [`confirmed ${move}`, `finalized ${move}`]);
const payWatched = (lamports: number) =>
  SystemProgram.transfer({ fromPubkey: payer, toPubkey: watched, lamports });
/** Ends the current block, and makes it final. */
function settle() {
  for (let i = 0; i < 3; i += 1) chain.produce();
  chain.finalize();
}
/** Sends from the watched account, which pays the fee. */
async function sendFromWatched(...instructions: readonly TransactionInstruction[]) {
  const { organizationId } = service.credentials;
  const transaction = new Transaction({
    feePayer: watched,
    recentBlockhash: chain.recentBlockhash(),
  }).add(...instructions);
  const signer = new TurnkeySigner({ organizationId, client: asDeclared(serverClient(service)) });
  await signer.addSignature(transaction, address);
  return chain.execute(transaction);
}

/** The client's type has no private chains. */
const caip2 = chain.caip2 as 'eip155:1';
async function nodeIsAskedAgain(times: number) {
  const requestsBefore = node.requests();
  await until('the node gets further requests', () => node.requests() >= requestsBefore + times);
}

test('incoming SOL is reported with its block, and again when the node reports it as final', async () => {
  const txHash = chain.send([payWatched(2 * LAMPORTS_PER_SOL)]);
  const block = chain.produce(3);
  for (let i = 0; i < 4; i += 1) chain.produce();
  const [first] = await receiver.atLeast(1);
  assert(first !== undefined);
  const { organizationId } = service.credentials;
  const body = JSON.parse(first.body.toString());
  assert.match(body.msg.idempotencyKey, /^[0-9a-f]{64}:balances:confirmed$/);
  const expected = {
    type: 'balances:confirmed',
    organizationId,
    parentOrganizationId: organizationId,
    msg: {
      operation: 'deposit',
      caip2: chain.caip2,
      txHash,
      address,
      idempotencyKey: body.msg.idempotencyKey,
      asset: {
        symbol: 'SOL',
        name: 'Solana',
        decimals: 9,
        caip19: `${chain.caip2}/slip44:501`,
        amount: '2000000000',
      },
      block: {
        number: block.slot,
        hash: block.hash,
        timestamp: new Date(block.timeSeconds * 1000).toISOString(),
      },
    },
  };
  assert.deepEqual(body, expected);
  // Four blocks followed, which are enough, but the node does not report it as final yet.
  await nodeIsAskedAgain(20);
  assert.equal(receiver.received.length, 1);
  chain.finalize();
  await receiver.atLeast(2);
  assert.deepEqual(bodies()[1].msg.block, expected.msg.block);
  assert.equal(bodies()[1].type, 'balances:finalized');
});

test('outgoing SOL and tokens are reported without the fee, and failures are not reported', async () => {
  const before = receiver.received.length;
  const [own, own2022, others] = [Keypair.generate(), Keypair.generate(), Keypair.generate()];
  const key = mint.publicKey;
  chain.send(newTokenAccount(token, payer, own, { mint: key, owner: watched }), own);
  chain.send(newTokenAccount(token, payer, others, { mint: key, owner: payer }), others);
  const of2022 = { mint: mint2022.publicKey, owner: watched };
  chain.send(newTokenAccount(token2022, payer, own2022, of2022), own2022);
  chain.send([mintTo(token, key, own.publicKey, payer, 700n)]);
  chain.send([mintTo(token2022, of2022.mint, own2022.publicKey, payer, 9n)]);
  chain.produce();
  await sendFromWatched(
    SystemProgram.transfer({ fromPubkey: watched, toPubkey: payer, lamports: 250 }),
  );
  await sendFromWatched(transferTokens(token, own.publicKey, others.publicKey, watched, 300n));
  // The amount exceeds the balance, so only the fee is paid.
  await sendFromWatched(transferTokens(token, own.publicKey, others.publicKey, watched, 9_999n));
  settle();
  await toldSince(
    before,
    both('deposit 700 OLD', 'deposit 9 NEW', 'withdraw 250 SOL', 'withdraw 300 OLD'),
  );
  const { balances } = await client.getWalletAddressBalances({ address, caip2 });
  const lamports = 2_000_000_000 - 250 - 3 * 5000;
  assert.deepEqual(
    balances?.map(({ symbol, balance }) => `${balance} ${symbol}`),
    [`${lamports} SOL`, '400 OLD', '9 NEW'],
  );
  assert.equal(balances?.[0]?.display?.crypto, '1.99998475');
});

test('an account in a lookup table of a versioned transaction is reported', async () => {
  const before = receiver.received.length;
  const key = chain.putLookupTable([watched]);
  const state = AddressLookupTableAccount.deserialize(
    Uint8Array.from(chain.accountAt(key)?.data() ?? []),
  );
  const transaction = new VersionedTransaction(
    new TransactionMessage({
      payerKey: payer,
      recentBlockhash: chain.recentBlockhash(),
      instructions: [payWatched(11)],
    }).compileToV0Message([new AddressLookupTableAccount({ key, state })]),
  );
  assert.equal(transaction.message.addressTableLookups.length, 1);
  transaction.sign([chain.payer]);
  chain.execute(transaction);
  settle();
  await toldSince(before, both('deposit 11 SOL'));
});

test('a dropped fork never becomes final', async () => {
  const before = receiver.received.length;
  chain.send([payWatched(41)]);
  const lost = chain.produce();
  await toldSince(before, ['confirmed deposit 41 SOL']);
  chain.drop(1);
  chain.send([payWatched(43)]);
  chain.produce(2);
  settle();
  await toldSince(before, ['confirmed deposit 41 SOL', ...both('deposit 43 SOL')]);
  const final = bodies().filter(({ type }) => type === 'balances:finalized');
  assert(final.every(({ msg }) => msg.block.hash !== lost.hash));
});

test('a node that lags or lies causes no events until it recovers', async () => {
  for (const [i, trouble] of (['late', 'lying'] as const).entries()) {
    const before = receiver.received.length;
    const newest = chain.blocks().at(-1)?.slot ?? 0;
    node.has(trouble === 'late' ? { lateAfter: newest } : trouble);
    chain.send([payWatched(101 + i)]);
    settle();
    await nodeIsAskedAgain(10);
    assert.equal(receiver.received.length, before);
    node.has(undefined);
    await toldSince(before, both(`deposit ${101 + i} SOL`));
  }
});

test('a node that returns with another chain causes no events', async () => {
  const before = receiver.received.length;
  node.has('gone');
  chain.send([payWatched(201)]);
  settle();
  for (const trouble of ['gone', 'foreign'] as const) {
    node.has(trouble);
    await nodeIsAskedAgain(1);
    await assert.rejects(
      client.getWalletAddressBalances({ address, caip2 }),
      /the node of chain `solana:.*` is not available/,
    );
  }
  assert.equal(receiver.received.length, before);
  node.has(undefined);
  await toldSince(before, both('deposit 201 SOL'));
});

test('transfers during downtime of the service are reported, each once', async () => {
  const before = receiver.received.length;
  chain.send([payWatched(76)]);
  chain.produce();
  await receiver.atLeast(before + 1);
  await service.kill();
  chain.send([payWatched(77)]);
  settle();
  service = await startService(start);
  const missing = () =>
    ['76', '77'].filter((sum) => !reported().includes(`finalized deposit ${sum} SOL`));
  await until('all of it is final', () => missing().length === 0);
  const ids = receiver.received.map(({ headers }) => headers['x-service-event-id']);
  const keys = bodies().map(({ msg }) => msg.idempotencyKey);
  // A delivery that was interrupted may be repeated with the same event.
  assert.equal(new Set(keys).size, new Set(ids).size);
  assert.deepEqual(
    [...new Set(reported().slice(before))].sort(),
    both('deposit 76 SOL', 'deposit 77 SOL').sort(),
  );
  assert.equal(service.output().stderr.includes('failed'), false);
});
