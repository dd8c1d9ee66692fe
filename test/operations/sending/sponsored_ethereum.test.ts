// Calls of Ethereum accounts in transactions that the parent pays for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import { recoverAuthorizationAddress } from 'viem/utils';
import { type Sender, startTestService, testKey } from '../../support/harness.ts';
import { testStation } from '../../support/outside.ts';
import { assertRefused, assertViolation } from '../checks.ts';
import { assertFrozen, lift, makeFreeze } from '../freezes/freeze_requests.ts';
import { addChild, addPlainUser } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import {
  configureGasUsage,
  ethereumSponsorOf,
  makeEthereumSponsor,
  rootVote,
  usageOf,
} from './gas_usage_requests.ts';
import {
  describedSend,
  makeSender,
  recipient,
  sendChain,
  sendType,
  tell,
  unsettled,
} from './send_requests.ts';
import { signedOf, signerOf } from './station_calls.ts';

const operation = 'eth_send_transaction';
const other = `0x${'34'.repeat(20)}`;
const delegated = `0xef0100${testStation.delegate.slice(2)}`;
/** Starts a parent with a sponsor, and a child with an account. */
async function started(changes: object = {}) {
  const service = await startTestService();
  const sponsor = await makeEthereumSponsor(service, changes);
  const child = await addChild(service);
  const from = await makeSender(service, child);
  const send = (parameters: object = {}, as: Sender = child, sender = from) =>
    service.submit(
      operation,
      sendType,
      describedSend(sender, { sponsor: true, ...parameters }),
      as,
    );
  return { service, sponsor, child, from, send };
}

test('the sponsor pays, and the sender signs the call and the delegation', async (t) => {
  const { service, sponsor, child, from, send } = await started();
  t.after(() => service.close());
  const { status, body } = await send();
  assert.equal(status, 200, JSON.stringify(body));
  const [signed, ...others] = await signedOf(service);
  assert(signed !== undefined && others.length === 0);
  assert.deepEqual(
    [signed.type, signed.from, signed.to?.toLowerCase(), signed.value, signed.nonce],
    [4, sponsor, testStation.address, 0n, 0],
  );
  const { signer, nonce, deadline, functionName, args } = await signerOf(signed);
  assert.deepEqual([signer, nonce, functionName], [from, 0n, 'execute']);
  assert.equal(deadline, Math.floor(service.now() / 1000) + 3600);
  assert.deepEqual(args.slice(0, 3), [from, recipient, 1n]);
  const [authorization] = signed.authorizationList ?? [];
  assert(authorization !== undefined);
  const { address, chainId, signature } = authorization;
  const { r, s, yParity } = signature;
  const authority = await recoverAuthorizationAddress({
    authorization: { address: address as Hex, chainId: Number(chainId), nonce: 0 },
    signature: { r: r as Hex, s: s as Hex, yParity },
  });
  assert.deepEqual([authority, address.toLowerCase(), chainId], [from, testStation.delegate, 1n]);
  const fee = signed.gasLimit * (signed.maxFeePerGas ?? 0n) * 2000n;
  const usage = await usageOf(service);
  assert.equal(usage.usageUsd, String(Number(fee / 10n ** 9n) / 1e9));
  assert.equal((await usageOf(service, child)).usageUsd, usage.usageUsd);
});

test('the sub-organization reads the status, and only the parent can abandon', async (t) => {
  const { service, child, send } = await started();
  t.after(() => service.close());
  const { body } = await send();
  const id = body.activity.result.ethSendTransactionResultV2.sendTransactionStatusId;
  await tell(service, id, { isTaken: true });
  const status = (as: Sender = {}) =>
    service.query('get_send_transaction_status', { sendTransactionStatusId: id }, as);
  assert.equal((await status(child)).body.txStatus, 'BROADCASTING');
  assert.equal((await status()).body.txStatus, 'BROADCASTING');
  const type = 'ACTIVITY_TYPE_ABANDON_TRANSACTION';
  const abandon = (as: Sender = {}) =>
    service.submit('abandon_transaction', type, { sendTransactionStatusId: id }, as);
  assertRefused(await abandon(child), 404, 5);
  assert.equal((await abandon()).status, 200);
});

test('several calls are signed at once, and the next calls take the next nonces', async (t) => {
  const { service, from, send } = await started();
  t.after(() => service.close());
  const calls = [
    { to: recipient, value: '1' },
    { to: other, data: '0xa9059cbb' },
  ];
  assert.equal((await send({ calls })).status, 200);
  assert.equal((await send({ gasStationNonce: '1' })).status, 200);
  assertViolation(await send({ gasStationNonce: '1' }), 'parameters.gasStationNonce');
  const [first, second] = await signedOf(service);
  assert(first !== undefined && second !== undefined);
  const batch = await signerOf(first);
  assert.deepEqual([batch.signer, batch.nonce, batch.functionName], [from, 0n, 'executeBatch']);
  const next = await signerOf(second);
  assert.deepEqual([next.signer, next.nonce, second.nonce], [from, 1n, 1]);
  // The first transaction delivers the authorization.
  assert.deepEqual([first.type, second.type], [4, 2]);
});

test('a nonce of the sender is free again after a revert', async (t) => {
  const { service, from, send } = await started();
  t.after(() => service.close());
  service.outside.stationStates.set(from.toLowerCase(), {
    senderCode: delegated,
    stationNonce: 5n,
  });
  const { body } = await send();
  const id = body.activity.result.ethSendTransactionResultV2.sendTransactionStatusId;
  const block = { number: 10, hash: `0x${'0b'.repeat(32)}`, error: 'execution reverted' };
  await tell(service, id, { inclusion: block, newest: 10 });
  assert.equal((await send({ gasStationNonce: '5' })).status, 200);
});

test('policies of the sender see each call without fees, policies of the sponsor see fees', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const sponsor = await makeSender(service, {}, 'Sponsor');
  await configureGasUsage(service, { sponsors: [ethereumSponsorOf(sponsor)] });
  const as = await addPlainUser(service);
  const from = await makeSender(service);
  const calls = [
    { to: recipient, value: '1' },
    { to: other, value: '2' },
  ];
  const send = () =>
    service.submit(operation, sendType, describedSend(from, { sponsor: true, calls }), as);
  const policy = (name: string, rules: readonly string[]) =>
    makePolicy(service, name, { condition: rules.join(' && '), consensus: undefined });
  await policy('One call', [`eth.tx.to == '${recipient}'`]);
  assertRefused(await send(), 403, 7);
  const free = 'eth.tx.max_fee_per_gas == 0';
  const delegates = `eth.tx.authorization_list.all(a, a.address == '${testStation.delegate}')`;
  const own = `wallet_account.address == '${from}'`;
  await policy('Sender', [own, free, 'eth.tx.value <= 2', `eth.tx.from == '${from}'`, delegates]);
  // A policy for signatures does not let a sponsor pay.
  assertRefused(await send(), 403, 7);
  const subject = "activity.resource == 'SPONSORSHIP' && activity.action == 'SIGN'";
  const pays = `wallet_account.address == '${sponsor}'`;
  await policy('First', [subject, pays, `eth.tx.to == '${recipient}'`]);
  assertRefused(await send(), 403, 7);
  await policy('Sponsor', [
    subject,
    pays,
    `eth.tx.from == '${from}'`,
    'eth.tx.max_fee_per_gas > 0',
    'eth.tx.gas > 60000',
    'eth.tx.value <= 2',
  ]);
  const { status, body } = await send();
  assert.equal(status, 200, JSON.stringify(body));
  const condition = `eth.tx.to == '${other}'`;
  await makePolicy(service, 'No', { effect: 'EFFECT_DENY', condition, consensus: undefined });
  assertRefused(await send(), 403, 7);
  assert.equal((await signedOf(service)).length, 1);
});

test('the service sets all fields that decide if a transaction of the sponsor lands', async (t) => {
  const { service, sponsor, from, send } = await started();
  t.after(() => service.close());
  for (const name of ['nonce', 'maxFeePerGas', 'maxPriorityFeePerGas']) {
    assertViolation(await send({ [name]: '1' }), `parameters.${name}`);
  }
  assertViolation(await send({ gasLimit: '30000' }), 'parameters.gasLimit');
  const seconds = Math.floor(service.now() / 1000);
  for (const deadline of [seconds, seconds + 86_401]) {
    assertViolation(await send({ deadline: String(deadline) }), 'parameters.deadline');
  }
  const calls = Array.from({ length: 21 }, () => ({ to: recipient, value: '1' }));
  assertViolation(await send({ calls }), 'parameters.calls');
  assertViolation(await send({}, {}, sponsor), 'parameters.from');
  assert.equal((await send({ deadline: String(seconds + 60), gasLimit: '200000' })).status, 200);
  const [signed] = await signedOf(service);
  assert(signed !== undefined);
  assert.equal(signed.gasLimit, 200_000n);
  assert.equal((await signerOf(signed)).deadline, seconds + 60);
  assert.equal(signed.from, sponsor);
  assert.notEqual(from, sponsor);
});

test('only code that the operator and the parent named is delegated to', async (t) => {
  const { service, sponsor, from, send } = await started();
  t.after(() => service.close());
  const state = (changes: object) => service.outside.stationStates.set(from.toLowerCase(), changes);
  for (const changed of [{ stationCode: '0x00' }, { delegateCode: '0x' }]) {
    state(changed);
    const refused = await send();
    assertRefused(refused, 400, 9);
    assert.match(refused.body.message, /does not have the code that the operator configured/);
  }
  state({ senderCode: `0xef0100${'77'.repeat(20)}` });
  assertViolation(await send(), 'parameters.from');
  state({});
  service.outside.reverts.set(other, 'no');
  assertRefused(await send({ calls: [{ to: recipient }, { to: other }] }), 400, 3);
  await configureGasUsage(service, { enabled: false, sponsors: [ethereumSponsorOf(sponsor)] });
  assertRefused(await send(), 400, 9);
  assert.deepEqual(await signedOf(service), []);
});

test('an account with an unsettled transaction is delegated later', async (t) => {
  const { service, from, child, send } = await started();
  t.after(() => service.close());
  const own = describedSend(from, { maxFeePerGas: '10', maxPriorityFeePerGas: '1' });
  assert.equal((await service.submit(operation, sendType, own, child)).status, 200);
  assertViolation(await send(), 'parameters.from');
  service.outside.stationStates.set(from.toLowerCase(), { senderCode: delegated });
  assert.equal((await send()).status, 200);
  assert.equal(
    (await service.query('get_nonces', { address: from, caip2: sendChain }, child)).status,
    200,
  );
});

test('fees count for user, organization and all, and concurrent requests exceed no limit', async (t) => {
  const { service, child, send } = await started();
  t.after(() => service.close());
  assert.equal((await send()).status, 200);
  const { usageUsd } = await usageOf(service);
  const once = Number(usageUsd);
  const limited = (limits: object) =>
    configureGasUsage(service, { subOrgWindowLimitUsd: '10', ...limits });
  await limited({ userWindowLimitUsd: (once * 1.5).toFixed(9) });
  const refused = await send();
  assertRefused(refused, 429, 8);
  assert.match(refused.body.message, /sponsored fees of the user would exceed/);
  await limited({ orgWindowLimitUsd: (once * 3.5).toFixed(9) });
  const some = Array.from({ length: 6 }, (_, i) => ({ to: recipient, value: String(i + 1) }));
  const answers = await Promise.all(some.map((call) => send({ calls: [call] })));
  const signed = await signedOf(service);
  const done = answers.filter(({ status }) => status === 200).length;
  assert.equal(signed.length, 1 + done);
  assert(done >= 2 && done < 6, String(done));
  assert.deepEqual(
    signed.map(({ nonce }) => nonce).toSorted(),
    signed.map((_, i) => i),
  );
  const total = signed.reduce((sum, each) => sum + each.gasLimit * (each.maxFeePerGas ?? 0n), 0n);
  const { usageUsd: all, windowLimitUsd } = await usageOf(service);
  assert.equal(Number(all), Number((total * 2000n) / 10n ** 9n) / 1e9);
  assert(Number(all) <= Number(windowLimitUsd));
  assert.equal((await usageOf(service, child)).usageUsd, all);
});

test('approvers read every call and the sponsor; a vote checks the sponsor again', async (t) => {
  const { service, sponsor } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  const from = await makeSender(service);
  await makePolicy(service, 'Two', { condition: `wallet_account.address == '${from}'` });
  const calls = [
    { to: recipient, value: '1' },
    { to: other, value: '2' },
  ];
  const wait = async () => {
    const parameters = describedSend(from, { sponsor: true, calls });
    const { body } = await service.submit(operation, sendType, parameters, as);
    assert.equal(body.activity?.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', JSON.stringify(body));
    return body.activity;
  };
  const waiting = await wait();
  const { body } = await service.query('get_activity', { activityId: waiting.id });
  const { fee, effects } = body.activity.explanation ?? body.explanation;
  assert.equal(fee.payer, sponsor);
  assert.match(fee.text, new RegExp(`${sponsor} is the sponsor of organization `));
  const paid = effects.filter(({ kind }: { kind: string }) => kind === 'TRANSFER');
  assert.deepEqual(
    paid.map(({ to, amount }: { to: string; amount: string }) => [to.toLowerCase(), amount]),
    calls.map(({ to, value }) => [to, value]),
  );
  assert.equal(await rootVote(service, waiting.fingerprint), 'ACTIVITY_STATUS_COMPLETED');
  const late = await wait();
  await configureGasUsage(service, { enabled: false });
  assert.match(await rootVote(service, late.fingerprint), /FAILED|sponsors no transactions/);
  assert.equal((await signedOf(service)).length, 1);
});

test('a delegation that became necessary while an activity waits is decided anew', async (t) => {
  const { service } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  const approver = await addPlainUser(service, testKey('approver'), 'Approver');
  const from = await makeSender(service);
  const condition = 'eth.tx.authorization_list.count() == 0';
  await makePolicy(service, 'Two, no delegation', { condition });
  service.outside.stationStates.set(from.toLowerCase(), { senderCode: delegated });
  const deadline = String(Math.floor(service.now() / 1000) + 600);
  const parameters = describedSend(from, { sponsor: true, deadline });
  const { body } = await service.submit(operation, sendType, parameters, as);
  assert.equal(body.activity?.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', JSON.stringify(body));
  service.outside.stationStates.delete(from.toLowerCase());
  const { fingerprint } = body.activity;
  const type = 'ACTIVITY_TYPE_APPROVE_ACTIVITY';
  assertRefused(await service.submit('approve_activity', type, { fingerprint }, approver), 403, 7);
  assert.deepEqual(await signedOf(service), []);
});

test('freezes of the sender and of the sponsor stop transactions, also unsettled ones', async (t) => {
  const { service, child, send } = await started();
  t.after(() => service.close());
  assert.equal((await send()).status, 200);
  const isHeld = async () => (await unsettled(service))[0]?.isFrozen;
  assert.equal(await isHeld(), false);
  const { body: found } = await service.query('list_wallets', {});
  const [{ walletId }] = found.wallets;
  for (const [type, resourceId] of [
    ['WALLET', walletId],
    ['ORGANIZATION', undefined],
    ['SUB_ORGANIZATION', child.organizationId],
  ] as const) {
    const freezeId = await makeFreeze(service, type, resourceId);
    assertFrozen(await send({ gasStationNonce: '1' }), /wallet|organization/);
    assert.equal(await isHeld(), true, type);
    await lift(service, freezeId);
    assert.equal(await isHeld(), false);
  }
});

test('one sub-organization takes at most half of the places that others leave at the sponsor', async (t) => {
  const { service, child, from, send } = await started({
    orgWindowLimitUsd: '100000',
    subOrgWindowLimitUsd: '100000',
  });
  t.after(() => service.close());
  const statusOf = async (as: Sender, sender: string) => {
    service.advance(1);
    return (await send({}, as, sender)).status;
  };
  const sendAll = async (as: Sender, sender: string) => {
    let count = 0;
    while ((await statusOf(as, sender)) === 200) count += 1;
    return count;
  };
  assert.equal(await sendAll(child, from), 32);
  const neighbour = await addChild(service);
  assert.equal(await sendAll(neighbour, await makeSender(service, neighbour)), 16);
  // The limit does not apply to the sponsor itself.
  assert.equal(await statusOf({}, await makeSender(service, {}, 'Own')), 200);
});

test('one sub-organization leaves room for long transactions of others', async (t) => {
  const { service, send } = await started({
    orgWindowLimitUsd: '100000',
    subOrgWindowLimitUsd: '100000',
  });
  t.after(() => service.close());
  const data = `0x${'00'.repeat(60_000)}`;
  let sent = 0;
  for (;;) {
    service.advance(1);
    const answer = await send({ calls: [{ to: recipient, value: '0', data }] });
    if (answer.status !== 200) break;
    sent += 1;
  }
  // Half of 1 MiB.
  assert.equal(sent, 8);
  const neighbour = await addChild(service);
  const sender = await makeSender(service, neighbour);
  const calls = [{ to: recipient, value: '0', data }];
  assert.equal((await send({ calls }, neighbour, sender)).status, 200);
});
