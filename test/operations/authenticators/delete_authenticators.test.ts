import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { describedUser, makeUser, makeUsers, setFeatures } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  describedPasskey,
  makePasskeys,
  passkeyNames,
  queryWithPasskey,
  submitWithPasskey,
} from './authenticator_requests.ts';

const wire = {
  operation: 'delete_authenticators',
  type: 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS',
  intent: 'deleteAuthenticatorsIntent',
  result: 'deleteAuthenticatorsResult',
};

test('delete_authenticators: deletes the passkeys, and their stamps are refused', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  const ids = await makePasskeys(service, userId, ['One', 'Two', 'Three']);
  const [one, two, three] = ids as [string, string, string];
  const parameters = { userId: userId.toUpperCase(), authenticatorIds: [three, one.toUpperCase()] };
  const list = (authenticatorIds: readonly unknown[]) => ({ ...parameters, authenticatorIds });
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.userId', parameters: { ...parameters, userId: 'x' } },
      { field: 'parameters.authenticatorIds', parameters: list([]) },
      { field: 'parameters.authenticatorIds.1', parameters: list([one, 'x']) },
      { field: 'parameters.authenticatorIds.1', parameters: list([one, one.toUpperCase()]) },
    ],
  });
  assert.deepEqual(result, { authenticatorIds: [three, one] });
  assert.deepEqual(await passkeyNames(service, userId), ['Two']);
  for (const [name, status] of [
    ['One', 401],
    ['Two', 200],
    ['Three', 401],
  ] as const) {
    assert.equal((await queryWithPasskey(service, name, 'whoami')).status, status);
  }
  assertRefused(await service.query('get_authenticator', { authenticatorId: one }), 404, 5);
  assert.equal((await service.query('get_authenticator', { authenticatorId: two })).status, 200);
  // A deleted credential id is free again.
  await makePasskeys(service, userId, ['One']);
});

test('delete_authenticators: a user may delete its own passkeys, also that of the request', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const alice = await makeUser(service, 'Alice');
  const bob = await makeUser(service, 'Bob');
  const as = { key: testKey('Alice') };
  const [own, second] = await makePasskeys(service, alice, ['Own', 'Second'], as);
  const [ofBob] = await makePasskeys(service, bob, ['Of Bob']);
  const forbidden = { status: 403, code: 7, text: /^You don't have sufficient permissions/ };
  const missing = { status: 404, code: 5, text: /^unable to find authenticator / };
  for (const [parameters, refusal] of [
    [{ userId: bob, authenticatorIds: [ofBob] }, forbidden],
    // A passkey of Bob, requested with Alice's user id.
    [{ userId: alice, authenticatorIds: [ofBob] }, missing],
    [{ userId: alice, authenticatorIds: [own, ofBob] }, missing],
  ] as const) {
    await checkRefused(service, { ...wire, parameters, as }, refusal);
  }
  const parameters = { userId: alice.toUpperCase(), authenticatorIds: [own] };
  const { operation, type } = wire;
  const answer = await submitWithPasskey(service, 'Own', operation, type, parameters);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assertRefused(await queryWithPasskey(service, 'Own', 'whoami'), 401, 16);
  const left = { userId: alice, authenticatorIds: [second] };
  assert.equal((await service.submit(operation, type, left, as)).status, 200);
  assert.deepEqual(await passkeyNames(service, alice), []);
});

test('delete_authenticators: refuses unknown passkeys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const ofChild = await makeUser(service, 'Of the child', {}, child);
  const [passkeyOfChild] = await makePasskeys(service, ofChild, ['Second'], child);
  const { userId } = service.root;
  const [own] = await makePasskeys(service, userId, ['Own']);
  const noUser = { status: 404, code: 5, text: /^unable to find user / };
  const noPasskey = { status: 404, code: 5, text: /^unable to find authenticator / };
  for (const [parameters, refusal] of [
    [{ userId: unknownId, authenticatorIds: [own] }, noUser],
    [{ userId: ofChild, authenticatorIds: [passkeyOfChild] }, noUser],
    [{ userId, authenticatorIds: [unknownId] }, noPasskey],
    [{ userId, authenticatorIds: [passkeyOfChild] }, noPasskey],
  ] as const) {
    await checkRefused(service, { ...wire, parameters }, refusal);
  }
});

test('delete_authenticators: refuses to delete the last way to sign in', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const user = describedUser('Alice', {
    userEmail: 'alice@example.com',
    apiKeys: [],
    authenticators: [describedPasskey('One'), describedPasskey('Two')],
  });
  const [alice = ''] = await makeUsers(service, [user]);
  const { body } = await service.query('get_authenticators', { userId: alice });
  const [one, two] = body.authenticators.map(
    (each: { authenticatorId: string }) => each.authenticatorId,
  );
  const last = { status: 400, code: 3, text: /^user missing valid credential: `Alice` / };
  const refused = (authenticatorIds: readonly unknown[]) =>
    checkRefused(service, { ...wire, parameters: { userId: alice, authenticatorIds } }, last);
  const accepted = async (authenticatorIds: readonly unknown[]) => {
    const parameters = { userId: alice, authenticatorIds };
    const answer = await service.submit(wire.operation, wire.type, parameters);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  await refused([one, two]);
  await accepted([one]);
  await refused([two]);
  // The contact counts only if a login by this kind of contact is enabled.
  await setFeatures(service, ['FEATURE_NAME_SMS_AUTH']);
  await refused([two]);
  await setFeatures(service, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  await accepted([two]);
  assert.deepEqual(await passkeyNames(service, alice), []);
});

test('a user with a passkey may delete the last API key, and deleting the user deletes the passkey', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const alice = await makeUser(service, 'Alice');
  await makePasskeys(service, alice, ['Passkey']);
  const { apiKeys } = (await service.query('get_user', { userId: alice })).body.user;
  const parameters = { userId: alice, apiKeyIds: [apiKeys[0].apiKeyId] };
  const type = 'ACTIVITY_TYPE_DELETE_API_KEYS';
  assert.equal((await service.submit('delete_api_keys', type, parameters)).status, 200);
  const { body } = await queryWithPasskey(service, 'Passkey', 'whoami');
  assert.equal(body.userId, alice);
  const users = { userIds: [alice] };
  const deleted = await service.submit('delete_users', 'ACTIVITY_TYPE_DELETE_USERS', users);
  assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
  assertRefused(await queryWithPasskey(service, 'Passkey', 'whoami'), 401, 16);
  // Its credential id is free again.
  await makePasskeys(service, service.root.userId, ['Passkey']);
});
