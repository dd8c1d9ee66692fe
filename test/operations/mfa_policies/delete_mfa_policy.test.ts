import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { resultOf } from '../sessions/session_requests.ts';
import { makeUser, shownUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeMfaPolicy } from './mfa_requests.ts';

const wire = {
  operation: 'delete_mfa_policy',
  type: 'ACTIVITY_TYPE_DELETE_MFA_POLICY',
  intent: 'deleteMfaPolicyIntent',
  result: 'deleteMfaPolicyResult',
};

test('delete_mfa_policy: deletes the policy', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  const mfaPolicyId = await makeMfaPolicy(service, userId);
  const other = await makeMfaPolicy(service, userId, { order: 1 });
  const parameters = { userId, mfaPolicyId };
  const malformed = [{ field: 'parameters.mfaPolicyId', parameters: { userId, mfaPolicyId: 'x' } }];
  assert.deepEqual(await checkActivity(service, { ...wire, parameters, malformed }), {
    mfaPolicyId,
  });
  const { mfaPolicies } = await shownUser(service, userId);
  assert.deepEqual(
    mfaPolicies.map((policy: { mfaPolicyId: string }) => policy.mfaPolicyId),
    [other],
  );
  const text = /^unable to find MFA policy /;
  const missing = { status: 404, code: 5, text };
  await checkRefused(service, { ...wire, parameters }, missing);
  const unknown = { userId, mfaPolicyId: unknownId };
  await checkRefused(service, { ...wire, parameters: unknown }, missing);
});

test('delete_mfa_policy: another user can free a locked-out user', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeUser(service, 'Helper');
  const { userId } = service.root;
  await makePolicy(service, 'Recovery', {
    condition: "activity.resource == 'MFA_POLICY' && activity.action == 'DELETE'",
    consensus: 'approvers.count() >= 1',
  });
  const mfaPolicyId = await makeMfaPolicy(service, userId);
  const locked = await service.submit(wire.operation, wire.type, { userId, mfaPolicyId });
  assert.equal(locked.body.activity.status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED');
  const parameters = { userId, mfaPolicyId };
  const as = { key: testKey('Helper') };
  resultOf(await service.submit(wire.operation, wire.type, parameters, as));
  assert.deepEqual((await shownUser(service, userId)).mfaPolicies, []);
});
