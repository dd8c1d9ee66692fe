// Sends with external keys: the service builds, decides and counts, the holder signs, and the transaction is
// stored with the decision.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { base64 } from '@scure/base';
import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { Transaction } from 'ethers';
import { hex, textOfUtf8 } from '../../src/core/base/bytes.ts';
import type { CurveName } from '../../src/core/base/enums.ts';
import { verifyEd25519 } from '../../src/core/crypto/verify.ts';
import { assertFrozen, makeFreeze } from '../operations/freezes/freeze_requests.ts';
import { addPlainUser } from '../operations/other_callers.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeSponsor } from '../operations/sending/gas_usage_requests.ts';
import { describedSend, sendType, unsettled } from '../operations/sending/send_requests.ts';
import {
  describedSolanaSend,
  makeSolanaAccounts,
  solanaType,
  unsettledOfSolana,
} from '../operations/sending/solana_requests.ts';
import { makeControl } from '../operations/velocity_controls/velocity_control_requests.ts';
import { startTestService, type TestService } from '../support/harness.ts';
import { registered } from './external_key_requests.ts';
import { memoryHolder, memoryKey, type OrderSignatures } from './holders.ts';

/**
 * Starts a service with an external key. Returns its address, and a function that counts the orders since
 * then.
 */
async function withKey(t: TestContext, curve: CurveName = 'CURVE_SECP256K1') {
  const service = await startTestService();
  t.after(() => service.close());
  service.outside.holder = memoryHolder({ clock: service.now });
  const publicKey = hex(memoryKey(curve).publicKey);
  const id = await registered(service, { curve, publicKey });
  const { body } = await service.query('get_private_key', { privateKeyId: id });
  const address: string = body.privateKey.addresses[0].address;
  const holder: OrderSignatures = service.outside.holder;
  let orders = 0;
  const counting: OrderSignatures = (order) => {
    orders += 1;
    return holder(order);
  };
  service.outside.holder = counting;
  return { service, id, address, holder: counting, orders: () => orders };
}

type As = Parameters<TestService['submit']>[3];

const send = (service: TestService, from: string, changes: object = {}, as: As = {}) =>
  service.submit('eth_send_transaction', sendType, describedSend(from, changes), as);

/** A limit of three sends per hour. */
const sendsOfAnHour = {
  dataSource: { activityExecution: { filter: { activity: [{ activityType: sendType }] } } },
};

async function sentTransactions(service: TestService): Promise<readonly Transaction[]> {
  const sends = await unsettled(service);
  return sends.map(({ signedTransaction }) => Transaction.from(signedTransaction));
}

test('an external key signs a transaction that the service built, and it is stored', async (t) => {
  const { service, address, orders } = await withKey(t);
  const { status, body } = await send(service, address, { nonce: '3' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  const [signed, ...more] = await sentTransactions(service);
  assert.equal(signed?.from?.toLowerCase(), address.toLowerCase());
  assert.equal(signed?.nonce, 3);
  assert.equal(signed?.chainId, 1n);
  assert.equal(more.length, 0);
  assert.equal(orders(), 1);
});

test('a request without a nonce reaches no holder, since a second signature could be sent as well', async (t) => {
  const { service, address, orders } = await withKey(t);
  const { status, body } = await send(service, address);
  assert.equal(status, 400);
  assert.match(body.message, /parameters\.nonce.*expected a nonce/);
  assert.equal(orders(), 0);
});

test('a refused send and a dry run reach no holder', async (t) => {
  const { service, address, orders } = await withKey(t);
  const { key } = await addPlainUser(service);
  assert.equal((await send(service, address, { nonce: '0' }, { key })).status, 403);
  assert.equal((await send(service, address, { nonce: '0' }, { dryRun: true })).status, 200);
  assert.equal(orders(), 0);
  assert.deepEqual(await unsettled(service), []);
});

test('a holder that fails leaves nothing stored or counted, and the send can be repeated', async (t) => {
  const { service, address, holder } = await withKey(t);
  await makeControl(service, sendsOfAnHour);
  const { key } = await addPlainUser(service);
  await makePolicy(service, 'Sends', { consensus: 'true', condition: 'controls.hourly' });
  service.outside.holder = async () => ({ heldBy: 'command', signatures: [new Uint8Array(64)] });
  for (let i = 0; i < 5; i += 1) {
    const { status, body } = await send(service, address, { nonce: '0' }, { key });
    assert.equal(status, 503, JSON.stringify(body));
  }
  assert.deepEqual(await unsettled(service), []);
  service.outside.holder = holder;
  for (const [nonce, status] of [200, 200, 200, 403].entries()) {
    const sent = await send(service, address, { nonce: `${nonce}` }, { key });
    assert.equal(sent.status, status, JSON.stringify(sent.body));
  }
  assert.equal((await unsettled(service)).length, 3);
});

test('a limit counts each stored send once, also of sends that are decided together', async (t) => {
  const { service, address, holder, orders } = await withKey(t);
  await makeControl(service, sendsOfAnHour);
  const { key } = await addPlainUser(service);
  await makePolicy(service, 'Sends', { consensus: 'true', condition: 'controls.hourly' });
  const begun = Promise.withResolvers<void>();
  let waiting = 0;
  service.outside.holder = async (order) => {
    waiting += 1;
    if (waiting === 5) begun.resolve();
    await begun.promise;
    return holder(order);
  };
  const all = await Promise.all(
    Array.from({ length: 5 }, (_, i) => send(service, address, { nonce: `${i}` }, { key })),
  );
  assert.deepEqual(
    all.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 200, 200, 403, 403],
  );
  assert.equal((await unsettled(service)).length, 3);
  // Each request ordered one signature, although some were decided several times.
  assert.equal(orders(), 5);
});

test('of two sends with one nonce, one is stored', async (t) => {
  const { service, address, holder } = await withKey(t);
  const begun = Promise.withResolvers<void>();
  let waiting = 0;
  service.outside.holder = async (order) => {
    waiting += 1;
    if (waiting === 2) begun.resolve();
    await begun.promise;
    return holder(order);
  };
  const all = await Promise.all(
    ['1', '2'].map((value) =>
      send(service, address, { nonce: '0', calls: [{ to: address, value }] }),
    ),
  );
  assert.deepEqual(
    all.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 400],
    JSON.stringify(all),
  );
  assert.equal((await unsettled(service)).length, 1);
});

test('a signature that arrives after a freeze, or for a deleted key, is not sent', async (t) => {
  const { service, id, address, holder } = await withKey(t);
  service.outside.holder = async (order) => {
    const answer = await holder(order);
    await makeFreeze(service, 'PRIVATE_KEY', id);
    return answer;
  };
  assertFrozen(await send(service, address, { nonce: '0' }), /private key/);
  assert.deepEqual(await unsettled(service), []);
});

test('the completing vote orders the signature, and can be repeated after a failure', async (t) => {
  const { service, id, address, holder, orders } = await withKey(t);
  const { key } = await addPlainUser(service);
  await makePolicy(service, 'Sends', {
    consensus: 'approvers.count() >= 2',
    condition: `private_key.id == '${id}' && eth.tx.nonce == 0`,
  });
  const asked = await send(service, address, { nonce: '0' }, { key });
  assert.equal(asked.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.equal(orders(), 0);
  const { fingerprint } = asked.body.activity;
  const approve = () =>
    service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint });
  service.outside.holder = async () => ({ heldBy: 'command', signatures: [] });
  assert.equal((await approve()).status, 503);
  assert.deepEqual(await unsettled(service), []);
  service.outside.holder = holder;
  assert.equal((await approve()).body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal((await unsettled(service)).length, 1);
});

test('other changes of the organization meanwhile cause no second order', async (t) => {
  const { service, address, holder, orders } = await withKey(t);
  service.outside.holder = async (order) => {
    const answer = await holder(order);
    await makePolicy(service, 'Meanwhile', { condition: 'false' });
    return answer;
  };
  const { status, body } = await send(service, address, { nonce: '0' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(orders(), 1);
  assert.equal((await unsettled(service)).length, 1);
});

test('the audit trail names the holder among the keys that sign', async (t) => {
  const { service, address } = await withKey(t, 'CURVE_ED25519');
  const [own = ''] = await makeSolanaAccounts(service);
  const signedBy = async (signers: readonly string[]) => {
    const { body } = await sendSolana(service, signers);
    const { id: activityId, organizationId } = body.activity;
    const entries = [{ number: 1, organizationId, activityId, version: 1 }];
    const { lines } = await service.enclave.auditLines({ entries });
    return JSON.parse(textOfUtf8(lines[0] ?? new Uint8Array()) ?? '').signedBy;
  };
  assert.equal(await signedBy([address]), 'command');
  assert.equal(await signedBy([own, address]), 'command');
  assert.equal(await signedBy([own]), undefined);
});

const sendSolana = (service: TestService, signWiths: readonly string[]) =>
  service.submit('sol_send_transaction', solanaType, describedSolanaSend(signWiths));

/** Decodes a transaction, and verifies each signature. */
function assertSigned(signedTransaction: string): VersionedTransaction {
  const transaction = VersionedTransaction.deserialize(base64.decode(signedTransaction));
  const { message, signatures } = transaction;
  for (const [i, signature] of signatures.entries()) {
    const key = message.staticAccountKeys[i] ?? new PublicKey(0);
    assert(verifyEd25519(key.toBytes(), signature, message.serialize()), `signature ${i}`);
  }
  return transaction;
}

test('external and own keys sign one transaction of Solana', async (t) => {
  const { service, address, orders } = await withKey(t, 'CURVE_ED25519');
  const [own = ''] = await makeSolanaAccounts(service);
  for (const signers of [[address], [own, address], [address, own]]) {
    const { status, body } = await sendSolana(service, signers);
    assert.equal(status, 200, JSON.stringify(body));
  }
  assert.equal(orders(), 3);
  const sends = await unsettledOfSolana(service);
  assert.equal(sends.length, 3);
  for (const { signedTransaction } of sends) assertSigned(signedTransaction);
});

test('a sponsor pays for a transaction of Solana that an external key signs', async (t) => {
  const { service, address, orders } = await withKey(t, 'CURVE_ED25519');
  const sponsor = await makeSponsor(service);
  const parameters = describedSolanaSend([address], { sponsor: true });
  const { status, body } = await service.submit('sol_send_transaction', solanaType, parameters);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(orders(), 1);
  const [send] = await unsettledOfSolana(service);
  const signed = assertSigned(send?.signedTransaction ?? '');
  const signers = signed.message.staticAccountKeys.slice(0, 2).map((key) => key.toBase58());
  assert.deepEqual(signers, [sponsor, address]);
});

test('a transaction of Solana beyond the limit of its sponsor reaches no holder', async (t) => {
  const { service, address, orders } = await withKey(t, 'CURVE_ED25519');
  await makeSponsor(service, { userWindowLimitUsd: '0' });
  const parameters = describedSolanaSend([address], { sponsor: true });
  const { status, body } = await service.submit('sol_send_transaction', solanaType, parameters);
  assert.equal(status, 429, JSON.stringify(body));
  assert.equal(orders(), 0);
});

test('a transaction of Solana for which its address has no room reaches no holder', async (t) => {
  const { service, address, orders } = await withKey(t, 'CURVE_ED25519');
  const [own = ''] = await makeSolanaAccounts(service);
  for (let i = 0; i < 64; i += 1) {
    const { status, body } = await sendSolana(service, [own]);
    assert.equal(status, 200, JSON.stringify(body));
  }
  const { status, body } = await sendSolana(service, [own, address]);
  assert.equal(status, 429, JSON.stringify(body));
  assert.match(body.message, /already has 64 transactions/);
  assert.equal(orders(), 0);
});

test('a Solana send without a signature of the holder is not stored', async (t) => {
  const { service, address } = await withKey(t, 'CURVE_ED25519');
  const [own = ''] = await makeSolanaAccounts(service);
  service.outside.holder = async () => ({ heldBy: 'command', signatures: [new Uint8Array(64)] });
  const { status, body } = await sendSolana(service, [own, address]);
  assert.equal(status, 503, JSON.stringify(body));
  assert.deepEqual(await unsettledOfSolana(service), []);
});
