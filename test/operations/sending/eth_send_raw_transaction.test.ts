import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Transaction } from 'ethers';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import { assertRefused, assertViolation, checkActivity } from '../checks.ts';
import { addPlainUser } from '../other_callers.ts';
import {
  foreignTransaction,
  makeSender,
  recipient,
  sendChain,
  startSend,
  tell,
  unsettled,
} from './send_requests.ts';

const operation = 'eth_send_raw_transaction';
const type = 'ACTIVITY_TYPE_ETH_SEND_RAW_TRANSACTION';
const field = 'parameters.signedTransaction';
const described = (signedTransaction: string) => ({ signedTransaction, caip2: sendChain });

async function sendRaw(service: TestService, signedTransaction: string, as: object = {}) {
  const answer = await service.submit(operation, type, described(signedTransaction), as);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.activity.result.ethSendRawTransactionResult;
}

async function started(t: { after: (done: () => Promise<void>) => void }) {
  const service = await startTestService();
  t.after(async () => service.close());
  return service;
}

test('eth_send_raw_transaction: stores a transaction signed elsewhere for sending', async (t) => {
  const service = await started(t);
  const signed = foreignTransaction();
  const broken = (text: string) => ({ field, parameters: described(text) });
  const result = await checkActivity(service, {
    operation,
    type,
    intent: 'ethSendRawTransactionIntent',
    result: 'ethSendRawTransactionResult',
    parameters: described(signed),
    malformed: [
      { field: 'parameters.caip2', parameters: { ...described(signed), caip2: 'eip155:5' } },
      broken('nothing'),
      broken('0x'),
      broken(signed.slice(0, -2)),
      broken(`${signed}00`),
      broken(Transaction.from(signed).unsignedSerialized),
      broken(foreignTransaction({ chainId: 137 })),
      // Without a chain id a transaction is valid on every chain, so others could send it elsewhere.
      broken(foreignTransaction({ type: 0, chainId: 0 })),
    ],
  });
  const { hash, from } = Transaction.from(signed);
  const [send, ...more] = await unsettled(service);
  assert.equal(more.length, 0);
  assert.deepEqual(
    [send?.signedTransaction, send?.transactionHash, send?.address, send?.sendId],
    [signed, hash, from?.toLowerCase(), result.sendTransactionStatusId],
  );
  assert.equal(result.transactionHash, hash);
  const body = { sendTransactionStatusId: result.sendTransactionStatusId };
  const { body: status } = await service.query('get_send_transaction_status', body);
  assert.deepEqual(status, { txStatus: 'INITIALIZED', eth: { txHash: hash } });
});

test('eth_send_raw_transaction: the same bytes are sent once', async (t) => {
  const service = await started(t);
  const first = await sendRaw(service, foreignTransaction());
  service.advance(1);
  assert.deepEqual(await sendRaw(service, foreignTransaction().slice(2)), first);
  assert.equal((await unsettled(service)).length, 1);
  await tell(service, first.sendTransactionStatusId, { usedAtFinal: '1' });
  assert.deepEqual(await unsettled(service), []);
});

test('eth_send_raw_transaction: refuses a used nonce, and a replacement that pays too little', async (t) => {
  const service = await started(t);
  const refused = async (changes: object) => {
    const answer = await service.submit(operation, type, described(foreignTransaction(changes)));
    assertViolation(answer, field);
    return answer.body.details[0].fieldViolations[0].description;
  };
  await sendRaw(service, foreignTransaction());
  const least = 'a fee of 110 wei and a tip of 11 wei or more';
  for (const fees of [
    { maxFeePerGas: 109, maxPriorityFeePerGas: 11 },
    { maxFeePerGas: 110, maxPriorityFeePerGas: 10 },
    { type: 0, gasPrice: 109 },
  ]) {
    assert.match(await refused(fees), new RegExp(least));
  }
  await sendRaw(service, foreignTransaction({ maxFeePerGas: 110, maxPriorityFeePerGas: 11 }));
  // A replacement must exceed the highest fees so far.
  assert.match(await refused({ type: 0, gasPrice: 110 }), /a fee of 121 wei and a tip of 13 wei/);
  await sendRaw(service, foreignTransaction({ type: 0, gasPrice: 121 }));
  const { from } = Transaction.from(foreignTransaction());
  service.outside.amounts.set(`${sendChain}/${from?.toLowerCase()}`, new Map([['nonce', '7']]));
  assert.match(await refused({ nonce: 6 }), /expected nonce 7 or a higher one/);
});

test('eth_send_raw_transaction: a transaction signed elsewhere for an own address takes its nonce', async (t) => {
  const service = await started(t);
  const from = await makeSender(service);
  const unsigned = Transaction.from({
    type: 2,
    chainId: 1,
    nonce: 0,
    gasLimit: 21_000,
    to: recipient,
    value: 1,
    maxFeePerGas: 100,
    maxPriorityFeePerGas: 10,
  });
  const { body } = await service.submit('sign_transaction', 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
    signWith: from,
    type: 'TRANSACTION_TYPE_ETHEREUM',
    unsignedTransaction: unsigned.unsignedSerialized.slice(2),
  });
  await sendRaw(service, body.activity.result.signTransactionResult.signedTransaction);
  await startSend(service, from);
  assert.deepEqual((await unsettled(service)).map(({ nonce }) => nonce).sort(), ['0', '1']);
});

test('eth_send_raw_transaction: policies read the transaction, and name its kind', async (t) => {
  const service = await started(t);
  const as = await addPlainUser(service);
  const policy = async (condition: string, effect = 'EFFECT_ALLOW') => {
    const { status } = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: condition.slice(0, 40),
      effect,
      condition,
      notes: '',
    });
    assert.equal(status, 200);
  };
  const refused = async (text: string) =>
    assertRefused(await service.submit(operation, type, described(text), as), 403, 7);
  await policy("activity.resource == 'PRIVATE_KEY' && activity.action == 'SIGN'");
  await refused(foreignTransaction());
  const { from } = Transaction.from(foreignTransaction());
  await policy(
    `activity.kind == 'ETH_SEND_RAW_TRANSACTION' && activity.resource == 'TRANSACTION' && eth.tx.from == '${from}' && eth.tx.chain_id == 1`,
  );
  await sendRaw(service, foreignTransaction(), as);
  await policy('eth.tx.value > 1', 'EFFECT_DENY');
  await refused(foreignTransaction({ nonce: 1, value: 2 }));
  await sendRaw(service, foreignTransaction({ nonce: 1 }), as);
});

test('eth_send_raw_transaction: a dry run explains it and stores nothing', async (t) => {
  const service = await started(t);
  const dry = { key: testKey('root'), dryRun: true };
  const { body } = await service.submit(operation, type, described(foreignTransaction()), dry);
  assert.match(JSON.stringify(body.dryRun.explanation), /0x12121212/i);
  assert.deepEqual(await unsettled(service), []);
});

test('eth_send_raw_transaction: a transaction with too little gas for a block is refused', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const data = `0x${'ff'.repeat(100)}`;
  const listed = [{ address: recipient, storageKeys: [`0x${'00'.repeat(32)}`] }];
  const cases = [
    [{ data }, 25_000],
    [{ to: null, data: '0x00' }, 53_006],
    [{ type: 1, data, accessList: listed }, 26_900],
  ] as const;
  for (const [nonce, [changes, least]] of cases.entries()) {
    const of = (gasLimit: number) => foreignTransaction({ ...changes, nonce, gasLimit });
    const refused = await service.submit(operation, type, described(of(least - 1)));
    assertViolation(refused, 'parameters.signedTransaction');
    assert.match(JSON.stringify(refused.body), new RegExp(`expected ${least} gas or more`));
    await sendRaw(service, of(least));
  }
});

test('eth_send_raw_transaction: a transaction with more gas than a block allows is refused', async (t) => {
  const service = await started(t);
  const of = (gasLimit: number) => foreignTransaction({ gasLimit });
  const refused = await service.submit(operation, type, described(of(2 ** 24 + 1)));
  assertViolation(refused, field);
  assert.match(JSON.stringify(refused.body), /expected 16777216 gas or less/);
  await sendRaw(service, of(2 ** 24));
});

test('eth_send_raw_transaction: transactions of strangers leave room for those of the service', async (t) => {
  const service = await started(t);
  const from = await makeSender(service);
  const data = `0x${'ab'.repeat(120_000)}`;
  const long = (nonce: number) => foreignTransaction({ nonce, data, gasLimit: 5_000_000 });
  for (let nonce = 0; nonce < 6; nonce += 1) await sendRaw(service, long(nonce));
  const refused = await service.submit(operation, type, described(long(6)));
  assertRefused(refused, 429, 8);
  assert.match(
    refused.body.message,
    /too many or too large transactions that are not final \(750, 768 KiB\)/,
  );
  const calls = [{ to: recipient, data }];
  for (let i = 0; i < 2; i += 1) await startSend(service, from, {}, { calls });
  assert.equal((await unsettled(service)).length, 8);
});

const weekMs = 7 * 24 * 60 * 60 * 1000;

async function statusOf(service: TestService, sendTransactionStatusId: string) {
  const { body } = await service.query('get_send_transaction_status', { sendTransactionStatusId });
  return body;
}

test('eth_send_raw_transaction: a transaction in no block for a week is set aside, and may be sent again', async (t) => {
  const service = await started(t);
  const first = await sendRaw(service, foreignTransaction());
  const id = first.sendTransactionStatusId;
  const own = await startSend(service, await makeSender(service));
  service.advance(weekMs - 1_000);
  await tell(service, id, { usedAtFinal: '0', isTaken: true });
  assert.equal((await unsettled(service)).length, 2);
  service.advance(weekMs - 1_000);
  await tell(service, id, { usedAtFinal: '0', isTaken: true });
  assert.equal((await statusOf(service, id)).txError, undefined);
  service.advance(1_000);
  // A transaction in a block is not set aside, despite its age.
  await tell(service, id, { inclusion: { number: 5, hash: `0x${'ab'.repeat(32)}` }, newest: 6 });
  service.advance(weekMs);
  await tell(service, id, { newest: 6 });
  assert.equal((await statusOf(service, id)).txStatus, 'BROADCASTING');
  service.advance(weekMs);
  await tell(service, id, { usedAtFinal: '0' });
  const { txStatus, txError } = await statusOf(service, id);
  assert.equal(txStatus, 'BROADCASTING');
  assert.match(txError, /in no block for 7 days.*no longer sent.*may still land/);
  // The service sends its own transactions until they land or fail.
  await tell(service, own, { usedAtFinal: '0' });
  assert.deepEqual(
    (await unsettled(service)).map(({ sendId }) => sendId),
    [own],
  );
  const again = await sendRaw(service, foreignTransaction());
  assert.notEqual(again.sendTransactionStatusId, id);
  await tell(service, again.sendTransactionStatusId, { usedAtFinal: '1' });
  assert.equal((await statusOf(service, again.sendTransactionStatusId)).txStatus, 'FAILED');
});

test('eth_send_raw_transaction: a transaction that is set aside frees its nonce, which does not count as used', async (t) => {
  const service = await started(t);
  const from = await makeSender(service);
  const unsigned = Transaction.from({
    type: 2,
    chainId: 1,
    nonce: 0,
    gasLimit: 21_000,
    to: recipient,
    value: 1,
    maxFeePerGas: 100,
    maxPriorityFeePerGas: 10,
  });
  const { body } = await service.submit('sign_transaction', 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
    signWith: from,
    type: 'TRANSACTION_TYPE_ETHEREUM',
    unsignedTransaction: unsigned.unsignedSerialized.slice(2),
  });
  const signed = body.activity.result.signTransactionResult.signedTransaction;
  const { sendTransactionStatusId: id } = await sendRaw(service, signed);
  service.advance(weekMs);
  await tell(service, id, { usedAtFinal: '0' });
  const next = await startSend(service, from);
  assert.deepEqual(
    (await unsettled(service)).map(({ nonce }) => nonce),
    ['0'],
  );
  // The earlier transaction landed after all; only one of the two could.
  await tell(service, next, { usedAtFinal: '1' });
  assert.equal((await statusOf(service, next)).txStatus, 'FAILED');
});

test('eth_send_raw_transaction: transactions signed elsewhere leave places of their address', async (t) => {
  const service = await started(t);
  const from = await makeSender(service);
  const raw = async (nonce: number) => {
    const unsigned = Transaction.from({
      type: 2,
      chainId: 1,
      nonce,
      gasLimit: 21_000,
      to: recipient,
      value: 1,
      maxFeePerGas: 100,
      maxPriorityFeePerGas: 10,
    });
    const { body } = await service.submit('sign_transaction', 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith: from,
      type: 'TRANSACTION_TYPE_ETHEREUM',
      unsignedTransaction: unsigned.unsignedSerialized.slice(2),
    });
    const { signedTransaction } = body.activity.result.signTransactionResult;
    return await service.submit(operation, type, described(signedTransaction));
  };
  // None of them lands, since the earlier nonces are missing.
  for (let nonce = 100; nonce < 148; nonce += 1) assert.equal((await raw(nonce)).status, 200);
  const refused = await raw(148);
  assertRefused(refused, 429, 8);
  assert.match(refused.body.message, /already has 48 transactions/);
  await startSend(service, from);
});
