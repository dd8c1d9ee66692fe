import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PublicKey, SystemProgram } from '@solana/web3.js';
import { Transaction } from 'ethers';
import { activityBody, startServiceOver } from '../../enclave/service_over.ts';
import { type Sender, startTestService, type TestService } from '../../support/harness.ts';
import { assertRefused, assertViolation, checkActivity } from '../checks.ts';
import { addPlainUser } from '../other_callers.ts';
import {
  describedSend,
  foreignTransaction,
  makeSender,
  sendChain,
  sendType,
  startSend,
  tell,
  unsettled,
} from './send_requests.ts';
import {
  blockhash,
  describedSolanaSend,
  hexOf,
  makeSolanaAccounts,
  pays,
  startSolanaSend,
  tellOfSolana,
  transactionOf,
  unsettledOfSolana,
} from './solana_requests.ts';

const operation = 'abandon_transaction';
const type = 'ACTIVITY_TYPE_ABANDON_TRANSACTION';
const field = 'parameters.sendTransactionStatusId';
const inBlock = { inclusion: { number: 5, hash: `0x${'ab'.repeat(32)}` }, newest: 6 };

async function started(t: { after: (done: () => Promise<void>) => void }) {
  const service = await startTestService();
  t.after(() => service.close());
  return { service, from: await makeSender(service) };
}

const asked = (service: TestService, sendTransactionStatusId: string, as: Sender = {}) =>
  service.submit(operation, type, { sendTransactionStatusId }, as);

async function abandon(service: TestService, id: string, as: Sender = {}): Promise<void> {
  service.advance(1);
  const { status, body } = await asked(service, id, as);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
}

async function statusOf(service: TestService, sendTransactionStatusId: string) {
  const { body } = await service.query('get_send_transaction_status', { sendTransactionStatusId });
  return body;
}

const noncesOf = async (service: TestService) =>
  (await unsettled(service)).map(({ nonce }) => Number(nonce)).sort((a, b) => a - b);

test('abandon_transaction: gives up a transaction of the service that is in no block', async (t) => {
  const { service, from } = await started(t);
  const id = await startSend(service, from);
  const result = await checkActivity(service, {
    operation,
    type,
    intent: 'abandonTransactionIntent',
    result: 'abandonTransactionResult',
    parameters: { sendTransactionStatusId: id },
    malformed: [{ field, parameters: { sendTransactionStatusId: 'nothing' } }],
  });
  assert.equal(result.sendTransactionStatusId, id);
  const { organizationId } = service.root;
  assertRefused(await asked(service, organizationId), 404, 5);
});

test('abandon_transaction: sets it aside once no node has it in a block, and until then reserves its nonce', async (t) => {
  const { service, from } = await started(t);
  const first = await startSend(service, from);
  await tell(service, first, { isTaken: true });
  await abandon(service, first);
  assert.deepEqual(await noncesOf(service), [0]);
  await startSend(service, from);
  assert.deepEqual(await noncesOf(service), [0, 1]);
  await tell(service, first, { usedAtFinal: '0' });
  const { txStatus, txError } = await statusOf(service, first);
  assert.equal(txStatus, 'BROADCASTING');
  assert.match(txError, /abandoned: it is no longer sent, and may still land/);
  assert.deepEqual(await noncesOf(service), [1]);
  // The abandoned transaction used no nonce, so the next one takes it and only one of them lands.
  const next = await startSend(service, from);
  assert.deepEqual(await noncesOf(service), [0, 1]);
  assertViolation(await asked(service, first), field);
  await tell(service, next, { usedAtFinal: '1' });
  assert.equal((await statusOf(service, next)).txStatus, 'FAILED');
});

test('abandon_transaction: a transaction that landed meanwhile is included, and its nonce is used', async (t) => {
  const { service, from } = await started(t);
  const id = await startSend(service, from);
  await abandon(service, id);
  await tell(service, id, inBlock);
  const included = await statusOf(service, id);
  assert.deepEqual([included.txStatus, included.txError], ['INCLUDED', undefined]);
  assertViolation(await asked(service, id), field);
  // A reorganization removes the block, so the transaction counts as abandoned again.
  await tell(service, id, { newest: 6 });
  assert.equal((await statusOf(service, id)).txStatus, 'BROADCASTING');
  await tell(service, id, inBlock);
  await tell(service, id, { ...inBlock, newest: 9, usedAtFinal: '1' });
  assert.deepEqual(await unsettled(service), []);
  assert.equal((await statusOf(service, id)).txStatus, 'INCLUDED');
  await startSend(service, from);
  assert.deepEqual(await noncesOf(service), [1]);
});

test('abandon_transaction: a transaction fails, and is not set aside, if another used its nonce', async (t) => {
  const { service, from } = await started(t);
  const id = await startSend(service, from);
  await abandon(service, id);
  await tell(service, id, { usedAtFinal: '1' });
  assert.equal((await statusOf(service, id)).txStatus, 'FAILED');
});

test('abandon_transaction: an address full of transactions that never land can send again', async (t) => {
  const { service, from } = await started(t);
  const ids: string[] = [];
  for (let i = 0; i < 64; i += 1) {
    service.advance(1);
    ids.push(await startSend(service, from));
  }
  const full = await service.submit('eth_send_transaction', sendType, describedSend(from));
  assertRefused(full, 429, 8);
  const [first = '', second = ''] = ids;
  for (const id of [first, second]) {
    await abandon(service, id);
    await tell(service, id, { usedAtFinal: '0' });
  }
  const calls = [{ to: from, value: '0' }];
  await startSend(service, from, {}, { nonce: '1', calls });
  service.advance(1);
  await startSend(service, from);
  assert.deepEqual(
    await noncesOf(service),
    Array.from({ length: 64 }, (_, i) => i),
  );
});

test('abandon_transaction: a transaction signed elsewhere does not wait for a week', async (t) => {
  const { service } = await started(t);
  const raw = { signedTransaction: foreignTransaction(), caip2: sendChain };
  const rawType = 'ACTIVITY_TYPE_ETH_SEND_RAW_TRANSACTION';
  const { body } = await service.submit('eth_send_raw_transaction', rawType, raw);
  const { sendTransactionStatusId: id } = body.activity.result.ethSendRawTransactionResult;
  await abandon(service, id);
  await tell(service, id, { usedAtFinal: '0' });
  assert.deepEqual(await unsettled(service), []);
});

test('abandon_transaction: policies for signing or sending do not allow it', async (t) => {
  const { service, from } = await started(t);
  const as = await addPlainUser(service);
  const allow = async (condition: string) => {
    const policy = { policyName: condition, effect: 'EFFECT_ALLOW', condition, notes: '' };
    const { status } = await service.submit(
      'create_policy',
      'ACTIVITY_TYPE_CREATE_POLICY_V3',
      policy,
    );
    assert.equal(status, 200);
  };
  const id = await startSend(service, from);
  await allow("activity.action == 'SIGN'");
  await allow("activity.resource == 'TRANSACTION' && activity.action == 'CREATE'");
  assertRefused(await asked(service, id, as), 403, 7);
  await allow("activity.kind == 'ABANDON_TRANSACTION'");
  await abandon(service, id, as);
});

test('abandon_transaction: a durable nonce of Solana frees its place, too', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const addresses = await makeSolanaAccounts(service);
  const own = new PublicKey(addresses[0] ?? '');
  const noncePubkey = new PublicKey(new Uint8Array(32).fill(3));
  service.outside.nonces.set(noncePubkey.toBase58(), blockhash);
  const advance = SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey: own });
  const unsignedTransaction = hexOf(transactionOf(own, [advance, pays(own)]));
  const durable = describedSolanaSend(addresses, { unsignedTransaction });
  const id = await startSolanaSend(service, durable);
  await tellOfSolana(service, id, { isTaken: true });
  await abandon(service, id);
  await tellOfSolana(service, id, {
    inclusion: { slot: 5, level: 'processed', failure: undefined },
  });
  assert.equal((await unsettledOfSolana(service)).length, 1);
  await tellOfSolana(service, id, {});
  assert.deepEqual(await unsettledOfSolana(service), []);
  const { txStatus, txError } = await statusOf(service, id);
  assert.equal(txStatus, 'BROADCASTING');
  assert.match(txError, /abandoned/);
});

test('abandon_transaction: a transaction on a removed chain is set aside at once', async (t) => {
  const { service, from } = await started(t);
  const id = await startSend(service, from);
  const { organizationId, key } = service.root;
  const { port: store } = service.store;
  const clock = () => service.now();
  const without = { store, clock, outside: service.outside, deployment: { chains: [] } };
  const over = await startServiceOver({ ...without, seed: 'without chains' });
  const body = activityBody(type, organizationId, { sendTransactionStatusId: id }, service.now());
  const answer = await over.send('submit', operation, body, key);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(await unsettled(service), []);
  assert.match((await statusOf(service, id)).txError, /may still land/);
});

test('abandon_transaction: a check that overlaps with it changes nothing twice', async (t) => {
  const { service, from } = await started(t);
  const id = await startSend(service, from);
  const [before] = await unsettled(service);
  assert.equal(before?.givenUp, undefined);
  await Promise.all([abandon(service, id), tell(service, id, { isTaken: true })]);
  await Promise.all([tell(service, id, {}), tell(service, id, {})]);
  const { txStatus, txError } = await statusOf(service, id);
  assert.equal(txStatus, 'BROADCASTING');
  assert.match(txError, /abandoned/);
  const next = await startSend(service, from);
  const [send, ...more] = await unsettled(service);
  assert.deepEqual([send?.sendId, send?.nonce, more.length], [next, '0', 0]);
  assert.equal(Transaction.from(send?.signedTransaction).nonce, 0);
});
