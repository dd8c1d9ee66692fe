import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity } from '../checks.ts';
import {
  addHolder,
  assertSealed,
  describedHolder,
  keyState,
  makeKey,
  seal,
  unseal,
} from './organization_key_requests.ts';

test('create_key_holder: each holder can unseal the organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const first = await makeKey(service);
  const parameters = await describedHolder(service, 'deputy');
  const { holderId } = await checkActivity(service, {
    operation: 'create_key_holder',
    type: 'ACTIVITY_TYPE_CREATE_KEY_HOLDER',
    intent: 'createKeyHolderIntent',
    result: 'createKeyHolderResult',
    parameters,
    malformed: [
      { field: 'parameters.type', parameters: { ...parameters, type: 'KEY_HOLDER_TYPE_KEY' } },
    ],
  });
  for (const [id, name] of [
    [first, 'treasurer'],
    [holderId, 'deputy'],
  ]) {
    await seal(service);
    assert.equal((await unseal(service, id, { name })).status, 200);
  }
});

test('create_key_holder: refuses a sealed organization, and more than 16 holders', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const first = await makeKey(service);
  await seal(service);
  assertSealed(await addHolder(service, 'deputy'));
  assert.equal((await unseal(service, first)).status, 200);
  for (let count = 1; count < 16; count += 1) {
    assert.equal((await addHolder(service, `holder ${count}`)).status, 200);
  }
  assert.equal((await addHolder(service, 'one more')).status, 429);
  assert.equal((await keyState(service)).organizationKey.holders.length, 16);
});
