import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser } from '../users/user_requests.ts';
import { assertFrozen, freeze, lift, makeFreeze, makeKeys, sign } from './freeze_requests.ts';

const wire = {
  operation: 'create_freeze',
  type: 'ACTIVITY_TYPE_CREATE_FREEZE',
  intent: 'createFreezeIntent',
  result: 'createFreezeResult',
};
const nobody = '01900000-0000-7000-8000-000000000000';

test('create_freeze: stops the subject once committed, and is listed', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [key] = await makeKeys(service);
  assert.equal((await sign(service, key)).status, 200);
  const { freezeId } = await checkActivity(service, {
    ...wire,
    parameters: {
      type: 'FREEZE_TYPE_PRIVATE_KEY',
      resourceId: key.toUpperCase(),
      reason: 'The laptop was stolen.',
    },
    optional: ['reason'],
    malformed: [
      { field: 'parameters.type', parameters: { type: 'FREEZE_TYPE_TAG' } },
      {
        field: 'parameters.resourceId',
        parameters: { type: 'FREEZE_TYPE_WALLET', resourceId: '1' },
      },
      {
        field: 'parameters.reason',
        parameters: { type: 'FREEZE_TYPE_ORGANIZATION', reason: 'x'.repeat(1001) },
      },
    ],
  });
  assertFrozen(await sign(service, key), new RegExp(`private key ${key} .* freeze ${freezeId}$`));
  const { body } = await service.query('list_freezes');
  const [{ createdAt, ...shown }] = body.freezes;
  assert.deepEqual(shown, {
    freezeId,
    type: 'FREEZE_TYPE_PRIVATE_KEY',
    resourceId: key,
    reason: 'The laptop was stolen.',
    userId: service.root.userId,
  });
  assert.equal(typeof createdAt.seconds, 'string');
});

test('create_freeze: a second freeze of a subject returns the first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const first = await makeFreeze(service);
  assert.equal(await makeFreeze(service), first);
  assert.notEqual(await makeFreeze(service, 'DEPLOYMENT'), first);
  assert.equal((await service.query('list_freezes')).body.freezes.length, 2);
});

test('create_freeze: refuses an unknown subject, and an ID that does not fit the kind', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  for (const type of ['WALLET', 'PRIVATE_KEY', 'USER', 'SUB_ORGANIZATION']) {
    const missing = await freeze(service, type, nobody);
    assert.equal(missing.status, 404, type);
    assert.match(missing.body.message, new RegExp(nobody));
    const without = await freeze(service, type);
    assert.match(JSON.stringify(without.body), /"field":"parameters.resourceId"/);
  }
  const [key] = await makeKeys(service);
  assert.equal((await freeze(service, 'WALLET', key)).status, 404);
  assert.match((await freeze(service, 'ORGANIZATION', key)).body.message, /expected no ID/);
  assert.match((await freeze(service, 'DEPLOYMENT', key)).body.message, /expected no ID/);
  assert.deepEqual((await service.query('list_freezes')).body.freezes, []);
});

test('create_freeze: a sub-organization can freeze neither the deployment nor other organizations', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  for (const type of ['DEPLOYMENT', 'SUB_ORGANIZATION']) {
    const { status, body } = await freeze(service, type, undefined, child);
    assert.equal(status, 403);
    assert.match(body.message, /a sub-organization cannot create a freeze of type/);
  }
  assert.equal(
    (await freeze(service, 'SUB_ORGANIZATION', service.root.organizationId)).status,
    404,
  );
});

test('create_freeze: a policy limits the subjects that a user may freeze', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const guard = { key: testKey('guard') };
  await makeUser(service, 'guard');
  const [key] = await makeKeys(service);
  await makePolicy(service, 'Guards freeze keys', {
    condition:
      "activity.kind == 'CREATE_FREEZE' && activity.params.type == 'FREEZE_TYPE_PRIVATE_KEY'",
    consensus: 'true',
  });
  await checkRefused(
    service,
    { ...wire, parameters: { type: 'FREEZE_TYPE_ORGANIZATION' }, as: guard },
    { status: 403, code: 7, text: /permission/ },
  );
  const freezeId = await makeFreeze(service, 'PRIVATE_KEY', key, guard);
  assertFrozen(await sign(service, key), /private key/);
  await lift(service, freezeId);
  assert.equal((await sign(service, key)).status, 200);
});

test('create_freeze: a limit bounds freezes, and never stops a freeze of the whole organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const [last, ...keys] = [
    ...(await makeKeys(service, 1, child)),
    ...(await makeKeys(service, 100, child)),
  ];
  for (const key of keys) await makeFreeze(service, 'PRIVATE_KEY', key, child);
  const { status, body } = await freeze(service, 'PRIVATE_KEY', last, child);
  assert.equal(status, 429, JSON.stringify(body));
  await makeFreeze(service, 'ORGANIZATION', undefined, child);
  assertFrozen(await sign(service, last, child), /the organization/);
});
