import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity } from '../checks.ts';
import {
  addHolder,
  assertSealed,
  makeKey,
  removeHolder,
  seal,
  unseal,
} from './organization_key_requests.ts';

test('delete_key_holder: the secret of a removed holder opens nothing', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const holderId = await makeKey(service);
  const { body } = await addHolder(service, 'deputy');
  const deputyId = body.activity.result.createKeyHolderResult.holderId;
  const result = await checkActivity(service, {
    operation: 'delete_key_holder',
    type: 'ACTIVITY_TYPE_DELETE_KEY_HOLDER',
    intent: 'deleteKeyHolderIntent',
    result: 'deleteKeyHolderResult',
    parameters: { holderId },
    malformed: [{ field: 'parameters.holderId', parameters: { holderId: 'treasurer' } }],
  });
  assert.deepEqual(result, { holderId });
  await seal(service);
  assert.equal((await unseal(service, holderId)).status, 404);
  // The secret of the removed holder, sent with the id of the remaining holder.
  assert.equal((await unseal(service, deputyId)).status, 403);
  assert.equal((await unseal(service, deputyId, { name: 'deputy' })).status, 200);
});

test('delete_key_holder: refuses the last holder, and a sealed organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const holderId = await makeKey(service);
  const last = await removeHolder(service, holderId);
  assert.equal(last.status, 400);
  assert.match(last.body.message, /is the last one, and without it the wallets would be lost/);
  await addHolder(service, 'deputy');
  await seal(service);
  assertSealed(await removeHolder(service, holderId));
});
