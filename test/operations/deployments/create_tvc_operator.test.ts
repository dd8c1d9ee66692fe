import assert from 'node:assert/strict';
import { test } from 'node:test';
import { p256 } from '@noble/curves/nist.js';
import { bytesOfHex, hex } from '../../../src/core/base/bytes.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  approvalsOf,
  describedApp,
  describedSet,
  make,
  makeDeployment,
  manifestDigestIn,
  operatorKey,
  shown,
  shownApp,
} from './deployment_requests.ts';

const wire = {
  operation: 'create_tvc_operator',
  type: 'ACTIVITY_TYPE_CREATE_TVC_OPERATOR',
  intent: 'createTvcOperatorIntent',
  result: 'createTvcOperatorResult',
};
const path = "m/5527107'/0'/0'";

test('create_tvc_operator: creates a wallet that holds the two keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = { walletName: 'Operator wallet', path, operatorName: 'Ada' };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['walletName'],
    malformed: [
      { field: 'parameters.walletId', parameters: { path, operatorName: 'Ada' } },
      { field: 'parameters.walletId', parameters: { ...parameters, walletId: unknownId } },
      { field: 'parameters.walletId', parameters: { ...parameters, walletId: 'x' } },
      ...['', 'x', '/0', 'm/', `m${'/0'.repeat(16)}`].map((wrong) => ({
        field: 'parameters.path',
        parameters: { ...parameters, path: wrong },
      })),
      { field: 'parameters.operatorName', parameters: { ...parameters, operatorName: '' } },
    ],
  });
  const { walletId, operatorId, encryptPublicKey, signPublicKey } = result;
  assert.deepEqual(Object.keys(result).sort(), [
    'encryptPublicKey',
    'operatorId',
    'signPublicKey',
    'walletId',
  ]);
  const { body } = await service.query('list_wallet_accounts', { walletId });
  const accounts = body.accounts.map((account: Record<string, string>) => [
    account['path'],
    account['curve'],
    account['address'],
  ]);
  assert.deepEqual(accounts, [
    [`${path}/0`, 'CURVE_P256', encryptPublicKey],
    [`${path}/1`, 'CURVE_P256', signPublicKey],
  ]);
  for (const key of [encryptPublicKey, signPublicKey]) {
    assert.equal(hex(p256.Point.fromHex(key).toBytes(false)), key);
  }
  const set = { name: 'Set', existingOperatorIds: [operatorId], threshold: 1 };
  const app = await make(service, 'create_tvc_app', describedApp({ manifestSetParams: set }));
  const { manifestSet } = await shownApp(service, app.appId);
  assert.equal(manifestSet.operators[0].publicKey, `${encryptPublicKey}${signPublicKey}`);
  assert.equal(manifestSet.operators[0].name, 'Ada');
});

test('create_tvc_operator: approves a manifest by a signature of its account', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { operatorId, signPublicKey } = await make(service, 'create_tvc_operator', {
    walletName: 'Operator wallet',
    path,
    operatorName: 'Hosted',
  });
  const manifestSetParams = {
    ...describedSet(['Ada'], 2),
    existingOperatorIds: [operatorId],
  };
  const { appId } = await make(service, 'create_tvc_app', describedApp({ manifestSetParams }));
  const deploymentId = await makeDeployment(service, appId);
  const digest = manifestDigestIn(await shown(service, deploymentId));
  const { r, s } = await make(service, 'sign_raw_payload', {
    signWith: signPublicKey,
    payload: hex(digest),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_SHA256',
  });
  const { manifestId, approvals } = await approvalsOf(service, deploymentId, ['Ada']);
  await make(service, 'create_tvc_manifest_approvals', {
    manifestId,
    approvals: [...approvals, { operatorId, signature: `${r}${s}` }],
  });
  assert.equal((await shownApp(service, appId)).liveDeploymentId, deploymentId);
  assert.ok(bytesOfHex(r)?.length === 32 && bytesOfHex(s)?.length === 32);
});

test('create_tvc_operator: takes an existing wallet with a free path', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId } = await make(service, 'create_tvc_operator', {
    walletName: 'Operator wallet',
    path: 'm/0',
    operatorName: 'First',
  });
  const second = await make(service, 'create_tvc_operator', {
    walletId: walletId.toUpperCase(),
    path: 'm/1',
    operatorName: 'Second',
  });
  assert.equal(second.walletId, walletId);
  await checkRefused(
    service,
    { ...wire, parameters: { walletId, path: 'm/0', operatorName: 'Third' } },
    { status: 409, code: 6, text: /^wallet account already exists: path m\/0\/0 / },
  );
});

test('create_tvc_operator: takes only wallets of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const parameters = { walletName: 'Wallet', path, operatorName: 'Ada' };
  const ofChild = await make(service, 'create_tvc_operator', parameters, child);
  for (const walletId of [unknownId, ofChild.walletId]) {
    await checkRefused(
      service,
      { ...wire, parameters: { walletId, path, operatorName: 'Ada' } },
      { status: 404, code: 5, text: new RegExp(`^unable to find wallet ${walletId} `) },
    );
  }
});

test('create_tvc_operator: an organization has at most 500', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const key = { publicKey: operatorKey('somebody'), keySource: 'EXTERNAL_KEY' } as const;
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    for (let i = 0; i < 500; i += 1) {
      draft.put('tvc_operator', { id: newId(), name: `Operator ${i}`, ...key, ...times });
    }
    return undefined;
  });
  const parameters = { walletName: 'Wallet', path, operatorName: 'Ada' };
  const text = /^organization has exceeded maximum operators: the limit is 500$/;
  await checkRefused(service, { ...wire, parameters }, { status: 429, code: 8, text });
});
