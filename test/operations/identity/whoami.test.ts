import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { stampOf, startTestService, type TestService, testKey } from '../../support/harness.ts';
import { assertRefused, assertViolation } from '../checks.ts';
import { addChild, addPlainUser } from '../other_callers.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

// The organization of a key is found by the key: see test/pipeline/caller.test.ts.
test('whoami names the organization and the user of the key', async () => {
  const { organizationId, userId } = service.root;
  const names = { organizationId, organizationName: 'Test organization' };
  const root = await service.query('whoami');
  assert.equal(root.status, 200);
  assert.deepEqual(root.body, { ...names, userId, username: 'Root user' });

  const plain = await addPlainUser(service);
  const { body } = await service.query('whoami', {}, plain);
  assert.notEqual(body.userId, userId);
  assert.deepEqual(body, { ...names, userId: body.userId, username: 'Plain user' });

  const child = await addChild(service);
  const own = await service.query('whoami', {}, child);
  assert.equal(own.body.organizationId, child.organizationId);
  assert.equal(own.body.username, 'Child root');
});

test('whoami requires an organization id and a stamp, and takes no other member', async () => {
  for (const field of ['type', 'timestampMs', 'parameters', 'userId']) {
    assertViolation(await service.query('whoami', { [field]: 'x' }), field);
  }
  const body = new TextEncoder().encode('{}');
  const noId = await service.send('query', 'whoami', body, [stampOf(body, service.root.key)]);
  assertViolation(noId, 'organizationId');
  assertRefused(await service.query('whoami', {}, { key: testKey('stranger') }), 401, 16);
  assertRefused(await service.send('query', 'whoami', body, []), 401, 16); // REQ-10
});
