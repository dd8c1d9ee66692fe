import assert from 'node:assert/strict';
import { test } from 'node:test';
import { privateKeyToAccount } from 'viem/accounts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, addPlainUser } from '../other_callers.ts';
import { openedKey, sealedKey, targetPublicKey } from '../wallets/transfer_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { described, makePrivateKeys } from './private_key_requests.ts';

const wire = {
  operation: 'export_private_key',
  type: 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY',
  intent: 'exportPrivateKeyIntent',
  result: 'exportPrivateKeyResult',
};

// STATE-05
test('export_private_key: exports the key of its address, and marks it as exported', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [made] = await makePrivateKeys(service);
  const { privateKeyId, addresses } = made ?? assert.fail();
  const parameters = { privateKeyId, targetPublicKey };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.privateKeyId', parameters: { ...parameters, privateKeyId: 'x' } },
      { field: 'parameters.targetPublicKey', parameters: { ...parameters, targetPublicKey: '02' } },
    ],
  });
  assert.equal(result.privateKeyId, privateKeyId);
  const key = await openedKey(result.exportBundle, service.root.organizationId);
  assert.equal(privateKeyToAccount(`0x${key}`).address, addresses[0]?.address);
  const { privateKey } = (await service.query('get_private_key', { privateKeyId })).body;
  assert.equal(privateKey.exported, true); // RES-PRIVATE-KEY-12
  const type = 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS';
  const deleted = await service.submit('delete_private_keys', type, {
    privateKeyIds: [privateKeyId],
  });
  assert.equal(deleted.status, 200);
});

test('export_private_key: exports an imported key unchanged', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const key = '5d'.repeat(32);
  for (const curve of ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256']) {
    const { userId, organizationId } = service.root;
    const encryptedBundle = await sealedKey(service, key);
    const type = 'ACTIVITY_TYPE_IMPORT_PRIVATE_KEY';
    const parameters = {
      userId,
      privateKeyName: curve,
      encryptedBundle,
      curve,
      addressFormats: [],
    };
    const { body } = await service.submit('import_private_key', type, parameters);
    const { privateKeyId } = body.activity.result.importPrivateKeyResult;
    const exported = await service.submit(wire.operation, wire.type, {
      privateKeyId,
      targetPublicKey,
    });
    const { exportBundle } = exported.body.activity.result[wire.result];
    assert.equal(await openedKey(exportBundle, organizationId), key);
  }
});

test('export_private_key: refuses unknown keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [ofChild] = await makePrivateKeys(service, [described()], await addChild(service));
  const missing = { status: 404, code: 5, text: /^unable to find private key / };
  for (const privateKeyId of [unknownId, ofChild?.privateKeyId]) {
    await checkRefused(
      service,
      { ...wire, parameters: { privateKeyId, targetPublicKey } },
      missing,
    );
  }
});

test('export_private_key: policies see the key, and can require votes', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const [first, second] = await makePrivateKeys(service, [described(), described()]);
  const condition = `activity.resource == 'PRIVATE_KEY' && activity.action == 'EXPORT' && private_key.id == '${first?.privateKeyId}' && activity.params.target_public_key == '${targetPublicKey}'`;
  await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'First',
    effect: 'EFFECT_ALLOW',
    condition,
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  const send = (privateKeyId: string | undefined) =>
    service.submit(wire.operation, wire.type, { privateKeyId, targetPublicKey }, plain);
  assert.equal((await send(second?.privateKeyId)).status, 403);
  const waits = await send(first?.privateKeyId);
  assert.equal(waits.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const approved = await service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint: waits.body.activity.fingerprint,
  });
  const { exportBundle } = approved.body.activity.result[wire.result];
  await openedKey(exportBundle, service.root.organizationId);
});
