import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Transaction, verifyAuthorization, ZeroAddress } from 'ethers';
import { startTestService, testKey } from '../../support/harness.ts';
import { assertRefused, assertViolation, checkActivity } from '../checks.ts';
import { addPlainUser } from '../other_callers.ts';
import {
  describedSend,
  makeSender,
  sendChain,
  sendType,
  startSend,
  unsettled,
} from './send_requests.ts';

const operation = 'eth_undelegate_7702';
const type = 'ACTIVITY_TYPE_ETH_UNDELEGATE_7702';

async function started() {
  const service = await startTestService();
  const from = await makeSender(service);
  return { service, from, parameters: { from, caip2: sendChain } };
}

test('eth_undelegate_7702: sends a transaction to oneself with an authorization of no code', async (t) => {
  const { service, from, parameters } = await started();
  t.after(() => service.close());
  const result = await checkActivity(service, {
    operation,
    type,
    intent: 'ethUndelegate7702Intent',
    result: 'ethUndelegate7702Result',
    parameters,
    malformed: [
      { field: 'parameters.caip2', parameters: { ...parameters, caip2: 'eip155:5' } },
      { field: 'parameters.nonce', parameters: { ...parameters, nonce: 'first' } },
      { field: 'parameters.gasLimit', parameters: { ...parameters, gasLimit: '-1' } },
      { field: 'parameters.gasLimit', parameters: { ...parameters, gasLimit: '45999' } },
    ],
  });
  const [send] = await unsettled(service);
  assert.equal(send?.sendId, result.sendTransactionStatusId);
  const signed = Transaction.from(send?.signedTransaction ?? '');
  assert.deepEqual(
    [signed.type, signed.chainId, signed.nonce, signed.from, signed.to, signed.value, signed.data],
    [4, 1n, 0, from, from, 0n, '0x'],
  );
  // The gas of a transfer and one authorization.
  assert.equal(signed.gasLimit, 46_000n);
  const [authorization, ...others] = signed.authorizationList ?? [];
  assert(authorization !== undefined && others.length === 0);
  const { address, nonce, chainId, signature } = authorization;
  assert.deepEqual([address, nonce, chainId], [ZeroAddress, 1n, 1n]);
  assert.equal(verifyAuthorization({ address, nonce, chainId }, signature), from);
});

test('eth_undelegate_7702: takes the other spelling, and fields that the request names', async (t) => {
  const { service, parameters } = await started();
  t.after(() => service.close());
  const terms = { gasLimit: '60000', maxFeePerGas: '0x10', maxPriorityFeePerGas: '3', nonce: '7' };
  const other = 'ACTIVITY_TYPE_ETH_UNDELEGATE7702';
  const { status, body } = await service.submit(operation, other, { ...parameters, ...terms });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(Object.keys(body.activity.result), ['ethUndelegate7702Result']);
  const [send] = await unsettled(service);
  const signed = Transaction.from(send?.signedTransaction ?? '');
  assert.deepEqual(
    [signed.nonce, signed.gasLimit, signed.maxFeePerGas, signed.maxPriorityFeePerGas],
    [7, 60_000n, 16n, 3n],
  );
  assert.equal(signed.authorizationList?.[0]?.nonce, 8n);
});

test('eth_undelegate_7702: refuses numbers that do not fit into a transaction', async (t) => {
  const { service, parameters } = await started();
  t.after(() => service.close());
  const most = String(2n ** 256n - 1n);
  const tooLong = /expected an integer of at most 8 bytes/;
  const terms = [
    // The authorization would need the next nonce.
    [{ nonce: String(2n ** 64n - 1n) }, tooLong],
    [{ nonce: String(2n ** 64n) }, tooLong],
    [{ nonce: most }, tooLong],
    [{ gasLimit: most, maxFeePerGas: most }, /expected 16777216 gas or less/],
    [{ gasLimit: String(2n ** 24n + 1n) }, /expected 16777216 gas or less/],
  ] as const;
  for (const [each, reason] of terms) {
    const answer = await service.submit(operation, type, { ...parameters, ...each });
    assertRefused(answer, 400, 3);
    assert.match(answer.body.message, reason);
  }
  assert.deepEqual(await unsettled(service), []);
});

test('eth_undelegate_7702: policies read the signed transaction, under one kind for both spellings', async (t) => {
  const { service, from, parameters } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  const submit = (spelled = type) => service.submit(operation, spelled, parameters, as);
  const condition = [
    "activity.kind == 'ETH_UNDELEGATE_7702' && activity.resource == 'PRIVATE_KEY'",
    "eth.tx.type == 'TYPE_4' && eth.tx.value == 0 && eth.tx.authorization_list.count() == 1",
    `eth.tx.authorization_list.all(a, a.authority == '${from}' && a.address == '${ZeroAddress}' && a.nonce > eth.tx.nonce)`,
    `eth.tx.to == '${from}' && wallet_account.address == '${from}'`,
  ].join(' && ');
  assertRefused(await submit(), 403, 7);
  const { status } = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Undelegate',
    effect: 'EFFECT_ALLOW',
    condition,
    notes: '',
  });
  assert.equal(status, 200);
  for (const spelled of [type, 'ACTIVITY_TYPE_ETH_UNDELEGATE7702']) {
    const { body } = await submit(spelled);
    assert.equal(body.activity?.status, 'ACTIVITY_STATUS_COMPLETED', JSON.stringify(body));
  }
  assert.deepEqual((await unsettled(service)).map(({ nonce }) => nonce).sort(), ['0', '2']);
});

test('eth_undelegate_7702: a vote decides on the transaction that it signs', async (t) => {
  const { service, from, parameters } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  const other = await addPlainUser(service, testKey('second plain user'));
  const created = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two',
    effect: 'EFFECT_ALLOW',
    consensus: 'approvers.count() >= 2',
    condition: 'eth.tx.nonce == 0',
    notes: '',
  });
  assert.equal(created.status, 200);
  const { body } = await service.submit(operation, type, parameters, as);
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  await startSend(service, from);
  const { fingerprint } = body.activity;
  const approve = ['approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY'] as const;
  const { status } = await service.submit(...approve, { fingerprint }, other);
  assert.equal(status, 403);
  assert.deepEqual(
    (await unsettled(service)).map(({ nonce }) => nonce),
    ['0'],
  );
});

test('eth_undelegate_7702: a dry run names the account that loses its code', async (t) => {
  const { service, from, parameters } = await started();
  t.after(() => service.close());
  const dry = { key: testKey('root'), dryRun: true };
  const { body } = await service.submit(operation, type, parameters, dry);
  const told = JSON.stringify(body.dryRun.explanation);
  assert.match(told, new RegExp(`Takes away the code that acts for ${from}`));
  assert.deepEqual(await unsettled(service), []);
});

test('eth_undelegate_7702: its authorization uses the nonce after its own', async (t) => {
  const { service, from, parameters } = await started();
  t.after(() => service.close());
  await startSend(service, from, {}, { nonce: '1' });
  const { status } = await service.submit(operation, type, parameters);
  assert.equal(status, 200);
  for (let i = 0; i < 2; i += 1) await startSend(service, from);
  const nonces = (await unsettled(service)).map(({ nonce }) => nonce);
  assert.deepEqual(nonces.toSorted(), ['0', '1', '2', '4']);
});

test('eth_undelegate_7702: replaces an unsettled transaction for a tenth more', async (t) => {
  const { service, from, parameters } = await started();
  t.after(() => service.close());
  await startSend(service, from);
  const refused = await service.submit(operation, type, { ...parameters, nonce: '0' });
  assertViolation(refused, 'parameters.maxFeePerGas');
  const fees = { maxFeePerGas: '2310000000', maxPriorityFeePerGas: '110000000' };
  const { status } = await service.submit(operation, type, { ...parameters, ...fees, nonce: '0' });
  assert.equal(status, 200);
});

test('eth_undelegate_7702: its authorization uses a second nonce, which must be free', async (t) => {
  const { service, from, parameters } = await started();
  t.after(() => service.close());
  const send = (nonce: string) =>
    service.submit('eth_send_transaction', sendType, describedSend(from, { nonce }));
  const undelegate = (nonce: string) => service.submit(operation, type, { ...parameters, nonce });
  assert.equal((await undelegate('0')).status, 200);
  assertViolation(await send('1'), 'parameters.nonce');
  assert.equal((await send('2')).status, 200);
  // Its authorization would use nonce 2, which is taken.
  assertViolation(await undelegate('1'), 'parameters.nonce');
  await startSend(service, from);
  const nonces = (await unsettled(service)).map(({ nonce }) => nonce);
  assert.deepEqual(nonces.sort(), ['0', '2', '3']);
});
