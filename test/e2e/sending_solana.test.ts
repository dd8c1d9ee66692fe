// Solana transactions sent over the real service and a real virtual machine, by unmodified clients.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { base58 } from '@scure/base';
import {
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  address as kitAddress,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { TurnkeySigner } from '@turnkey/solana';
import {
  accountParameters,
  asDeclared,
  coreClient,
  coreWallets,
  createAddress,
  httpClient,
  serverClient,
  stamper,
  timestampMs,
} from './clients.ts';
import { startService, temporaryDirectory, until } from './service.ts';
import { createSolanaChain } from './solana_chain.ts';
import { startSolanaNode } from './solana_node.ts';
import { startReceiver } from './webhook_receiver.ts';

const chain = createSolanaChain();
chain.finalize();
const node = await startSolanaNode(chain);
const receiver = await startReceiver();
const start = {
  dataDirectory: temporaryDirectory(),
  environment: {
    KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
    KEYWRIGHT_CHAINS: JSON.stringify({
      [chain.caip2]: { rpcUrl: node.url, confirmations: 2, pollMs: 20 },
    }),
  },
};
let service = await startService(start);
after(async () => {
  // The service queries the chain until it stops.
  await service.stop();
  receiver.close();
  await node.stop();
});
let client = serverClient(service);
const address = await createAddress(service, 'Solana', accountParameters.solana);
const owner = new PublicKey(address);
await client.createWebhookEndpoint({
  url: receiver.url,
  name: 'Sends',
  subscriptions: [{ eventType: 'SEND_TRANSACTION_STATUS_UPDATES' }],
});
const paysFrom = (fromPubkey: PublicKey, toPubkey: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey, toPubkey, lamports });
chain.send([paysFrom(chain.payer.publicKey, owner, 10_000_000_000)]);
chain.produce();
chain.finalize();

/** The client's type has no private chains. */
const caip2 = chain.caip2 as 'solana:mainnet';
const newPayee = () => Keypair.generate().publicKey;

function transactionOf(
  instructions: readonly TransactionInstruction[],
  { payerKey = owner, recentBlockhash = chain.recentBlockhash() } = {},
) {
  const message = new TransactionMessage({
    payerKey,
    recentBlockhash,
    instructions: [...instructions],
  });
  return new VersionedTransaction(message.compileToV0Message());
}

async function send(transaction: VersionedTransaction, signWiths = [address]) {
  const unsignedTransaction = Buffer.from(transaction.serialize()).toString('hex');
  const sent = await client.solSendTransaction({ unsignedTransaction, signWiths, caip2 });
  return sent.sendTransactionStatusId;
}
const pay = (to: PublicKey, lamports: number) =>
  send(transactionOf([paysFrom(owner, to, lamports)]));
const statusOf = (sendTransactionStatusId: string) =>
  client.getSendTransactionStatus({ sendTransactionStatusId });
const comesTo = (id: string, status: string) =>
  until(`the transaction is ${status}`, async () => (await statusOf(id)).txStatus === status);
const balanceOf = (key: PublicKey) => chain.accountAt(key)?.lamports() ?? 0n;
const reported = (id: string) =>
  receiver.received
    .map(({ body }) => JSON.parse(body.toString()))
    .filter(({ msg }) => msg.sendTransactionStatusId === id);
async function nodeIsAskedAgain(times: number) {
  const requestsBefore = node.requests();
  await until('the node gets requests', () => node.requests() >= requestsBefore + times);
}

test('a transaction is sent, included and reported with its signature on the chain', async () => {
  const payee = newPayee();
  const id = await pay(payee, 5_000_000);
  await comesTo(id, 'BROADCASTING');
  const { landed } = chain.produce();
  const polled = await client.pollTransactionStatus({ sendTransactionStatusId: id });
  assert.equal(polled.txStatus, 'INCLUDED');
  const signature = polled.solana?.signature ?? '';
  assert.deepEqual(
    landed.map((each) => each.signature),
    [signature],
  );
  assert.equal(balanceOf(payee), 5_000_000n);
  chain.finalize();
  await until('both events have arrived', () => reported(id).length === 2);
  const [broadcasting, included] = reported(id);
  const { organizationId } = service.credentials;
  assert.equal(broadcasting.msg.status, 'BROADCASTING');
  assert.equal(broadcasting.msg.txHash, undefined);
  const { activityId, idempotencyKey, timestamp } = included.msg;
  assert.deepEqual(included, {
    type: 'transaction:status',
    organizationId,
    parentOrganizationId: organizationId,
    msg: {
      sendTransactionStatusId: id,
      activityId,
      status: 'INCLUDED',
      caip2,
      idempotencyKey,
      timestamp,
      txHash: signature,
    },
  });
  const { activity } = await client.getActivity({ activityId });
  assert.equal(activity.result.solSendTransactionResultV2?.sendTransactionStatusId, id);
});

test('@turnkey/core sends by both types, and signs and sends in one call', async () => {
  const http = await coreClient(service);
  const { organizationId } = service.credentials;
  const core = await coreWallets(http, organizationId);
  const payee = newPayee();
  const unsigned = (lamports: number) =>
    Buffer.from(transactionOf([paysFrom(owner, payee, lamports)]).serialize()).toString('hex');
  const ids = [
    await core.solSendTransaction({
      transaction: { unsignedTransaction: unsigned(4_000_001), signWiths: [address], caip2 },
    }),
    await core.solSendTransaction({
      transaction: { unsignedTransaction: unsigned(4_000_002), signWith: address, caip2 },
    }),
  ];
  for (const id of ids) await comesTo(id, 'BROADCASTING');
  const signature = await core.signAndSendTransaction({
    walletAccount: { address, source: 'embedded' },
    unsignedTransaction: unsigned(4_000_003),
    transactionType: 'TRANSACTION_TYPE_SOLANA',
    rpcUrl: node.url,
  });
  const { landed } = chain.produce();
  assert.ok(landed.some((each) => each.signature === signature));
  for (const sendTransactionStatusId of ids) {
    await comesTo(sendTransactionStatusId, 'INCLUDED');
    const { txStatus, solana } = await http.getSendTransactionStatus({
      organizationId,
      sendTransactionStatusId,
    });
    assert.equal(txStatus, 'INCLUDED');
    assert.ok(landed.some((each) => each.signature === solana.signature));
  }
  assert.equal(balanceOf(payee), 12_000_006n);
  chain.finalize();
});

test('the service sends a transaction of @turnkey/solana with another payer', async () => {
  const second = await createAddress(service, 'Signs first', accountParameters.solana);
  const from = new PublicKey(second);
  chain.send([paysFrom(chain.payer.publicKey, from, 10_000_000)]);
  chain.produce();
  const payee = newPayee();
  const transaction = transactionOf([paysFrom(from, payee, 3_000_000)]);
  const { organizationId } = service.credentials;
  const signer = new TurnkeySigner({ organizationId, client: asDeclared(httpClient(service)) });
  await signer.addSignature(transaction, second);
  const id = await send(transaction);
  await comesTo(id, 'BROADCASTING');
  chain.produce();
  await comesTo(id, 'INCLUDED');
  assert.equal(balanceOf(payee), 3_000_000n);
  chain.finalize();
});

test('several accounts and an external payer sign one transaction', async () => {
  const payee = newPayee();
  const other = await createAddress(service, 'Second', accountParameters.solana);
  const second = new PublicKey(other);
  chain.send([paysFrom(chain.payer.publicKey, second, 1_000_000_000)]);
  chain.produce();
  const transaction = transactionOf(
    [paysFrom(owner, payee, 2_000_000), paysFrom(second, payee, 3_000_000)],
    { payerKey: chain.payer.publicKey },
  );
  await assert.rejects(send(transaction, [address, other]), /expected a valid signature of/);
  transaction.sign([chain.payer]);
  const id = await send(transaction, [other, address]);
  await comesTo(id, 'BROADCASTING');
  chain.produce();
  await comesTo(id, 'INCLUDED');
  assert.equal(balanceOf(payee), 5_000_000n);
});

test('a transaction that would fail is refused with the reason, and one that fails later is included with an error', async () => {
  await assert.rejects(
    pay(newPayee(), 100_000_000_000),
    /it would fail: instruction 0 failed: \{Custom:1\}/,
  );
  const payees = [newPayee(), newPayee()];
  const most = Number((balanceOf(owner) * 6n) / 10n);
  const ids: string[] = [];
  for (const payee of payees) ids.push(await pay(payee, most));
  for (const id of ids) await comesTo(id, 'BROADCASTING');
  chain.produce();
  for (const id of ids) await comesTo(id, 'INCLUDED');
  const balances = payees.map(balanceOf);
  assert.deepEqual(balances.toSorted(), [0n, BigInt(most)]);
  const failed = ids[balances.indexOf(0n)] ?? '';
  const { error, txError } = await statusOf(failed);
  assert.equal(txError, 'instruction 0 failed: {Custom:1}');
  assert.equal(error?.message, txError);
  assert.equal(error?.eth, undefined);
  assert.equal(error?.solana?.transactionErrorJson, '{"InstructionError":[0,{"Custom":1}]}');
  assert.match(error?.solana?.logs?.join('\n') ?? '', /insufficient lamports/);
  assert.equal(error?.solana?.unitsConsumed, '150');
  await until('the event of the failure arrives', () => reported(failed).length === 2);
  assert.deepEqual(reported(failed)[1].msg.error, error);
  chain.send([paysFrom(chain.payer.publicKey, owner, 10_000_000_000)]);
  chain.produce();
  chain.finalize();
});

test('a transaction of a lost block is sent again, and is included once', async () => {
  const payee = newPayee();
  const id = await pay(payee, 7_000_000);
  await comesTo(id, 'BROADCASTING');
  chain.produce();
  await comesTo(id, 'INCLUDED');
  const { solana } = await statusOf(id);
  chain.drop(1);
  chain.emptyPool();
  await until('the node has it again', () => chain.waiting() === 1);
  assert.equal((await statusOf(id)).txStatus, 'INCLUDED', 'a node that is behind tells nothing');
  assert.equal(balanceOf(payee), 0n);
  chain.produce(2);
  chain.finalize();
  await nodeIsAskedAgain(5);
  assert.deepEqual(await statusOf(id), { txStatus: 'INCLUDED', solana });
  assert.equal(balanceOf(payee), 7_000_000n);
});

test('a transaction of a dropped fork is in progress again, and fails finally', async () => {
  const payee = newPayee();
  const id = await pay(payee, 7_000_000);
  await comesTo(id, 'BROADCASTING');
  chain.produce();
  await comesTo(id, 'INCLUDED');
  // The other fork continues without it until its blockhash expires.
  chain.drop(1);
  chain.emptyPool();
  chain.produce(2);
  await comesTo(id, 'BROADCASTING');
  chain.produce(400, 400);
  await nodeIsAskedAgain(10);
  assert.equal((await statusOf(id)).txStatus, 'BROADCASTING', 'that is not final yet');
  chain.finalize();
  await comesTo(id, 'FAILED');
  assert.equal(balanceOf(payee), 0n);
});

test('a service that is killed before the broadcast sends the same bytes after its restart', async () => {
  const payee = newPayee();
  node.swallow('sendTransaction');
  const id = await pay(payee, 9_000_000);
  const { txStatus, solana } = await statusOf(id);
  assert.equal(txStatus, 'INITIALIZED');
  await service.kill();
  node.swallow();
  service = await startService(start);
  client = serverClient(service);
  await comesTo(id, 'BROADCASTING');
  // The second kill comes between the broadcast and the confirmation.
  await service.kill();
  chain.produce();
  service = await startService(start);
  client = serverClient(service);
  await comesTo(id, 'INCLUDED');
  assert.deepEqual((await statusOf(id)).solana, solana);
  assert.equal(balanceOf(payee), 9_000_000n);
  chain.finalize();
});

test('it fails only when its blockhash expired at a final block, and a node searched all blocks', async () => {
  node.swallow('sendTransaction');
  const id = await pay(newPayee(), 1_000_000);
  chain.produce();
  chain.produce(299, 299);
  chain.finalize();
  node.swallow();
  await nodeIsAskedAgain(20);
  assert.notEqual((await statusOf(id)).txStatus, 'FAILED');
  node.has('forgetful');
  chain.produce(10, 10);
  chain.finalize();
  await nodeIsAskedAgain(20);
  assert.notEqual((await statusOf(id)).txStatus, 'FAILED', 'what it forgot may be in its blocks');
  node.has(undefined);
  await comesTo(id, 'FAILED');
  const { txError, error } = await statusOf(id);
  assert.match(txError ?? '', /^its blockhash is too old for blocks above height/);
  assert.deepEqual(error, { message: txError });
  await until(
    'the event of the failure arrives',
    () => reported(id).at(-1)?.msg.status === 'FAILED',
  );
});

test('a transaction that was included during downtime is found after its blockhash expired', async () => {
  const payee = newPayee();
  const id = await pay(payee, 3_000_000);
  await comesTo(id, 'BROADCASTING');
  await service.kill();
  chain.produce();
  chain.produce(1_000, 1_000);
  chain.finalize();
  node.has('forgetful');
  service = await startService(start);
  client = serverClient(service);
  await nodeIsAskedAgain(20);
  assert.equal((await statusOf(id)).txStatus, 'BROADCASTING');
  node.has(undefined);
  await comesTo(id, 'INCLUDED');
  assert.equal(balanceOf(payee), 3_000_000n);
});

test('a durable nonce keeps a transaction valid until the nonce advances', async () => {
  const nonce = Keypair.generate();
  const noncePubkey = nonce.publicKey;
  const account = { fromPubkey: chain.payer.publicKey, noncePubkey, authorizedPubkey: owner };
  chain.send(
    SystemProgram.createNonceAccount({ ...account, lamports: 2_000_000 }).instructions,
    nonce,
  );
  chain.produce();
  chain.finalize();
  const held = () =>
    new PublicKey(chain.accountAt(noncePubkey)?.data().subarray(40, 72) ?? []).toBase58();
  const advance = SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey: owner });
  const durable = (to: PublicKey, lamports: number) =>
    send(transactionOf([advance, paysFrom(owner, to, lamports)], { recentBlockhash: held() }));
  const [first, second] = [newPayee(), newPayee()];
  node.swallow('sendTransaction');
  const late = await durable(first, 4_000_000);
  for (let i = 0; i < 3; i += 1) chain.produce(500, 500);
  chain.finalize();
  // Both have the same nonce, so one of them is included.
  const other = await durable(second, 6_000_000);
  await nodeIsAskedAgain(20);
  node.swallow();
  await comesTo(late, 'BROADCASTING');
  await comesTo(other, 'BROADCASTING');
  chain.produce();
  chain.produce();
  chain.finalize();
  const ends = await Promise.all(
    [late, other].map(async (id) => {
      await until('it is decided', async () =>
        /INCLUDED|FAILED/.test((await statusOf(id)).txStatus),
      );
      return await statusOf(id);
    }),
  );
  assert.deepEqual(ends.map(({ txStatus }) => txStatus).toSorted(), ['FAILED', 'INCLUDED']);
  const failed = ends.find(({ txStatus }) => txStatus === 'FAILED');
  assert.match(failed?.txError ?? '', /has another nonce by now$/);
  const sums = [balanceOf(first), balanceOf(second)];
  assert.deepEqual(
    sums,
    ends.map(({ txStatus }, i) => (txStatus === 'INCLUDED' ? BigInt([4e6, 6e6][i] ?? 0) : 0n)),
  );
});

test('an included transaction does not fail when the payer signs the same message again', async () => {
  const payee = newPayee();
  const transaction = transactionOf([paysFrom(owner, payee, 2_500_000)], {
    payerKey: chain.payer.publicKey,
  });
  transaction.sign([chain.payer]);
  const id = await send(transaction);
  await until('the node has it', () => chain.waiting() === 1);
  const [bytes] = chain.emptyPool();
  assert(bytes !== undefined);
  // The payer's signature has another random number.
  const other = VersionedTransaction.deserialize(bytes);
  other.signatures[0] = signedAnew(chain.payer, other.message.serialize());
  chain.accept(other.serialize());
  chain.produce();
  assert.equal(balanceOf(payee), 2_500_000n);
  chain.produce(400, 400);
  chain.finalize();
  await comesTo(id, 'INCLUDED');
  const signature = base58.encode(other.signatures[0] ?? new Uint8Array());
  assert.deepEqual((await statusOf(id)).solana, { signature });
});

/** Returns a valid Ed25519 signature with another random number than RFC 8032 prescribes. */
function signedAnew({ secretKey, publicKey }: Keypair, message: Uint8Array): Uint8Array {
  const { Point, utils } = ed25519;
  const { scalar } = utils.getExtendedPublicKey(secretKey.subarray(0, 32));
  const order = Point.Fn.ORDER;
  const nonce = 123_456_789n;
  const first = Point.BASE.multiply(nonce).toBytes();
  const hashed = sha512(Buffer.concat([first, publicKey.toBytes(), message]));
  const challenge = BigInt(`0x${Buffer.from(hashed.toReversed()).toString('hex')}`) % order;
  const last = (nonce + challenge * scalar) % order;
  const second = Buffer.from(last.toString(16).padStart(64, '0'), 'hex').reverse();
  return Uint8Array.from(Buffer.concat([first, second]));
}

test('a version 1 transaction of kit is sent', async () => {
  const payee = newPayee();
  const { data } = paysFrom(owner, payee, 5_000_000);
  const message = pipe(
    createTransactionMessage({ version: 1 }),
    (empty) => setTransactionMessageFeePayer(kitAddress(address), empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: chain.recentBlockhash() as Blockhash, lastValidBlockHeight: 1000n },
        paid,
      ),
    (lasting) =>
      setTransactionMessageConfig(
        { computeUnitLimit: 5000, loadedAccountsDataSizeLimit: 65_536 },
        lasting,
      ),
    (configured) =>
      appendTransactionMessageInstruction(
        {
          programAddress: kitAddress(SystemProgram.programId.toBase58()),
          accounts: [
            { address: kitAddress(address), role: 3 },
            { address: kitAddress(payee.toBase58()), role: 1 },
          ],
          data: Uint8Array.from(data),
        },
        configured,
      ),
  );
  const unsigned = Buffer.from(getTransactionEncoder().encode(compileTransaction(message)));
  assert.equal(unsigned[0], 0x81);
  const sent = await client.solSendTransaction({
    unsignedTransaction: unsigned.toString('hex'),
    signWiths: [address],
    caip2,
  });
  await comesTo(sent.sendTransactionStatusId, 'BROADCASTING');
  chain.produce();
  await comesTo(sent.sendTransactionStatusId, 'INCLUDED');
  assert.equal(balanceOf(payee), 5_000_000n);
});

test('the older type with base64, a repeated body and a repeated transaction take effect once', async () => {
  const payee = newPayee();
  const bytes = Buffer.from(transactionOf([paysFrom(owner, payee, 8_000_000)]).serialize());
  const { organizationId } = service.credentials;
  const body = {
    type: 'ACTIVITY_TYPE_SOL_SEND_TRANSACTION' as const,
    organizationId,
    timestampMs: timestampMs(),
    parameters: { unsignedTransaction: bytes.toString('base64'), signWith: address, caip2 },
  };
  // The client's types have only the newer one.
  const sendOlder = async (changes: object) => {
    const { activity } = await httpClient(service).solSendTransaction({
      ...body,
      ...changes,
    } as never);
    assert(activity.result.solSendTransactionResult !== undefined);
    return activity.result.solSendTransactionResult.sendTransactionStatusId;
  };
  const [id, again] = [await sendOlder({}), await sendOlder({})];
  assert.equal(again, id);
  const other = await sendOlder({ timestampMs: String(Number(body.timestampMs) + 1) });
  assert.notEqual(other, id);
  await comesTo(id, 'BROADCASTING');
  await comesTo(other, 'BROADCASTING');
  chain.produce();
  for (const each of [id, other]) await comesTo(each, 'INCLUDED');
  assert.equal(balanceOf(payee), 8_000_000n);
  assert.deepEqual((await statusOf(id)).solana, (await statusOf(other)).solana);
});

/** Configures a sponsor without a limit, and returns its key. */
async function makeSponsor(): Promise<PublicKey> {
  const sponsor = await createAddress(service, 'Sponsor', accountParameters.solana);
  const parameters = {
    orgWindowLimitUsd: '1',
    subOrgWindowLimitUsd: '1',
    windowDurationMinutes: '1440',
    sponsors: [{ caip2: chain.caip2, address: sponsor, usdPerCoin: '100' }],
  };
  const body = JSON.stringify({
    type: 'ACTIVITY_TYPE_UPSERT_GAS_USAGE_CONFIG',
    timestampMs: timestampMs(),
    organizationId: service.credentials.organizationId,
    parameters,
  });
  const stamp = await stamper(service.credentials).stamp(body);
  const answer = await fetch(`${service.baseUrl}/public/v1/submit/upsert_gas_usage_config`, {
    method: 'POST',
    headers: { [stamp.stampHeaderName]: stamp.stampHeaderValue },
    body,
  });
  assert.equal(answer.status, 200, await answer.text());
  await client.createPolicy({
    policyName: 'Sponsor',
    effect: 'EFFECT_ALLOW',
    condition: `activity.resource == 'SPONSORSHIP' && wallet_account.address == '${sponsor}'`,
    notes: '',
  });
  const key = new PublicKey(sponsor);
  chain.send([paysFrom(chain.payer.publicKey, key, 1_000_000_000)]);
  chain.produce();
  chain.finalize();
  return key;
}

test('a sponsor pays exactly the fee that its limit counts, and once despite a restart', async () => {
  const sponsor = await makeSponsor();
  const payee = newPayee();
  const [ownBefore, sponsorBefore] = [balanceOf(owner), balanceOf(sponsor)];
  const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 50_000 });
  const units = ComputeBudgetProgram.setComputeUnitLimit({ units: 40_000 });
  const transaction = transactionOf([units, price, paysFrom(owner, payee, 7_000_000)]);
  const unsignedTransaction = Buffer.from(transaction.serialize()).toString('hex');
  const sponsored = { unsignedTransaction, signWiths: [address], caip2, sponsor: true };
  const { sendTransactionStatusId: id } = await client.solSendTransaction(sponsored);
  await comesTo(id, 'BROADCASTING');
  await service.kill();
  service = await startService(start);
  client = serverClient(service);
  const { landed } = chain.produce();
  await comesTo(id, 'INCLUDED');
  assert.equal(landed.length, 1);
  const sent = VersionedTransaction.deserialize(landed[0]?.bytes ?? new Uint8Array());
  assert.deepEqual(sent.message.staticAccountKeys.slice(0, 2), [sponsor, owner]);
  assert.equal(balanceOf(payee), 7_000_000n);
  assert.equal(balanceOf(owner), ownBefore - 7_000_000n);
  const paid = sponsorBefore - balanceOf(sponsor);
  assert.equal(paid, 12_000n);
  const usage = await client.getGasUsage({});
  assert.equal(usage.usageUsd, '0.0012', 'at 100 dollars for a coin');
  assert.equal(usage.windowLimitUsd, '1');
  const drained = transactionOf([paysFrom(sponsor, payee, 1)]);
  const drain = Buffer.from(drained.serialize()).toString('hex');
  await assert.rejects(
    client.solSendTransaction({ ...sponsored, unsignedTransaction: drain }),
    /expected no use of the account of the sponsor/,
  );
});

test('parameters that the service does not support are refused before it signs', async () => {
  const unsignedTransaction = Buffer.from(
    transactionOf([paysFrom(owner, newPayee(), 1_000_000)]).serialize(),
  ).toString('hex');
  const refused = [
    [{ sponsor: true, recentBlockhash: 'x' }, /expected 32 bytes in base58/],
    [{ recentBlockhash: newPayee().toBase58() }, /expected that of the transaction/],
    [{ caip2: 'solana:mainnet' as const }, /expected one of `solana:/],
    [{ unsignedTransaction: 'AQ==' }, /failed to parse transaction/],
  ] as const;
  for (const [changes, sentence] of refused) {
    const parameters = { unsignedTransaction, signWiths: [address], caip2, ...changes };
    await assert.rejects(client.solSendTransaction(parameters), sentence);
  }
  chain.produce();
  const old = { unsignedTransaction, signWiths: [address], caip2 };
  await assert.rejects(client.solSendTransaction(old), /expected a recent blockhash/);
});
