import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { checkActivity } from '../checks.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser } from '../users/user_requests.ts';
import { assertFrozen, makeFreeze, makeKeys, sign, unfreeze } from './freeze_requests.ts';

test('delete_freeze: lifts exactly one freeze', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [key] = await makeKeys(service);
  const freezeId = await makeFreeze(service);
  await makeFreeze(service, 'PRIVATE_KEY', key);
  assertFrozen(await sign(service, key), /the organization/);
  const result = await checkActivity(service, {
    operation: 'delete_freeze',
    type: 'ACTIVITY_TYPE_DELETE_FREEZE',
    intent: 'deleteFreezeIntent',
    result: 'deleteFreezeResult',
    parameters: { freezeId },
    malformed: [{ field: 'parameters.freezeId', parameters: { freezeId: 'organization' } }],
  });
  assert.deepEqual(result, { freezeId });
  assertFrozen(await sign(service, key), /private key/);
  const again = await unfreeze(service, freezeId);
  assert.equal(again.status, 404);
  // Freezing the subject again creates another freeze; a request to lift the earlier freeze fails.
  assert.notEqual(await makeFreeze(service), freezeId);
  assert.equal((await unfreeze(service, freezeId)).status, 404);
});

test('delete_freeze: no policy allows it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const guard = { key: testKey('guard') };
  await makeUser(service, 'guard');
  await makePolicy(service, 'All', { condition: 'true', consensus: 'true' });
  const freezeId = await makeFreeze(service, 'ORGANIZATION', undefined, guard);
  const { status, body } = await unfreeze(service, freezeId, guard);
  assert.equal(status, 403);
  assert.match(JSON.stringify(body), /Only the root quorum can take this action/);
  assert.equal((await service.query('list_freezes')).body.freezes.length, 1);
});
