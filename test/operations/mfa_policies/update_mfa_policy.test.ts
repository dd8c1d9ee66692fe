import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { makeUser, shownUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { apiKey, makeMfaPolicy, session, stepsOf } from './mfa_requests.ts';

const wire = {
  operation: 'update_mfa_policy',
  type: 'ACTIVITY_TYPE_UPDATE_MFA_POLICY',
  intent: 'updateMfaPolicyIntent',
  result: 'updateMfaPolicyResult',
};

test('update_mfa_policy: keeps omitted members', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  const mfaPolicyId = await makeMfaPolicy(service, userId, { notes: 'Old', order: 3 });
  const [before] = (await shownUser(service, userId)).mfaPolicies;
  const requiredAuthenticationMethods = stepsOf([apiKey], [session]);
  const parameters = {
    userId,
    mfaPolicyId: mfaPolicyId.toUpperCase(),
    condition: "activity.action == 'SIGN'",
    requiredAuthenticationMethods,
  };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['condition', 'requiredAuthenticationMethods'],
    malformed: [
      { field: 'parameters.condition', parameters: { ...parameters, condition: '1' } },
      { field: 'parameters.order', parameters: { ...parameters, order: -1 } },
      { field: 'parameters.mfaPolicyName', parameters: { ...parameters, mfaPolicyName: '' } },
    ],
  });
  assert.deepEqual(result, { mfaPolicyId });
  const [{ updatedAt, ...after }] = (await shownUser(service, userId)).mfaPolicies;
  const { updatedAt: earlier, ...rest } = before;
  assert.notDeepEqual(updatedAt, earlier);
  const { condition } = parameters;
  assert.deepEqual(after, { ...rest, condition, requiredAuthenticationMethods });
  const others = { mfaPolicyName: 'New', order: 1, notes: 'New notes' };
  const again = await service.submit(wire.operation, wire.type, {
    userId,
    mfaPolicyId,
    ...others,
  });
  assert.equal(again.status, 200);
  const [last] = (await shownUser(service, userId)).mfaPolicies;
  assert.deepEqual({ ...last, updatedAt }, { ...after, ...others, updatedAt });
});

test('update_mfa_policy: takes only policies of the named user', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const alice = await makeUser(service, 'Alice');
  const bob = await makeUser(service, 'Bob');
  const mfaPolicyId = await makeMfaPolicy(service, alice, { condition: 'false' });
  const text = /^unable to find MFA policy /;
  const missing = { status: 404, code: 5, text };
  for (const parameters of [
    { userId: bob, mfaPolicyId },
    { userId: alice, mfaPolicyId: unknownId },
  ]) {
    await checkRefused(service, { ...wire, parameters }, missing);
  }
  await checkRefused(
    service,
    {
      ...wire,
      parameters: { userId: alice, mfaPolicyId, order: 1 },
      as: { key: testKey('Alice') },
    },
    { status: 403, code: 7, text: /sufficient permissions/ },
  );
});
