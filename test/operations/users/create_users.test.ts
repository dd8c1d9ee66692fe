import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hex } from '../../../src/core/base/bytes.ts';
import { stampOf, startTestService, testKey } from '../../support/harness.ts';
import { createTestIssuer, publish } from '../../support/identity_provider.ts';
import {
  describedByBrowser,
  describedPasskey,
  queryWithPasskey,
  shownPasskey,
} from '../authenticators/authenticator_requests.ts';
import {
  activityBody,
  assertCompleted,
  assertRefused,
  checkActivity,
  checkRefused,
} from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { makeTag } from '../private_keys/private_key_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  describedKey,
  describedUser,
  makeUser,
  makeUsers,
  makeUserTag,
  sendUsers,
  setFeatures,
  shownUser,
  timestampOf,
} from './user_requests.ts';

const wire = {
  operation: 'create_users',
  type: 'ACTIVITY_TYPE_CREATE_USERS_V4',
  intent: 'createUsersIntentV4',
  result: 'createUsersResult',
};

const secret = testKey('other curves').privateKey;
const secp256k1Key = {
  ...describedKey('secp256k1'),
  publicKey: hex(secp256k1.getPublicKey(secret, true)),
  curveType: 'API_KEY_CURVE_SECP256K1',
};
const ed25519Key = {
  ...describedKey('ed25519'),
  publicKey: hex(ed25519.getPublicKey(secret)).toUpperCase(),
  curveType: 'API_KEY_CURVE_ED25519',
};

test('create_users: stores every member, and the keys belong to the users', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const tags = [await makeUserTag(service, 'One'), await makeUserTag(service, 'Two')];
  const contacts = {
    userEmail: 'Alice.Example+tag@mail.example.com',
    userPhoneNumber: '+12025550123',
  };
  const full = describedUser('Alice', {
    ...contacts,
    userTags: [tags[1], String(tags[0]).toUpperCase()],
    apiKeys: [
      secp256k1Key,
      ed25519Key,
      describedKey('Alice', { expirationSeconds: '900' }),
      describedKey('Alice as a number', { expirationSeconds: 60 }),
    ],
  });
  const parameters = { users: [full, describedUser('Bob')] };
  const withUser = (changes: object) => ({ users: [{ ...describedUser('Bob'), ...changes }] });
  const withKey = (changes: object) => withUser({ apiKeys: [describedKey('Bob', changes)] });
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.users', parameters: { users: [] } },
      { field: 'parameters.users', parameters: { users: Array(101).fill(describedUser('Bob')) } },
      ...['userName', 'apiKeys', 'authenticators', 'oauthProviders', 'userTags'].map((name) => ({
        field: `parameters.users.0.${name}`,
        parameters: withUser({ [name]: undefined }),
      })),
      ...['apiKeyName', 'publicKey', 'curveType'].map((name) => ({
        field: `parameters.users.0.apiKeys.0.${name}`,
        parameters: withKey({ [name]: undefined }),
      })),
      { field: 'parameters.users.0.userName', parameters: withUser({ userName: '' }) },
      { field: 'parameters.users.0.userTags.0', parameters: withUser({ userTags: ['x'] }) },
      {
        field: 'parameters.users.0.userTags.1',
        parameters: withUser({ userTags: [tags[0], tags[0]] }),
      },
      { field: 'parameters.users.0.userEmail', parameters: withUser({ userEmail: 1 }) },
      { field: 'parameters.users.0.surprise', parameters: withUser({ surprise: 1 }) },
      { field: 'parameters.users.0.apiKeys.0.surprise', parameters: withKey({ surprise: 1 }) },
      {
        field: 'parameters.users.0.apiKeys.0.curveType',
        parameters: withKey({ curveType: 'P256' }),
      },
    ],
  });
  const createdAt = timestampOf(service.now());
  assert.deepEqual(Object.keys(result), ['userIds']);
  const [aliceId, bobId] = result.userIds;

  const alice = await shownUser(service, aliceId);
  const types = [
    'CREDENTIAL_TYPE_API_KEY_SECP256K1',
    'CREDENTIAL_TYPE_API_KEY_ED25519',
    'CREDENTIAL_TYPE_API_KEY_P256',
    'CREDENTIAL_TYPE_API_KEY_P256',
  ];
  assert.deepEqual(alice, {
    userId: aliceId,
    userName: 'Alice',
    ...contacts,
    authenticators: [],
    // RES-API-KEY-02 to RES-API-KEY-07, SHAPE-05, SHAPE-06, ENUM-01, AUTH-09
    apiKeys: full.apiKeys.map((key, i) => ({
      credential: { publicKey: key.publicKey, type: types[i] },
      apiKeyId: alice.apiKeys[i].apiKeyId,
      apiKeyName: key.apiKeyName,
      createdAt,
      updatedAt: createdAt,
      ...(i < 2 ? {} : { expirationSeconds: i === 2 ? '900' : '60' }),
    })),
    userTags: tags.toReversed(),
    oauthProviders: [],
    createdAt,
    updatedAt: createdAt,
    mfaPolicies: [],
  });
  const bob = await shownUser(service, bobId);
  assert.equal(Object.hasOwn(bob, 'userEmail'), false);
  assert.equal(Object.hasOwn(bob, 'userPhoneNumber'), false);
  for (const [name, userId] of [
    ['Alice', aliceId],
    ['Bob', bobId],
  ]) {
    const { body } = await service.query('whoami', {}, { key: testKey(name) });
    assert.deepEqual([body.userId, body.username], [userId, name]);
  }
  service.advance(60_000);
  const expired = await service.query('whoami', {}, { key: testKey('Alice as a number') });
  assertRefused(expired, 401, 16);
  assert.equal(expired.body.turnkeyErrorCode, 'API_KEY_EXPIRED');
});

test('create_users: takes older activity types, answered under their own names', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const named = { userName: 'User', userTags: [], authenticators: [] };
  const second = { ...named, apiKeys: [keyWithoutCurve('of V2')] };
  for (const [version, user] of [
    ['_V3', { ...named, oauthProviders: [], userPhoneNumber: '+15', apiKeys: [secp256k1Key] }],
    ['_V2', second],
    ['', { ...named, accessType: 'ACCESS_TYPE_API', apiKeys: [keyWithoutCurve('of V1')] }],
  ] as const) {
    const type = `ACTIVITY_TYPE_CREATE_USERS${version}`;
    const intent = `createUsersIntent${version.replace('_', '')}`;
    const parameters = { users: [user] };
    const body = activityBody(service, type, parameters);
    const { organizationId, key } = service.root;
    const answer = await service.send('submit', wire.operation, body, [stampOf(body, key)]);
    assertCompleted(
      answer,
      { type, intent, result: wire.result, parameters },
      body,
      organizationId,
    );
    const [userId] = answer.body.activity.result.createUsersResult.userIds;
    const [shown] = (await shownUser(service, userId)).apiKeys;
    const curve = version === '_V3' ? 'SECP256K1' : 'P256';
    assert.equal(shown.credential.type, `CREDENTIAL_TYPE_API_KEY_${curve}`);
  }
});

test('create_users: a passkey alone is enough to sign in, in every version', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { oauthProviders: _, ...second } = describedUser('User', { apiKeys: [] });
  for (const [version, user] of [
    ['_V4', { ...second, oauthProviders: [], authenticators: [describedPasskey('V4')] }],
    ['_V3', { ...second, oauthProviders: [], authenticators: [describedPasskey('V3')] }],
    ['_V2', { ...second, authenticators: [describedPasskey('V2')] }],
    ['', { ...second, accessType: 'ACCESS_TYPE_WEB', authenticators: [describedByBrowser('V1')] }],
  ] as const) {
    const type = `ACTIVITY_TYPE_CREATE_USERS${version}`;
    const { status, body } = await service.submit(wire.operation, type, { users: [user] });
    assert.equal(status, 200, JSON.stringify(body));
    const [userId] = body.activity.result.createUsersResult.userIds;
    const shown = await shownUser(service, userId);
    assert.deepEqual(shown.apiKeys, []);
    const name = version === '' ? 'V1' : version.slice(1);
    assert.deepEqual(shown.authenticators, [
      shownPasskey(name, shown.authenticators[0].authenticatorId, service.now()),
    ]);
    const whoami = await queryWithPasskey(service, name, 'whoami');
    assert.equal(whoami.body.userId, userId);
  }
});

test('create_users: an invalid passkey is refused with its path', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { attestation, ...rest } = describedPasskey('Second');
  const wrong = { ...rest, attestation: { ...attestation, clientDataJson: 'e30' } };
  const users = [
    describedUser('First', { authenticators: [describedPasskey('First')] }),
    describedUser('Second', { authenticators: [describedPasskey('Third'), wrong] }),
  ];
  await checkRefused(
    service,
    { ...wire, parameters: { users } },
    {
      status: 400,
      code: 3,
      text: /invalid authenticator attestation: expected/,
      field: 'parameters.users.1.authenticators.1.attestation.clientDataJson',
    },
  );
  const twice = [
    describedUser('One', { authenticators: [describedPasskey('Same')] }),
    describedUser('Two', { authenticators: [describedPasskey('Same')] }),
  ];
  const text = /^authenticator already exists: credential ID /;
  await checkRefused(
    service,
    { ...wire, parameters: { users: twice } },
    { status: 409, code: 6, text },
  );
});

test('create_users: registers accounts at identity providers by their tokens', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = createTestIssuer();
  publish(service, issuer);
  const provider = (sub: string) => ({
    providerName: `Provider of ${sub}`,
    oidcToken: issuer.token(service, { sub }),
  });
  const alone = { apiKeys: [], oauthProviders: [provider('ada')] };
  const [ada, bob] = await makeUsers(service, [
    describedUser('Ada', alone),
    describedUser('Bob', { oauthProviders: [provider('bob'), provider('bob at work')] }),
  ]);
  assert.deepEqual(
    (await shownUser(service, ada ?? '')).oauthProviders.map(
      (each: { subject: string }) => each.subject,
    ),
    ['ada'],
  );
  assert.equal((await shownUser(service, bob ?? '')).oauthProviders.length, 2);
  const third = {
    operation: wire.operation,
    type: 'ACTIVITY_TYPE_CREATE_USERS_V3',
    parameters: { users: [describedUser('Cid', { oauthProviders: [provider('cid')] })] },
  };
  assert.equal((await service.submit(third.operation, third.type, third.parameters)).status, 200);
  const claims = { iss: issuer.issuer, sub: 'new', aud: 'app' };
  for (const [oauthProviders, refusal] of [
    [
      [provider('ada')],
      { status: 409, code: 6, text: /^OAuth provider `Provider of ada` already/ },
    ],
    [[{ providerName: 'P', oidcToken: 'e30.e30.e30' }], { text: /^invalid OIDC token: / }],
    [[{ providerName: 'P', oidcClaims: claims }], { text: /claims alone prove nothing$/ }],
    [[{ providerName: 'P' }], { text: /exactly one of `oidcToken` and `oidcClaims`/ }],
  ] as const) {
    await checkRefused(
      service,
      {
        ...third,
        type: wire.type,
        parameters: { users: [describedUser('New', { oauthProviders })] },
      },
      { status: 400, code: 3, ...refusal },
    );
  }
});

test('create_users: each user needs a way to sign in', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const expiring = [describedKey('expiring', { expirationSeconds: '900' })];
  const contacts = { userEmail: 'user@example.com', userPhoneNumber: '+12025550123' };
  const missing = {
    status: 400,
    code: 3,
    text: /^user missing valid credential: `User` /,
    clientCode: 'REQUEST_INVALID',
  };
  const without = (changes: object) => describedUser('User', { apiKeys: [], ...changes });
  const refused = async (changes: object) => {
    const users = [describedUser('Before'), without(changes)];
    await checkRefused(service, { ...wire, parameters: { users } }, missing);
  };
  await refused({});
  await refused({ apiKeys: expiring });
  // The logins of a parent organization are disabled by default.
  await refused(contacts);
  const { userEmail, userPhoneNumber } = contacts;
  const features = [
    ['FEATURE_NAME_EMAIL_AUTH', { userEmail }, { userPhoneNumber }],
    ['FEATURE_NAME_OTP_EMAIL_AUTH', { userEmail }, { userPhoneNumber }],
    ['FEATURE_NAME_SMS_AUTH', { userPhoneNumber }, { userEmail }],
  ] as const;
  for (const [i, [feature, enough, other]] of features.entries()) {
    await setFeatures(service, [feature]);
    await refused({ ...other, apiKeys: expiring });
    const apiKeys = [describedKey(`expiring ${i}`, { expirationSeconds: '900' })];
    await makeUsers(service, [without(enough), without({ ...enough, apiKeys })]);
  }
  await setFeatures(service, ['FEATURE_NAME_EMAIL_RECOVERY', 'FEATURE_NAME_WEBAUTHN_ORIGINS']);
  await refused(contacts);
});

test('create_users: refuses malformed contacts and keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const refused = (field: string, user: object, clientCode?: string, text = /^invalid /) =>
    checkRefused(
      service,
      { ...wire, parameters: { users: [describedUser('Before'), user] } },
      {
        status: 400,
        code: 3,
        text,
        field: `parameters.users.1.${field}`,
        ...(clientCode === undefined ? {} : { clientCode }),
      },
    );
  const label = 'a'.repeat(63);
  for (const userEmail of [
    '',
    'user',
    'user@',
    '@example.com',
    'user@localhost',
    'us er@example.com',
    'user@exa mple.com',
    'user@example.com\n',
    'user@-example.com',
    'user@example-.com',
    'user@example..com',
    '.user@example.com',
    'user.@example.com',
    'us..er@example.com',
    'user@@example.com',
    'üser@example.com',
    `${'u'.repeat(65)}@example.com`,
    `user@${label}a.com`,
    `user@${Array(4).fill(label).join('.')}`,
  ]) {
    await refused(
      'userEmail',
      describedUser('User', { userEmail }),
      'INVALID_EMAIL',
      /^invalid email address/,
    );
  }
  for (const userPhoneNumber of [
    '',
    '12025550123',
    '+02025550123',
    '+1',
    '+1234567890123456',
    '+1 202 555 0123',
    '+12025550123\n',
    '+１２',
  ]) {
    await refused('userPhoneNumber', describedUser('User', { userPhoneNumber }));
  }
  const { publicKey } = describedKey('User');
  const withKey = (changes: object) =>
    describedUser('User', { apiKeys: [describedKey('Fine'), describedKey('User', changes)] });
  for (const changes of [
    { publicKey: '' },
    { publicKey: `0x${publicKey}` },
    { publicKey: publicKey.slice(2) },
    { publicKey: `${publicKey}00` },
    { publicKey: `04${publicKey.slice(2)}` },
    { publicKey: `${publicKey.slice(0, -1)}g` },
    // Valid lengths, but not on the curve: x without a y, and x beyond the field.
    { publicKey: `02${'00'.repeat(31)}01` },
    { publicKey: `02${'00'.repeat(31)}05`, curveType: 'API_KEY_CURVE_SECP256K1' },
    { publicKey: `02${'ff'.repeat(32)}` },
    { publicKey: `02${'ff'.repeat(32)}`, curveType: 'API_KEY_CURVE_SECP256K1' },
    { curveType: 'API_KEY_CURVE_ED25519' },
    // A point of small order, for which anyone can sign.
    { publicKey: `01${'00'.repeat(31)}`, curveType: 'API_KEY_CURVE_ED25519' },
  ]) {
    await refused('apiKeys.1.publicKey', withKey(changes));
  }
  for (const expirationSeconds of ['0', 0, '315360001', Number.MAX_SAFE_INTEGER]) {
    const text = /invalid api key expiration: expected 1 to 315360000 seconds/;
    await refused('apiKeys.1.expirationSeconds', withKey({ expirationSeconds }), undefined, text);
  }
  for (const expirationSeconds of ['', '-1', '01', '1.5', 1.5, 'never']) {
    await refused('apiKeys.1.expirationSeconds', withKey({ expirationSeconds }));
  }
  // The longest values that are allowed.
  await makeUsers(service, [
    describedUser('Longest', {
      userEmail: `${'u'.repeat(64)}@${Array(3).fill('a'.repeat(62)).join('.')}`,
      userPhoneNumber: '+123456789012345',
      apiKeys: [
        describedKey('Longest'),
        describedKey('Shortest life', { expirationSeconds: '1' }),
        describedKey('Longest life', { expirationSeconds: '315360000' }),
      ],
    }),
  ]);
});

test('create_users: a public key belongs to one user of an organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const exists = { status: 409, code: 6, text: /^API key already exists: public key / };
  const upperCase = { publicKey: testKey('Known').publicKey.toUpperCase() };
  await makeUser(service, 'Known');
  for (const users of [
    [describedUser('Known')],
    [describedUser('New', { apiKeys: [describedKey('Known', upperCase)] })],
    [describedUser('New', { apiKeys: [describedKey('New'), describedKey('New')] })],
    [describedUser('New'), describedUser('Newer', { apiKeys: [describedKey('New')] })],
  ]) {
    await checkRefused(service, { ...wire, parameters: { users } }, exists);
  }
  // Another organization may have the same key.
  await makeUser(service, 'Known', {}, await addChild(service));
});

test('create_users: takes only user tags of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const missing = { status: 404, code: 5, text: /^unable to find user tag / };
  for (const tagId of [
    unknownId,
    await makeTag(service, 'Of keys'),
    await makeUserTag(service, 'Of the child', [], child),
  ]) {
    const users = [describedUser('User', { userTags: [tagId] })];
    await checkRefused(service, { ...wire, parameters: { users } }, missing);
  }
});

test('create_users: creates at most 100 users, with at most 10 keys of each kind', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const keys = (count: number, changes: object = {}) =>
    Array.from({ length: count }, (_, i) => describedKey(`key ${i}`, changes));
  const expiring = { expirationSeconds: '900' };
  for (const [apiKeys, words] of [
    [keys(11), 'long-lived'],
    [[describedKey('long'), ...keys(11, expiring)], 'short-lived'],
  ] as const) {
    await checkRefused(
      service,
      { ...wire, parameters: { users: [describedUser('User', { apiKeys })] } },
      {
        status: 429,
        code: 8,
        text: new RegExp(`^user has exceeded maximum ${words} api keys: the limit is 10$`),
      },
    );
  }
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    for (let i = 0; i < 97; i += 1) {
      draft.put('user', { id: newId(), name: `User ${i}`, tagIds: [], ...times });
    }
    return undefined;
  });
  const text = /^organization has exceeded maximum users: the limit is 100$/;
  const users = ['A', 'B', 'C'].map((name) => describedUser(name));
  await checkRefused(service, { ...wire, parameters: { users } }, { status: 429, code: 8, text });
  assert.equal((await sendUsers(service, users.slice(0, 2))).status, 200);
});

/** Returns a key in the form of older versions. */
function keyWithoutCurve(name: string) {
  const { curveType: _, ...key } = describedKey(name);
  return key;
}
