import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delete_api_keys } from '../../../src/operations/api_keys/delete_api_keys.ts';
import { startTestService, testKey } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { describedKey, factsOf, makeUser, setFeatures, shownUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { keyNames, makeApiKeys } from './api_key_requests.ts';

const wire = {
  operation: 'delete_api_keys',
  type: 'ACTIVITY_TYPE_DELETE_API_KEYS',
  intent: 'deleteApiKeysIntent',
  result: 'deleteApiKeysResult',
};

test('delete_api_keys: deletes the keys, and their stamps are refused', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  const apiKeys = ['One', 'Two', 'Three'].map((name) => describedKey(name));
  const ids = await makeApiKeys(service, userId, apiKeys);
  const [one, two, three] = ids as [string, string, string];
  const parameters = { userId: userId.toUpperCase(), apiKeyIds: [three, one.toUpperCase()] };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.userId', parameters: { ...parameters, userId: 'x' } },
      { field: 'parameters.apiKeyIds', parameters: { ...parameters, apiKeyIds: [] } },
      { field: 'parameters.apiKeyIds.1', parameters: { ...parameters, apiKeyIds: [one, 'x'] } },
      {
        field: 'parameters.apiKeyIds.1',
        parameters: { ...parameters, apiKeyIds: [one, one.toUpperCase()] },
      },
    ],
  });
  assert.deepEqual(result, { apiKeyIds: [three, one] });
  assert.deepEqual(await keyNames(service, userId), ['Alice', 'Two']);
  for (const [name, status] of [
    ['One', 401],
    ['Two', 200],
    ['Three', 401],
  ] as const) {
    assert.equal((await service.query('whoami', {}, { key: testKey(name) })).status, status);
  }
  assertRefused(await service.query('get_api_key', { apiKeyId: one }), 404, 5);
  assert.equal((await service.query('get_api_key', { apiKeyId: two })).status, 200);
  // A deleted public key is free again.
  await makeApiKeys(service, userId, apiKeys.slice(0, 1));
});

test('delete_api_keys: a user may delete its own keys, also the key of the request', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const alice = await makeUser(service, 'Alice');
  const bob = await makeUser(service, 'Bob');
  const as = { key: testKey('Alice') };
  const [own] = await makeApiKeys(service, alice, [describedKey('Own')], as);
  const [ofBob] = await makeApiKeys(service, bob, [describedKey('Of Bob')]);
  const forbidden = { status: 403, code: 7, text: /^You don't have sufficient permissions/ };
  const missing = { status: 404, code: 5, text: /^unable to find API key / };
  for (const [parameters, refusal] of [
    [{ userId: bob, apiKeyIds: [ofBob] }, forbidden],
    // A key of Bob, requested with Alice's user id.
    [{ userId: alice, apiKeyIds: [ofBob] }, missing],
    [{ userId: alice, apiKeyIds: [own, ofBob] }, missing],
  ] as const) {
    await checkRefused(service, { ...wire, parameters, as }, refusal);
  }
  const { apiKeyId } = (await shownUser(service, alice)).apiKeys[0];
  const parameters = { userId: alice.toUpperCase(), apiKeyIds: [apiKeyId] };
  const { status } = await service.submit(wire.operation, wire.type, parameters, as);
  assert.equal(status, 200);
  assertRefused(await service.query('whoami', {}, as), 401, 16);
  assert.deepEqual(await keyNames(service, alice), ['Own']);
});

test('delete_api_keys: refuses unknown keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const ofChild = await makeUser(service, 'Of the child', {}, child);
  const [keyOfChild] = await makeApiKeys(service, ofChild, [describedKey('Second')], child);
  const { userId, apiKeyId } = service.root;
  const noUser = { status: 404, code: 5, text: /^unable to find user / };
  const noKey = { status: 404, code: 5, text: /^unable to find API key / };
  for (const [parameters, refusal] of [
    [{ userId: unknownId, apiKeyIds: [apiKeyId] }, noUser],
    [{ userId: ofChild, apiKeyIds: [keyOfChild] }, noUser],
    [{ userId, apiKeyIds: [unknownId] }, noKey],
    [{ userId, apiKeyIds: [keyOfChild] }, noKey],
  ] as const) {
    await checkRefused(service, { ...wire, parameters }, refusal);
  }
});

test('delete_api_keys: refuses to delete the last way to sign in', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userEmail = 'alice@example.com';
  const alice = await makeUser(service, 'Alice', { userEmail });
  const { apiKeyId } = (await shownUser(service, alice)).apiKeys[0];
  const life = { expirationSeconds: '900' };
  const [second, expiring] = await makeApiKeys(service, alice, [
    describedKey('Second'),
    describedKey('Expiring', life),
  ]);
  const last = { status: 400, code: 3, text: /^user missing valid credential: `Alice` / };
  const refused = (apiKeyIds: readonly unknown[]) =>
    checkRefused(service, { ...wire, parameters: { userId: alice, apiKeyIds } }, last);
  const accepted = async (apiKeyIds: readonly unknown[]) => {
    const parameters = { userId: alice, apiKeyIds };
    const { status, body } = await service.submit(wire.operation, wire.type, parameters);
    assert.equal(status, 200, JSON.stringify(body));
  };
  await refused([apiKeyId, second]);
  await accepted([second]);
  await refused([apiKeyId]);
  await refused([apiKeyId, expiring]);
  // The contact counts only if a login by this kind of contact is enabled.
  await setFeatures(service, ['FEATURE_NAME_SMS_AUTH']);
  await refused([apiKeyId]);
  await setFeatures(service, ['FEATURE_NAME_EMAIL_AUTH']);
  await accepted([apiKeyId]);
  // An expiring key does not count as a way to sign in.
  await setFeatures(service, []);
  await accepted([expiring]);
  assert.deepEqual(await keyNames(service, alice), []);
});

test('delete_api_keys: policies see ids in lower case', () => {
  const id = unknownId.replace('0', 'A');
  assert.deepEqual(factsOf(delete_api_keys, { userId: id, apiKeyIds: [id, unknownId] }), {
    params: { user_id: id.toLowerCase(), api_key_ids: [id.toLowerCase(), unknownId] },
  });
});
