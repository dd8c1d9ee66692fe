import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  minimal,
  operation,
  rootUser,
  type,
} from '../operations/organizations/sub_organization_requests.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { startTestService, testKey } from '../support/harness.ts';

test('a refusal by the policies of the parent shows the child nothing of them', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeUser(service, 'Backend');
  await makePolicy(service, 'A name that is nobody else’s business');
  const child = {
    ...minimal('Child'),
    rootUsers: [rootUser('Child root', { userEmail: 'owner@child.example' })],
  };
  const made = await service.submit(operation, type, child);
  const organizationId: string =
    made.body.activity.result.createSubOrganizationResultV8.subOrganizationId;

  const refused = await service.submit(
    'init_user_email_recovery',
    'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2',
    {
      email: 'owner@child.example',
      targetPublicKey: testKey('target').publicKey,
      emailCustomization: { appName: 'App' },
    },
    { organizationId, key: testKey('Backend') },
  );
  assert.equal(refused.status, 403);
  // The submitter sees the policies of its own organization.
  assert.match(JSON.stringify(refused.body.details), /nobody else’s business/);

  const listed = await service.query(
    'list_activities',
    {},
    { organizationId, key: testKey('Child root') },
  );
  const [kept] = listed.body.activities;
  assert.equal(kept.status, 'ACTIVITY_STATUS_FAILED');
  assert.equal(kept.failure.code, 7);
  assert.equal(kept.failure.message, refused.body.message);
  assert.deepEqual(kept.failure.details, []);
});
