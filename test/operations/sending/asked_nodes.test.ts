// Requests to chain nodes: which callers cause them, how many there are, and who waits for them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  startTestService,
  type TestKey,
  type TestService,
  testKey,
} from '../../support/harness.ts';
import { assertRefused } from '../checks.ts';
import { addPlainUser } from '../other_callers.ts';
import {
  describedSend,
  foreignTransaction,
  makeSender,
  recipient,
  sendChain,
  sendType,
  startSend,
  unsettled,
} from './send_requests.ts';
import { describedSolanaSend, makeSolanaAccounts, solanaType } from './solana_requests.ts';

async function started() {
  const service = await startTestService();
  return { service, from: await makeSender(service) };
}

async function allow(service: TestService, policy: object): Promise<void> {
  const type = 'ACTIVITY_TYPE_CREATE_POLICY_V3';
  const parameters = {
    policyName: `Policy ${service.now()}`,
    effect: 'EFFECT_ALLOW',
    notes: '',
    ...policy,
  };
  const { status, body } = await service.submit('create_policy', type, parameters);
  assert.equal(status, 200, JSON.stringify(body));
}

async function userIdOf(service: TestService, key: TestKey): Promise<string> {
  const { body } = await service.query('whoami', {}, { key });
  return body.userId;
}

/** Returns requests of each kind that queries a node. */
async function requests(service: TestService, from: string) {
  const addresses = await makeSolanaAccounts(service);
  const undelegated = { from, caip2: sendChain };
  const raw = { signedTransaction: foreignTransaction(), caip2: sendChain };
  return [
    ['eth_send_transaction', sendType, describedSend(from)],
    ['eth_undelegate_7702', 'ACTIVITY_TYPE_ETH_UNDELEGATE_7702', undelegated],
    ['eth_send_raw_transaction', 'ACTIVITY_TYPE_ETH_SEND_RAW_TRANSACTION', raw],
    ['sol_send_transaction', solanaType, describedSolanaSend(addresses)],
  ] as const;
}

test('sends: a caller without a possible policy causes no request to a node, also in a dry run', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const { key } = await addPlainUser(service);
  const other = await addPlainUser(service, testKey('other'));
  const otherId = await userIdOf(service, other.key);
  await allow(service, { consensus: `approvers.any(user, user.id == '${otherId}')` });
  await allow(service, { condition: "activity.action == 'DELETE'" });
  for (const [operation, type, parameters] of await requests(service, from)) {
    for (const dryRun of [false, true]) {
      const refused = await service.submit(operation, type, parameters, { key, dryRun });
      if (dryRun) assert.equal(refused.body.dryRun.status, 'ACTIVITY_STATUS_FAILED', operation);
      else assertRefused(refused, 403, 7);
      assert.deepEqual(service.outside.filledFor, [], operation);
    }
    const stranger = await service.submit(operation, type, parameters, { key: testKey('nobody') });
    assert.equal(stranger.status, 401, operation);
    assert.deepEqual(service.outside.filledFor, [], operation);
  }
  // The refusals are recorded like all others.
  const { body } = await service.query('list_activities', {
    filterByStatus: ['ACTIVITY_STATUS_FAILED'],
  });
  assert.equal(body.activities.length, 4);
  for (const [operation, type, parameters] of await requests(service, from)) {
    const { status } = await service.submit(operation, type, parameters, other);
    assert.equal(status, 200, operation);
  }
  assert.equal(service.outside.filledFor.length, 4);
});

test('sends: a policy that reads the transaction causes a request to the node', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  await allow(service, { condition: `eth.tx.to == '${recipient}' && eth.tx.nonce == 0` });
  await startSend(service, from, as);
  assert.equal(service.outside.filledFor.length, 1);
  const elsewhere = await makeSolanaAccounts(service);
  const parameters = describedSolanaSend(elsewhere);
  const refused = await service.submit('sol_send_transaction', solanaType, parameters, as);
  assertRefused(refused, 403, 7);
  assert.equal(service.outside.filledFor.length, 1);
});

async function waitingSend(service: TestService, from: string): Promise<string> {
  const [one, two] = [await addPlainUser(service), await addPlainUser(service, testKey('two'))];
  const ids = [await userIdOf(service, one.key), await userIdOf(service, two.key)];
  const both = ids.map((id) => `approvers.any(user, user.id == '${id}')`).join(' && ');
  await allow(service, { consensus: both });
  const sent = await service.submit('eth_send_transaction', sendType, describedSend(from), one);
  assert.equal(sent.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  return sent.body.activity.fingerprint;
}

test('sends: a user who may not vote on a waiting activity causes no request to a node', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const fingerprint = await waitingSend(service, from);
  const third = await addPlainUser(service, testKey('third'));
  const before = service.outside.filledFor.length;
  for (const vote of ['approve', 'reject']) {
    const type = `ACTIVITY_TYPE_${vote.toUpperCase()}_ACTIVITY`;
    const refused = await service.submit(`${vote}_activity`, type, { fingerprint }, third);
    assertRefused(refused, 403, 7);
  }
  assert.equal(service.outside.filledFor.length, before);
  const type = 'ACTIVITY_TYPE_APPROVE_ACTIVITY';
  const two = { key: testKey('two') };
  const { body } = await service.submit('approve_activity', type, { fingerprint }, two);
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal(service.outside.filledFor.length, before + 1);
});

test('sends: a vote that waits for a node delays no other request of its organization', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const fingerprint = await waitingSend(service, from);
  const node = Promise.withResolvers<void>();
  service.outside.slowNode = node.promise;
  const before = service.outside.filledFor.length;
  const type = 'ACTIVITY_TYPE_APPROVE_ACTIVITY';
  const two = { key: testKey('two') };
  const vote = service.submit('approve_activity', type, { fingerprint }, two);
  while (service.outside.filledFor.length === before) await new Promise(setImmediate);
  // Changes of the organization run meanwhile.
  await makeSolanaAccounts(service);
  // Another send takes the nonce that the node will return to the vote.
  service.outside.slowNode = undefined;
  await startSend(service, from);
  node.resolve();
  const { body } = await vote;
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_COMPLETED', JSON.stringify(body));
  const nonces = (await unsettled(service)).map(({ nonce }) => nonce);
  assert.deepEqual(nonces.sort(), ['0', '1']);
});

test('sends: an organization has at most eight requests to nodes at a time, others are not delayed', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const node = Promise.withResolvers<void>();
  service.outside.slowNode = node.promise;
  const sends = Array.from({ length: 20 }, (_, i) =>
    startSend(service, from, {}, { calls: [{ to: recipient, value: String(i + 1) }] }),
  );
  while (service.outside.filledFor.length < 8) await new Promise(setImmediate);
  for (let i = 0; i < 50; i += 1) await new Promise(setImmediate);
  assert.equal(service.outside.filledFor.length, 8);
  service.outside.slowNode = undefined;
  node.resolve();
  await Promise.all(sends);
  assert.equal((await unsettled(service)).length, 20);
});
