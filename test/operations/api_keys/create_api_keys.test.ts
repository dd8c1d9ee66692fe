import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maximumInt } from '../../../src/core/policy/language/bounds.ts';
import { create_api_keys } from '../../../src/operations/api_keys/create_api_keys.ts';
import { stampOf, startTestService, testKey } from '../../support/harness.ts';
import {
  activityBody,
  assertCompleted,
  assertRefused,
  checkActivity,
  checkRefused,
} from '../checks.ts';
import { addChild, addPlainUser } from '../other_callers.ts';
import { describedKey, factsOf, makeUser, shownUser, timestampOf } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { keyNames, makeApiKeys, sendApiKeys } from './api_key_requests.ts';

const wire = {
  operation: 'create_api_keys',
  type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
  intent: 'createApiKeysIntentV2',
  result: 'createApiKeysResult',
};

const expiring = (name: string, seconds = 900) =>
  describedKey(name, { expirationSeconds: String(seconds) });

test('create_api_keys: adds the keys to the user, in request order', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  const upperCase = describedKey('Upper', {
    publicKey: testKey('Upper').publicKey.toUpperCase(),
  });
  const parameters = { userId: userId.toUpperCase(), apiKeys: [upperCase, expiring('Expiring')] };
  const withKey = (changes: object) => ({ userId, apiKeys: [describedKey('New', changes)] });
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.userId', parameters: { ...parameters, userId: 'x' } },
      { field: 'parameters.apiKeys', parameters: { ...parameters, apiKeys: [] } },
      ...['apiKeyName', 'publicKey', 'curveType'].flatMap((name) =>
        [undefined, 1, ''].map((value) => ({
          field: `parameters.apiKeys.0.${name}`,
          parameters: withKey({ [name]: value }),
        })),
      ),
      { field: 'parameters.apiKeys.0.surprise', parameters: withKey({ surprise: 1 }) },
      {
        field: 'parameters.apiKeys.0.publicKey',
        parameters: withKey({ curveType: 'API_KEY_CURVE_ED25519' }),
      },
      {
        field: 'parameters.apiKeys.0.expirationSeconds',
        parameters: withKey({ expirationSeconds: '0' }),
      },
    ],
  });
  const createdAt = timestampOf(service.now());
  const { apiKeys } = await shownUser(service, userId);
  const times = { createdAt, updatedAt: createdAt };
  const type = 'CREDENTIAL_TYPE_API_KEY_P256';
  assert.deepEqual(apiKeys.slice(1), [
    {
      credential: { publicKey: upperCase.publicKey, type },
      apiKeyId: result.apiKeyIds[0],
      apiKeyName: 'Upper',
      ...times,
    },
    {
      credential: { publicKey: testKey('Expiring').publicKey, type },
      apiKeyId: result.apiKeyIds[1],
      apiKeyName: 'Expiring',
      ...times,
      expirationSeconds: '900',
    },
  ]);
  for (const name of ['Upper', 'Expiring']) {
    const { body } = await service.query('whoami', {}, { key: testKey(name) });
    assert.equal(body.userId, userId);
  }
});

test('create_api_keys: the older activity type takes only P-256 keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId, organizationId, key } = service.root;
  const { curveType: _, ...old } = expiring('Old');
  const names = {
    type: 'ACTIVITY_TYPE_CREATE_API_KEYS',
    intent: 'createApiKeysIntent',
    result: 'createApiKeysResult',
    parameters: { apiKeys: [old], userId },
  };
  const body = activityBody(service, names.type, names.parameters);
  const answer = await service.send('submit', wire.operation, body, [stampOf(body, key)]);
  assertCompleted(answer, names, body, organizationId);
  const made = (await shownUser(service, userId)).apiKeys[1];
  assert.equal(made.credential.type, 'CREDENTIAL_TYPE_API_KEY_P256');
  assert.equal(made.expirationSeconds, '900');
  const withCurve = { apiKeys: [describedKey('New')], userId };
  await checkRefused(
    service,
    { operation: wire.operation, type: names.type, parameters: withCurve },
    { status: 400, code: 3, text: /unknown field/, field: 'parameters.apiKeys.0.curveType' },
  );
});

test('create_api_keys: a user may add keys to itself, the root quorum to all users', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const alice = await makeUser(service, 'Alice');
  const bob = await makeUser(service, 'Bob');
  const as = { key: testKey('Alice') };
  await makeApiKeys(service, alice, [describedKey('Own')], as);
  await makeApiKeys(service, alice.toUpperCase(), [describedKey('Own in upper case')], as);
  for (const userId of [bob, service.root.userId, unknownId]) {
    assertRefused(await sendApiKeys(service, userId, [describedKey('New')], as), 403, 7);
  }
  await makeApiKeys(service, bob, [describedKey('By root')]);
  assert.deepEqual(await keyNames(service, alice), ['Alice', 'Own', 'Own in upper case']);
  assert.deepEqual(await keyNames(service, bob), ['Bob', 'By root']);
});

test('create_api_keys: refuses unknown users and known keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const ofChild = await makeUser(service, 'Of the child', {}, child);
  const userId = await makeUser(service, 'Alice');
  const missing = { status: 404, code: 5, text: /^unable to find user / };
  const exists = { status: 409, code: 6, text: /^API key already exists: public key / };
  const inUpperCase = { publicKey: testKey('Alice').publicKey.toUpperCase() };
  for (const [parameters, refusal] of [
    [{ userId: unknownId, apiKeys: [describedKey('New')] }, missing],
    [{ userId: ofChild, apiKeys: [describedKey('New')] }, missing],
    [{ userId, apiKeys: [describedKey('Alice', inUpperCase)] }, exists],
    [{ userId, apiKeys: [describedKey('root')] }, exists],
    [{ userId, apiKeys: [describedKey('New'), describedKey('New')] }, exists],
  ] as const) {
    await checkRefused(service, { ...wire, parameters }, refusal);
  }
  // A credential of another organization is free here.
  await makeApiKeys(service, userId, [describedKey('Of the child')]);
});

test('create_api_keys: a user has at most 10 long-lived keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  const keys = Array.from({ length: 10 }, (_, i) => describedKey(`Key ${i}`));
  const text = /^user has exceeded maximum long-lived api keys: the limit is 10$/;
  const refusal = { status: 429, code: 8, text };
  await checkRefused(service, { ...wire, parameters: { userId, apiKeys: keys } }, refusal);
  // Expiring keys do not count toward the limit.
  await makeApiKeys(service, userId, [...keys.slice(0, 9), expiring('Expiring')]);
  const parameters = { userId, apiKeys: keys.slice(9) };
  await checkRefused(service, { ...wire, parameters }, refusal);
  assert.equal((await keyNames(service, userId)).length, 11);
  // Keys of other users do not count either.
  await makeApiKeys(service, service.root.userId, keys.slice(9));
});

test('create_api_keys: an expiring key above the limit evicts an older one', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  const other = await makeUser(service, 'Bob', {
    apiKeys: [describedKey('Bob'), expiring('Expired, of Bob', 1)],
  });
  const lives = [900, 60, 900, 30, 900, 900, 900, 900, 900, 900];
  for (const [i, life] of lives.entries()) {
    await makeApiKeys(service, userId, [expiring(`Key ${i}`, life)]);
  }
  const left = async () => (await keyNames(service, userId)).join().replaceAll('Key ', '');
  service.advance(100_000);
  // Expired keys go first, the oldest of them before the others.
  await makeApiKeys(service, userId, [expiring('Key a')]);
  assert.equal(await left(), 'Alice,0,2,3,4,5,6,7,8,9,a');
  await makeApiKeys(service, userId, [expiring('Key b')]);
  assert.equal(await left(), 'Alice,0,2,4,5,6,7,8,9,a,b');
  // Then the oldest keys that have not expired.
  await makeApiKeys(service, userId, [expiring('Key c'), describedKey('Key d'), expiring('Key e')]);
  assert.equal(await left(), 'Alice,4,5,6,7,8,9,a,b,c,d,e');
  assertRefused(await service.query('whoami', {}, { key: testKey('Key 0') }), 401, 16);
  assert.equal((await service.query('whoami', {}, { key: testKey('Key 4') })).status, 200);
  assert.deepEqual(await keyNames(service, other), ['Bob', 'Expired, of Bob']);
  // Keys of one request never evict each other.
  const many = Array.from({ length: 11 }, (_, i) => expiring(`Many ${i}`));
  const text = /^user has exceeded maximum short-lived api keys: the limit is 10$/;
  const parameters = { userId, apiKeys: many };
  await checkRefused(service, { ...wire, parameters }, { status: 429, code: 8, text });
  await makeApiKeys(service, userId, many.slice(1));
  const names = many.slice(1).map((key) => key.apiKeyName);
  assert.deepEqual(await keyNames(service, userId), ['Alice', 'Key d', ...names]);
});

test('create_api_keys: policies see the user id in lower case, and the lifetimes', () => {
  const userId = unknownId.replace('0', 'A');
  const apiKeys = [expiring('Short', 60), describedKey('Endless'), expiring('Long', 604_801)];
  assert.deepEqual(factsOf(create_api_keys, { userId, apiKeys }), {
    params: {
      user_id: userId.toLowerCase(),
      api_keys: [60n, maximumInt, 604_801n].map((seconds) => ({ expiration_seconds: seconds })),
    },
  });
});

test('create_api_keys: policies limit the lifetime of each key', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Agent');
  const provisioner = await addPlainUser(service);
  const create = (policyName: string, effect: string, condition: string) =>
    service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName,
      effect,
      condition,
      consensus: 'true',
      notes: '',
    });
  const target = `activity.type == '${wire.type}' && activity.params.user_id in ['${userId}']`;
  const limit = 'activity.params.api_keys.all(k, k.expiration_seconds <= 604800)';
  const { status } = await create('Provision', 'EFFECT_ALLOW', `${target} && ${limit}`);
  assert.equal(status, 200);
  const send = (...keys: readonly object[]) => sendApiKeys(service, userId, keys, provisioner);
  const accepted = (...keys: readonly object[]) => makeApiKeys(service, userId, keys, provisioner);
  await accepted(expiring('Week', 604_800), expiring('Minute', 60));
  const tooLong = [
    [expiring('Longer', 604_801)],
    [describedKey('Endless')],
    [expiring('Short', 60), describedKey('Endless')],
  ];
  for (const keys of tooLong) assertRefused(await send(...keys), 403, 7);

  await create('All', 'EFFECT_ALLOW', 'true');
  await accepted(describedKey('First endless'));
  const longer = 'activity.params.api_keys.any(k, k.expiration_seconds > 604800)';
  await create('No long keys', 'EFFECT_DENY', longer);
  for (const keys of tooLong) assertRefused(await send(...keys), 403, 7);
  await accepted(expiring('Hour', 3_600));
});
