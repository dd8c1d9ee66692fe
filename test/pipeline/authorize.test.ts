import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityBody, assertRefused } from '../operations/checks.ts';
import { makeMfaPolicy } from '../operations/mfa_policies/mfa_requests.ts';
import {
  minimal,
  operation,
  rootUser,
  type,
} from '../operations/organizations/sub_organization_requests.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { stampOf, startTestService, testKey } from '../support/harness.ts';

test('a request in a child that the parent would not decide at once is refused and does not wait', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const backend = await makeUser(service, 'Backend');
  const careful = await makeUser(service, 'Careful');
  await makeMfaPolicy(service, careful);
  const byUser = (id: string) => `approvers.any(user, user.id == '${id}')`;
  await makePolicy(service, 'Two', {
    condition: 'true',
    consensus: `${byUser(backend)} && approvers.count() >= 2`,
  });
  await makePolicy(service, 'Alone', { condition: 'true', consensus: byUser(careful) });
  const owner = rootUser('Child root', { userEmail: 'owner@child.example' });
  const child = { ...minimal('Child'), rootUsers: [owner] };
  const made = await service.submit(operation, type, child);
  const organizationId: string =
    made.body.activity.result.createSubOrganizationResultV8.subOrganizationId;
  const parameters = {
    email: 'owner@child.example',
    targetPublicKey: testKey('target').publicKey,
    emailCustomization: { appName: 'App' },
  };
  const recover = (name: string) => {
    service.advance(1);
    const mailType = 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2';
    const body = activityBody(service, mailType, parameters, organizationId);
    return service.send('submit', 'init_user_email_recovery', body, [stampOf(body, testKey(name))]);
  };
  for (const [name, lacking] of [
    ['Backend', /requires further votes/],
    ['Careful', /requires further credentials/],
  ] as const) {
    const refused = await recover(name);
    assertRefused(refused, 403, 7);
    assert.match(refused.body.message, lacking);
  }
  const ofChild = { organizationId, key: testKey('Child root') };
  const { body } = await service.query('list_activities', {}, ofChild);
  assert.deepEqual(body.activities, []);
  assertRefused(await recover('Nobody'), 401, 16);
});
