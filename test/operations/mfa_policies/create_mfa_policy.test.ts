import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noSessionProfileId } from '../../../src/core/users/credentials.ts';
import { addAuthenticator } from '../../pipeline/passkey_requests.ts';
import { startTestService, testKey } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeProfile } from '../sessions/session_requests.ts';
import { makeUser, shownUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  apiKey,
  describedMfa,
  emailOtp,
  oauth,
  passkey,
  session,
  smsOtp,
  stepsOf,
} from './mfa_requests.ts';

const wire = {
  operation: 'create_mfa_policy',
  type: 'ACTIVITY_TYPE_CREATE_MFA_POLICY',
  intent: 'createMfaPolicyIntent',
  result: 'createMfaPolicyResult',
};

test('create_mfa_policy: the user shows the policy', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  await addAuthenticator(service, userId, 'phone');
  const parameters = describedMfa(userId.toUpperCase(), { notes: 'For all' });
  const wrong = (field: string, changes: object) => ({
    field: `parameters.${field}`,
    parameters: { ...parameters, ...changes },
  });
  const methods = (...any: readonly object[]) => ({
    requiredAuthenticationMethods: [{ any }],
  });
  const steps = 'requiredAuthenticationMethods';
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['notes'],
    malformed: [
      wrong('userId', { userId: 'x' }),
      wrong('mfaPolicyName', { mfaPolicyName: '' }),
      wrong('condition', { condition: '' }),
      wrong('condition', { condition: 'activity.' }),
      wrong('condition', { condition: "approvers.any(user, user.id == 'x')" }),
      wrong('condition', { condition: `'${'ä'.repeat(2_050)}' == ''` }),
      wrong(steps, { requiredAuthenticationMethods: [] }),
      wrong(`${steps}.0.any`, methods()),
      wrong(`${steps}.0.any.0.type`, methods({ type: 'AUTHENTICATION_TYPE_FAX' })),
      wrong(`${steps}.0.any.0.id`, methods({ ...passkey, id: unknownId })),
      wrong(`${steps}.0.any.1.id`, methods(passkey, { ...emailOtp, id: unknownId })),
      wrong('order', { order: -1 }),
      wrong('order', { order: '1' }),
      wrong('order', { order: 1.5 }),
    ],
  });
  assert.deepEqual(Object.keys(result), ['mfaPolicyId']);
  const { mfaPolicies } = await shownUser(service, userId);
  const [{ createdAt, updatedAt, ...shown }, second] = mfaPolicies;
  assert.equal(second, undefined);
  assert.deepEqual(createdAt, updatedAt);
  const { userId: _, ...described } = parameters;
  assert.deepEqual(shown, { mfaPolicyId: result.mfaPolicyId, ...described });
});

test('create_mfa_policy: accepts only ids of credentials of the user', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const alice = await makeUser(service, 'Alice');
  await makeUser(service, 'Bob');
  await addAuthenticator(service, alice, 'phone');
  const authenticatorId = (await shownUser(service, alice)).authenticators[0].authenticatorId;
  const profileId = await makeProfile(service, 'Profile', 'true');
  const { apiKeyId } = (await shownUser(service, alice)).apiKeys[0];
  const send = (method: object, userId = alice) =>
    service.submit(
      wire.operation,
      wire.type,
      describedMfa(userId, {
        condition: 'false',
        requiredAuthenticationMethods: [{ any: [method] }],
      }),
    );
  for (const method of [
    { ...passkey, id: authenticatorId.toUpperCase() },
    { ...apiKey, id: apiKeyId },
    { ...session, id: profileId },
    { ...session, id: noSessionProfileId },
    { ...passkey, id: '' },
  ]) {
    assert.equal((await send(method)).status, 200, JSON.stringify(method));
  }
  for (const method of [
    { ...passkey, id: apiKeyId },
    { ...apiKey, id: service.root.apiKeyId },
    { ...oauth, id: authenticatorId },
    { ...session, id: unknownId },
    { ...smsOtp, id: unknownId },
  ]) {
    assertRefused(await send(method), 400, 3);
  }
  const { mfaPolicies } = await shownUser(service, alice);
  const [first, , , , last] = mfaPolicies;
  const [shown] = first.requiredAuthenticationMethods[0].any;
  assert.deepEqual(shown, { ...passkey, id: authenticatorId });
  assert.deepEqual(last.requiredAuthenticationMethods[0].any, [passkey]);
  assertRefused(await send(passkey, unknownId), 404, 5);
});

test('create_mfa_policy: warns of a policy that its user cannot meet', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice', { userEmail: 'alice@example.com' });
  const cases = [
    [stepsOf([apiKey]), false],
    [stepsOf([apiKey], [emailOtp]), false],
    [stepsOf([apiKey], [session]), false],
    [stepsOf([apiKey], [apiKey]), true],
    [stepsOf([apiKey, emailOtp], [apiKey]), false],
    [stepsOf([passkey]), true],
    [stepsOf([smsOtp]), true],
    [stepsOf([oauth, apiKey]), false],
  ] as const;
  for (const [requiredAuthenticationMethods, isWarned] of cases) {
    const parameters = describedMfa(userId, { condition: 'false', requiredAuthenticationMethods });
    const { status, body } = await service.submit(wire.operation, wire.type, parameters);
    assert.equal(status, 200, JSON.stringify(body));
    const codes = (body.warnings ?? []).map((warning: { code: string }) => warning.code);
    const expected = isWarned ? ['MFA_POLICY_CANNOT_BE_MET'] : [];
    assert.deepEqual(codes, expected, JSON.stringify(requiredAuthenticationMethods));
  }
});

test('create_mfa_policy: a user needs a policy, also for itself', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  const as = { key: testKey('Alice') };
  const parameters = describedMfa(userId);
  const text = /^You don't have sufficient permissions/;
  await checkRefused(service, { ...wire, parameters, as }, { status: 403, code: 7, text });
  await makePolicy(service, 'Factors', {
    condition: "activity.resource == 'MFA_POLICY' && activity.action == 'CREATE'",
    consensus: 'approvers.count() >= 2',
  });
  const answer = await service.submit(wire.operation, wire.type, parameters, as);
  assert.equal(answer.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
});

test('create_mfa_policy: a user has at most ten, and an organization has a bound', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const { body } = await service.query('whoami', {}, child);
  const put = (count: number, condition: string, userId: string) =>
    changeOrganization(
      service,
      (draft, newId) => {
        const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
        const requiredMethods = stepsOf([apiKey]);
        for (let order = 0; order < count; order += 1) {
          const row = { id: newId(), userId, name: 'P', condition, requiredMethods, order };
          draft.put('mfa_policy', { ...row, ...times });
        }
        return undefined;
      },
      child.organizationId,
    );
  const other = await makeUser(service, 'Other', {}, child);
  await put(10, 'false', other);
  const send = (userId: string) =>
    service.submit(wire.operation, wire.type, describedMfa(userId, { condition: 'false' }), child);
  const many = await send(other);
  assertRefused(many, 429, 8);
  assert.match(many.body.message, /^user has exceeded maximum MFA policies: the limit is 10$/);
  await put(9, `'${'x'.repeat(30_000)}' == ''`, body.userId);
  const much = await send(body.userId);
  assertRefused(much, 429, 8);
  assert.match(much.body.message, /characters of MFA policies: the limit is 262144$/);
});
