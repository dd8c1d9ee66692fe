import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, addPlainUser } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { exportedTexts, listedSecrets, makeSecret, storedTexts } from './secret_requests.ts';

const wire = {
  operation: 'delete_secrets',
  type: 'ACTIVITY_TYPE_DELETE_SECRETS',
  intent: 'deleteSecretsIntent',
  result: 'deleteSecretsResult',
};

test('delete_secrets: deletes secrets with their texts, and frees their names', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const kept = await makeSecret(service, 'kept');
  const secretIds = [
    await makeSecret(service, 'first', { name: 'Name' }),
    await makeSecret(service, 'second'),
  ];
  const [id = ''] = secretIds;
  assert.equal(await storedTexts(service, secretIds), 2);
  const result = await checkActivity(service, {
    ...wire,
    parameters: { secretIds },
    malformed: [
      { field: 'parameters.secretIds', parameters: { secretIds: [] } },
      { field: 'parameters.secretIds.0', parameters: { secretIds: ['secret'] } },
      { field: 'parameters.secretIds.1', parameters: { secretIds: [id, id.toUpperCase()] } },
    ],
  });
  assert.deepEqual(result, { secretIds });
  assert.equal(await storedTexts(service, secretIds), 0);
  assert.deepEqual(await exportedTexts(service, [kept]), ['kept']);
  const again = await makeSecret(service, 'again', { name: 'Name' });
  assert.deepEqual(
    (await listedSecrets(service)).map(({ secretId }) => secretId),
    [kept, again],
  );
});

test('delete_secrets: deletes all or none, and refuses unknown ids', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const own = await makeSecret(service, 'own');
  const ofChild = await makeSecret(service, 'of the child', { as: child });
  const missing = { status: 404, code: 5, text: /^unable to find secret / };
  for (const id of [ofChild, unknownId]) {
    await checkRefused(service, { ...wire, parameters: { secretIds: [own, id] } }, missing);
  }
  assert.deepEqual(await exportedTexts(service, [own]), ['own']);
});

test('delete_secrets: waits for votes if a policy requires them', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const secretIds = [await makeSecret(service, 'text')];
  await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'SECRET' && activity.action == 'DELETE'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  const waits = await service.submit(wire.operation, wire.type, { secretIds }, plain);
  assert.equal(waits.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.equal(await storedTexts(service, secretIds), 1);
  await service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint: waits.body.activity.fingerprint,
  });
  assert.equal(await storedTexts(service, secretIds), 0);
});

test('a deleted child leaves no texts behind', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const id = await makeSecret(service, 'text', { as: child });
  assert.equal(await storedTexts(service, [id], child.organizationId), 1);
  const type = 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION';
  const { status } = await service.submit('delete_sub_organization', type, {}, child);
  assert.equal(status, 200);
  assert.equal(await storedTexts(service, [id], child.organizationId), 0);
});
