// An organization key on several nodes and over restarts: each enclave is unsealed separately, and a seal
// applies to all enclaves from its commit on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { changeOf } from '../../src/store/addition.ts';
import { activityBody } from '../enclave/service_over.ts';
import { makeKeys, sign } from '../operations/freezes/freeze_requests.ts';
import {
  keyState,
  makeKey,
  seal,
  unseal,
} from '../operations/organization_keys/organization_key_requests.ts';
import { startSecondNode } from '../operations/second_node.ts';
import { ethereumAccount, makeWallet } from '../operations/wallets/wallet_requests.ts';
import { stampOf, startTestService, type TestService } from '../support/harness.ts';
import { sealedSecret, secretOf } from '../support/organization_keys.ts';

type Node = Awaited<ReturnType<typeof startSecondNode>>;

const requestOf = (service: TestService, operation: string, type: string, parameters: object) => {
  service.advance(1);
  const { organizationId, key } = service.root;
  const body = activityBody(type, organizationId, parameters, service.now());
  return {
    requestId: `${service.now()}`,
    kind: 'submit' as const,
    operation,
    headers: [stampOf(body, key)],
    body,
    timestampObjects: false,
    remoteAddress: '127.0.0.1',
  };
};

const signature = (service: TestService, signWith: string, payload = 'payload') =>
  requestOf(service, 'sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
    signWith,
    payload,
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  });

/** Sends a query to one node as the root user. */
async function queryOf(service: TestService, node: Node, operation: string) {
  const { organizationId, key } = service.root;
  const body = new TextEncoder().encode(JSON.stringify({ organizationId }));
  const answer = await node.request({
    ...requestOf(service, operation, '', {}),
    kind: 'query',
    headers: [stampOf(body, key)],
    body,
  });
  return JSON.parse(textOfUtf8(answer.body) ?? '');
}

async function unsealOn(service: TestService, node: Node, holderId: string) {
  const { bootProof } = await queryOf(service, node, 'get_latest_boot_proof');
  const { organizationKey } = await queryOf(service, node, 'get_organization_key');
  const encryptedSecret = sealedSecret(secretOf('treasurer'), {
    ephemeralKey: bootProof.ephemeralPublicKeyHex,
    organizationId: service.root.organizationId,
    purpose: 'unseal',
    mark: { id: organizationKey.organizationKeyId, seals: Number(organizationKey.sealCount) },
  });
  const type = 'ACTIVITY_TYPE_UNSEAL_ORGANIZATION';
  const request = requestOf(service, 'unseal_organization', type, { holderId, encryptedSecret });
  return { request, answer: await node.request(request) };
}

test('a second node stays sealed until a holder unseals it, and the first node refuses a secret for the second', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const second = await startSecondNode(service);
  const [key] = await makeKeys(service);
  const holderId = await makeKey(service);
  assert.equal((await sign(service, key)).status, 200);
  const sealed = await second.request(signature(service, key));
  assert.equal(sealed.errorCode, 'organization_sealed');
  await seal(service);
  const { request, answer } = await unsealOn(service, second, holderId);
  assert.equal(answer.errorCode, undefined, textOfUtf8(answer.body) ?? '');
  assert.equal((await second.request(signature(service, key))).errorCode, undefined);
  // The first node repeats the answer of the activity, and stays sealed.
  assert.equal((await service.enclave.request(request)).errorCode, undefined);
  assert.equal((await keyState(service)).isSealed, true);
  const body = {
    holderId,
    encryptedSecret: JSON.parse(textOfUtf8(request.body) ?? '').parameters.encryptedSecret,
  };
  const moved = await unseal(service, holderId, body);
  assert.equal(moved.status, 400);
  assert.match(moved.body.message, /not sealed to this run of the enclave/);
});

test('a signature that either node prepared is not committed after a seal', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const second = await startSecondNode(service);
  const { addresses } = await makeWallet(service, [ethereumAccount()]);
  const signWith = addresses[0] ?? assert.fail();
  const holderId = await makeKey(service);
  await unsealOn(service, second, holderId);
  const nodes = [service.enclave, second];
  const prepared = [];
  for (const node of nodes) {
    await node.request(signature(service, signWith, 'before'));
    const request = signature(service, signWith, 'under way');
    const { addition } = await node.prepare(request);
    assert(addition !== undefined, 'the node prepares the signature');
    prepared.push({ node, request, commit: () => service.store.port.commit(changeOf(addition)) });
  }
  await seal(service);
  for (const { node, request, commit } of prepared) {
    assert.equal(await commit(), 'conflict');
    assert.equal((await node.request(request)).errorCode, 'organization_sealed');
    const late = await node.prepare(signature(service, signWith, 'late'));
    assert.equal(late.addition, undefined);
    assert.equal(late.answer.errorCode, 'organization_sealed');
  }
  // The new seal applies to each node, so each must be unsealed again.
  assert.equal((await unseal(service, holderId)).status, 200);
  assert.equal((await sign(service, signWith)).status, 200);
  assert.equal(
    (await second.request(signature(service, signWith))).errorCode,
    'organization_sealed',
  );
});

test('a restarted service is sealed, and creates the same signatures after it is unsealed', async (t) => {
  const service = await startTestService();
  const [key] = await makeKeys(service);
  const { walletId, addresses } = await makeWallet(service, [ethereumAccount()]);
  const [address = ''] = addresses;
  const holderId = await makeKey(service);
  const before = await sign(service, address);
  const from = service.snapshot();
  service.close();
  const restarted = await startTestService({ from });
  t.after(() => restarted.close());
  const stopped = [
    await sign(restarted, key),
    await sign(restarted, address),
    await restarted.submit('export_wallet', 'ACTIVITY_TYPE_EXPORT_WALLET', {
      walletId,
      targetPublicKey: `04${'11'.repeat(64)}`,
    }),
    await restarted.submit('create_wallet_accounts', 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
      walletId,
      accounts: [ethereumAccount(1)],
    }),
    await restarted.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
      walletName: 'Another',
      accounts: [],
    }),
  ];
  for (const { body } of stopped.toSpliced(2, 1)) assert.match(body.message, /is sealed: a holder/);
  // Public data is readable.
  const accounts = await restarted.query('list_wallet_accounts', { walletId });
  assert.equal(accounts.body.accounts[0].address, address);
  assert.equal((await unseal(restarted, holderId)).status, 200);
  const after = await sign(restarted, address);
  assert.deepEqual(after.body.activity.result, before.body.activity.result);
  const more = await restarted.submit(
    'create_wallet_accounts',
    'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS',
    { walletId, accounts: [ethereumAccount(1)] },
  );
  assert.equal(more.status, 200);
});
