// Solana transactions whose fee the parent pays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64 } from '@scure/base';
import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  VersionedTransaction,
} from '@solana/web3.js';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { verifyEd25519 } from '../../../src/core/crypto/verify.ts';
import { type Sender, stampOf, startTestService, type TestService } from '../../support/harness.ts';
import { assertRefused, assertViolation } from '../checks.ts';
import { assertFrozen, lift, makeFreeze } from '../freezes/freeze_requests.ts';
import { addChild, addPlainUser } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import {
  configureGasUsage,
  makeSponsor,
  rootVote,
  sponsorOf,
  usageOf,
  usdOfTwoSignatures,
} from './gas_usage_requests.ts';
import {
  describedSolanaSend,
  hexOf,
  makeSolanaAccounts,
  payee,
  pays,
  solanaType,
  transactionOf,
  unsettledOfSolana,
} from './solana_requests.ts';

const operation = 'sol_send_transaction';
const newHash = new PublicKey(new Uint8Array(32).fill(11)).toBase58();

/** Starts a parent with a sponsor, and a child with an account. */
async function started(changes: object = {}) {
  const service = await startTestService();
  const sponsor = await makeSponsor(service, changes);
  const child = await addChild(service);
  const [address = ''] = await makeSolanaAccounts(service, { as: child });
  const own = new PublicKey(address);
  const send = (parameters: object = {}, as: Sender = child) => {
    const described = describedSolanaSend([address], { sponsor: true, ...parameters });
    return service.submit(operation, solanaType, described, as);
  };
  const sendOf = (transaction: VersionedTransaction) =>
    send({ unsignedTransaction: hexOf(transaction) });
  return { service, sponsor, child, own, send, sendOf };
}

async function signedOf(service: TestService): Promise<readonly VersionedTransaction[]> {
  const sends = await unsettledOfSolana(service);
  return sends.map(({ signedTransaction }) =>
    VersionedTransaction.deserialize(base64.decode(signedTransaction)),
  );
}

test('the parent pays the fee, and the rest stays as the caller sent it', async (t) => {
  const { service, sponsor, child, own, send } = await started();
  t.after(() => service.close());
  const { status, body } = await send({ recentBlockhash: newHash });
  assert.equal(status, 200, JSON.stringify(body));
  const [signed, ...others] = await signedOf(service);
  assert(signed !== undefined && others.length === 0);
  const { message, signatures } = signed;
  const [payer, sender] = message.staticAccountKeys;
  assert.deepEqual([payer?.toBase58(), sender?.toBase58()], [sponsor, own.toBase58()]);
  assert.equal(message.header.numRequiredSignatures, 2);
  assert.equal(message.recentBlockhash, newHash);
  for (const [i, signature] of signatures.entries()) {
    const key = message.staticAccountKeys[i]?.toBytes() ?? new Uint8Array();
    assert(verifyEd25519(key, signature, message.serialize()), `signature ${i}`);
  }
  const [instruction] = message.compiledInstructions;
  const accounts = instruction?.accountKeyIndexes.map((i) => message.staticAccountKeys[i]);
  assert.deepEqual(accounts, [own, payee]);
  const program = message.staticAccountKeys[instruction?.programIdIndex ?? 0];
  assert.deepEqual(program, SystemProgram.programId);
  assert.equal((await usageOf(service)).usageUsd, usdOfTwoSignatures);
  assert.equal((await usageOf(service, child)).usageUsd, usdOfTwoSignatures);
});

test('a repeated request is signed and counted once', async (t) => {
  const { service, child, own } = await started();
  t.after(() => service.close());
  const parameters = describedSolanaSend([own.toBase58()], { sponsor: true });
  const { organizationId } = child;
  const timestampMs = String(service.now());
  const body = utf8(JSON.stringify({ type: solanaType, timestampMs, organizationId, parameters }));
  const sends = Array.from({ length: 3 }, () =>
    service.send('submit', operation, body, [stampOf(body, child.key)]),
  );
  const answers = await Promise.all(sends);
  const results = answers.map((answer) => JSON.stringify(answer.body.activity.result));
  assert.equal(new Set(results).size, 1);
  assert.equal((await usageOf(service)).usageUsd, usdOfTwoSignatures);
});

test('sponsoring needs a configuration, a sponsor of the chain, and its policy', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const [address = ''] = await makeSolanaAccounts(service, { as: child });
  const send = () =>
    service.submit(operation, solanaType, describedSolanaSend([address], { sponsor: true }), child);
  assertRefused(await send(), 400, 9);
  const sponsor = await makeSponsor(service, { enabled: false });
  assertRefused(await send(), 400, 9);
  await configureGasUsage(service, { sponsors: [] });
  assertRefused(await send(), 400, 9);
  await configureGasUsage(service, { sponsors: [sponsorOf(sponsor)] });
  assert.equal((await send()).status, 200);
  const condition = `solana.tx.transfers.any(t, t.to == '${payee.toBase58()}')`;
  await makePolicy(service, 'No', { effect: 'EFFECT_DENY', condition, consensus: undefined });
  const denied = await send();
  assertRefused(denied, 403, 7);
  assert.match(denied.body.message, /do not allow its sponsor .* to pay for this transaction$/);
  assert.equal((await signedOf(service)).length, 1);
});

test('policies of the sponsor decide on the signed transaction, without votes', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [sponsor = ''] = await makeSolanaAccounts(service);
  await configureGasUsage(service, { sponsors: [sponsorOf(sponsor)] });
  const child = await addChild(service);
  const [address = ''] = await makeSolanaAccounts(service, { as: child });
  const parameters = describedSolanaSend([address], { sponsor: true });
  const send = () => service.submit(operation, solanaType, parameters, child);
  assertRefused(await send(), 403, 7);
  await makePolicy(service, 'Votes', { condition: 'true', consensus: 'approvers.count() >= 1' });
  // A policy for users of the parent does not let others spend the money of the parent.
  assertRefused(await send(), 403, 7);
  const other = "activity.resource == 'PRIVATE_KEY' && activity.action == 'SIGN'";
  await makePolicy(service, 'Signing', { condition: other, consensus: undefined });
  assertRefused(await send(), 403, 7);
  const rule = [
    "activity.resource == 'SPONSORSHIP'",
    `wallet_account.address == '${sponsor}'`,
    `solana.tx.account_keys[0] == '${sponsor}'`,
    'solana.tx.transfers.count() == 1',
    `solana.tx.transfers.all(t, t.from == '${address}' && t.amount == 1)`,
  ];
  await makePolicy(service, 'Sponsor', { condition: rule.join(' && '), consensus: undefined });
  assert.equal((await send()).status, 200);
});

test('the policies of the sender decide as without a sponsor', async (t) => {
  const { service, own } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  const [address = ''] = await makeSolanaAccounts(service);
  const parameters = describedSolanaSend([address], { sponsor: true });
  assertRefused(await service.submit(operation, solanaType, parameters, as), 403, 7);
  const condition = `wallet_account.address == '${address}' && solana.tx.transfers.count() == 1`;
  await makePolicy(service, 'Sends', { condition, consensus: undefined });
  assert.equal((await service.submit(operation, solanaType, parameters, as)).status, 200);
  assert.notEqual(address, own.toBase58());
  assert.equal((await usageOf(service)).usageUsd, usdOfTwoSignatures);
});

test('no instruction may use the account of a sponsor', async (t) => {
  const { service, sponsor, own, sendOf } = await started();
  t.after(() => service.close());
  const drained = new PublicKey(sponsor);
  const field = 'parameters.unsignedTransaction';
  const drains = [
    transactionOf(own, [pays(own), pays(drained)]),
    transactionOf(drained, [pays(own), pays(drained)]),
    transactionOf(own, [
      SystemProgram.transfer({ fromPubkey: own, toPubkey: drained, lamports: 1 }),
    ]),
  ];
  for (const transaction of drains) {
    const refused = await sendOf(transaction);
    assertViolation(refused, field);
    assert.match(refused.body.message, /expected no use of the account of the sponsor/);
  }
  const noncePubkey = new PublicKey(new Uint8Array(32).fill(3));
  const advance = SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey: own });
  assertViolation(await sendOf(transactionOf(own, [advance, pays(own)])), field);
  const stranger = new PublicKey(new Uint8Array(32).fill(5));
  assertViolation(await sendOf(transactionOf(stranger, [pays(own)])), field);
  assert.deepEqual(await signedOf(service), []);
  // The caller may name the sponsor as the payer.
  assert.equal((await sendOf(transactionOf(drained, [pays(own)]))).status, 200);
});

test('fees count for each user, sub-organization and all, over a window', async (t) => {
  const { service, child, send } = await started({ userWindowLimitUsd: usdOfTwoSignatures });
  t.after(() => service.close());
  assert.equal((await send()).status, 200);
  const refused = await send();
  assertRefused(refused, 429, 8);
  assert.match(refused.body.message, /sponsored fees of the user would exceed 0\.002 USD/);
  const limited = (limits: object) =>
    configureGasUsage(service, { userWindowLimitUsd: '1', ...limits });
  await limited({ subOrgWindowLimitUsd: '0.003999999' });
  assert.match((await send()).body.message, /of the organization would exceed/);
  await limited({ orgWindowLimitUsd: '0.003999999' });
  assert.match((await send()).body.message, /of all organizations would exceed/);
  await limited({ orgWindowLimitUsd: '0.004' });
  assert.equal((await send()).status, 200);
  assert.equal((await usageOf(service, child)).usageUsd, '0.004');
  assertRefused(await send(), 429, 8);
  // A shorter window still counts all younger fees.
  await limited({ orgWindowLimitUsd: '0.004', windowDurationMinutes: '10' });
  assertRefused(await send(), 429, 8);
  service.advance(12 * 60_000);
  assert.equal((await usageOf(service)).usageUsd, '0');
  assert.equal((await send()).status, 200);
});

test('a priority fee counts with its maximum', async (t) => {
  const { service, own, sendOf } = await started({ subOrgWindowLimitUsd: '0.5' });
  t.after(() => service.close());
  const priced = (microLamports: number) =>
    transactionOf(own, [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
      pays(own),
    ]);
  // A priority fee of 0.0025 SOL.
  assertRefused(await sendOf(priced(25_000_000)), 429, 8);
  assert.equal((await sendOf(priced(1_000_000))).status, 200);
  assert.equal((await usageOf(service)).usageUsd, '0.022');
});

test('of concurrent requests, as many are signed as the limit of the parent allows', async (t) => {
  const { service, send } = await started({ orgWindowLimitUsd: '0.006' });
  t.after(() => service.close());
  const amounts = Array.from({ length: 8 }, (_, i) => i + 1);
  const answers = await Promise.all(amounts.map((_, i) => send({ recentBlockhash: hashOf(i) })));
  const statuses = answers.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [200, 200, 200, 429, 429, 429, 429, 429]);
  assert.equal((await signedOf(service)).length, 3);
  assert.equal((await usageOf(service)).usageUsd, '0.006');
});

const hashOf = (i: number) => new PublicKey(new Uint8Array(32).fill(20 + i)).toBase58();

test('approvers read the sponsor, and the deciding vote checks the sponsor again', async (t) => {
  const { service, sponsor } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  const [address = ''] = await makeSolanaAccounts(service);
  const condition = `wallet_account.address == '${address}'`;
  await makePolicy(service, 'Two', { condition });
  const wait = async () => {
    const parameters = describedSolanaSend([address], { sponsor: true });
    const { body } = await service.submit(operation, solanaType, parameters, as);
    assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', JSON.stringify(body));
    return body.activity;
  };
  const waiting = await wait();
  const { body } = await service.query('get_activity', { activityId: waiting.id });
  const { fee } = body.activity.explanation ?? body.explanation;
  assert.equal(fee.payer, sponsor);
  assert.match(fee.text, new RegExp(`${sponsor} is the sponsor of organization `));
  assert.equal(await rootVote(service, waiting.fingerprint), 'ACTIVITY_STATUS_COMPLETED');
  const late = await wait();
  await configureGasUsage(service, { enabled: false });
  assert.match(await rootVote(service, late.fingerprint), /FAILED|sponsors no transactions/);
  assert.equal((await unsettledOfSolana(service)).length, 1);
});

test('a freeze of the sponsor stops sponsored transactions, also unsettled ones', async (t) => {
  const { service, sponsor, send } = await started();
  t.after(() => service.close());
  const { status, body } = await send();
  assert.equal(status, 200, JSON.stringify(body));
  const { body: found } = await service.query('list_wallets', {});
  const [{ walletId }] = found.wallets;
  const isHeld = async () => {
    const [send] = await unsettledOfSolana(service);
    return send?.isFrozen;
  };
  assert.equal(await isHeld(), false);
  for (const [type, resourceId] of [
    ['WALLET', walletId],
    ['ORGANIZATION', undefined],
  ] as const) {
    const freezeId = await makeFreeze(service, type, resourceId);
    assertFrozen(await send({ recentBlockhash: newHash }), /wallet|organization/);
    assert.equal(await isHeld(), true, `${type} of ${sponsor}`);
    await lift(service, freezeId);
    assert.equal(await isHeld(), false);
  }
});
