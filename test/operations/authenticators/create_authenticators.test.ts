import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64url, bytesOfBase64url, utf8 } from '../../../src/core/base/bytes.ts';
import { stampOf, startTestService, testKey } from '../../support/harness.ts';
import {
  activityBody,
  assertCompleted,
  assertRefused,
  checkActivity,
  checkRefused,
} from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { describedUser, makeUser, sendUsers, shownUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  describedByBrowser,
  describedPasskey,
  makePasskeys,
  passkeyNames,
  passkeyOf,
  queryWithPasskey,
  sendPasskeys,
  shownPasskey,
} from './authenticator_requests.ts';

const wire = {
  operation: 'create_authenticators',
  type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
  intent: 'createAuthenticatorsIntentV2',
  result: 'createAuthenticatorsResult',
};
const field = 'parameters.authenticators';

test('create_authenticators: takes ids of up to 1,023 bytes, and the passkey stamps with its id', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  const described = (credentialIdBytes: number) => [
    describedPasskey('Manager', { credentialIdBytes }),
  ];
  const refused = await sendPasskeys(service, userId, described(1_024));
  assert.equal(refused.status, 400);
  const { status, body } = await sendPasskeys(service, userId, described(1_023));
  assert.equal(status, 200, JSON.stringify(body));
  const stamped = await queryWithPasskey(
    service,
    'Manager',
    'whoami',
    {},
    { credentialIdBytes: 1_023 },
  );
  assert.deepEqual([stamped.status, stamped.body.userId], [200, userId]);
});

test('create_authenticators: adds the passkeys to the user, in request order', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  const rsa = { algorithm: 'RS256' } as const;
  const authenticators = [describedPasskey('Phone'), describedPasskey('Laptop', rsa)];
  const parameters = { userId: userId.toUpperCase(), authenticators };
  const withPasskey = (changes: object) => ({
    userId,
    authenticators: [{ ...describedPasskey('New'), ...changes }],
  });
  const { attestation } = describedPasskey('New');
  const without = (member: string) =>
    withPasskey({ attestation: { ...attestation, [member]: undefined } });
  const members = ['credentialId', 'clientDataJson', 'attestationObject', 'transports'];
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.userId', parameters: { ...parameters, userId: 'x' } },
      { field, parameters: { ...parameters, authenticators: [] } },
      ...['authenticatorName', 'challenge', 'attestation'].map((name) => ({
        field: `${field}.0.${name}`,
        parameters: withPasskey({ [name]: undefined }),
      })),
      ...members.map((name) => ({
        field: `${field}.0.attestation.${name}`,
        parameters: without(name),
      })),
      ...['authenticatorName', 'challenge'].map((name) => ({
        field: `${field}.0.${name}`,
        parameters: withPasskey({ [name]: '' }),
      })),
      { field: `${field}.0.surprise`, parameters: withPasskey({ surprise: 1 }) },
      {
        field: `${field}.0.attestation.transports.0`,
        parameters: withPasskey({ attestation: { ...attestation, transports: ['internal'] } }),
      },
    ],
  });
  const [phoneId, laptopId] = result.authenticatorIds;
  const shown = (await shownUser(service, userId)).authenticators;
  assert.deepEqual(shown, [
    shownPasskey('Phone', phoneId, service.now()),
    shownPasskey('Laptop', laptopId, service.now(), rsa),
  ]);
  for (const [name, options] of [
    ['Phone', {}],
    ['Laptop', rsa],
  ] as const) {
    const { body } = await queryWithPasskey(service, name, 'whoami', {}, options);
    assert.equal(body.userId, userId);
  }
});

test('create_authenticators: refuses a malformed registration, with its path', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  const good = describedPasskey('Good');
  const other = describedPasskey('Other').attestation;
  const { attestation } = good;
  const cases: [string, object][] = [
    ['challenge', { challenge: base64url(new Uint8Array(32)) }],
    ['attestation.clientDataJson', { attestation: { ...attestation, clientDataJson: 'e30' } }],
    ['attestation.clientDataJson', { ...describedPasskey('Good', {}, { type: 'webauthn.get' }) }],
    ['attestation.attestationObject', { attestation: { ...attestation, attestationObject: 'oA' } }],
    ['attestation.attestationObject', { ...describedPasskey('Good', {}, { flags: 0x40 }) }],
    ['attestation.attestationObject', { ...describedPasskey('Good', {}, { flags: 0x01 }) }],
    [
      'attestation.credentialId',
      { attestation: { ...attestation, credentialId: other.credentialId } },
    ],
  ];
  for (const [member, changes] of cases) {
    const authenticators = [describedPasskey('First'), { ...good, ...changes }];
    await checkRefused(
      service,
      { ...wire, parameters: { userId, authenticators } },
      {
        status: 400,
        code: 3,
        text: /invalid authenticator attestation: /,
        field: `${field}.1.${member}`,
      },
    );
  }
});

test('create_authenticators: unwraps a credential id from CBOR', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  const { attestation, ...rest } = describedPasskey('Wrapped');
  const id = bytesOfBase64url(attestation.credentialId);
  assert(id !== undefined);
  const credentialId = base64url(Uint8Array.of(0x58, id.length, ...id));
  const wrapped = { ...rest, attestation: { ...attestation, credentialId } };
  assert.equal((await sendPasskeys(service, userId, [wrapped])).status, 200);
  const [shown] = (await shownUser(service, userId)).authenticators;
  assert.equal(shown.credentialId, attestation.credentialId);
  assert.equal((await queryWithPasskey(service, 'Wrapped', 'whoami')).body.userId, userId);
  // The id is recognized in either encoding.
  const text = /^authenticator already exists: credential ID /;
  await checkRefused(
    service,
    { ...wire, parameters: { userId, authenticators: [describedPasskey('Wrapped')] } },
    { status: 409, code: 6, text },
  );
});

test('create_authenticators: the older activity type takes what browsers return', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId, organizationId, key } = service.root;
  const names = {
    type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS',
    intent: 'createAuthenticatorsIntent',
    result: 'createAuthenticatorsResult',
    parameters: { authenticators: [describedByBrowser('Old')], userId },
  };
  const body = activityBody(service, names.type, names.parameters);
  const answer = await service.send('submit', wire.operation, body, [stampOf(body, key)]);
  assertCompleted(answer, names, body, organizationId);
  const [id] = answer.body.activity.result.createAuthenticatorsResult.authenticatorIds;
  const { authenticators } = await shownUser(service, userId);
  assert.deepEqual(authenticators, [shownPasskey('Old', id, service.now())]);
  // A type does not take the form of another version.
  const newest = { authenticators: [describedPasskey('New')], userId };
  const answers = await service.submit(wire.operation, names.type, newest);
  assertRefused(answers, 400, 3);
});

test('create_authenticators: a user may add passkeys to itself, the root quorum to all users', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const alice = await makeUser(service, 'Alice');
  const bob = await makeUser(service, 'Bob');
  const as = { key: testKey('Alice') };
  await makePasskeys(service, alice, ['Own'], as);
  await makePasskeys(service, alice.toUpperCase(), ['Own in upper case'], as);
  for (const userId of [bob, service.root.userId, unknownId]) {
    assertRefused(await sendPasskeys(service, userId, [describedPasskey('New')], as), 403, 7);
  }
  await makePasskeys(service, bob, ['By root']);
  assert.deepEqual(await passkeyNames(service, alice), ['Own', 'Own in upper case']);
  assert.deepEqual(await passkeyNames(service, bob), ['By root']);
});

test('create_authenticators: refuses unknown users and known credential ids', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const ofChild = await makeUser(service, 'Of the child', {}, child);
  await makePasskeys(service, ofChild, ['Of the child'], child);
  const alice = await makeUser(service, 'Alice');
  const bob = await makeUser(service, 'Bob');
  await makePasskeys(service, alice, ['Of Alice']);
  const missing = { status: 404, code: 5, text: /^unable to find user / };
  const exists = { status: 409, code: 6, text: /^authenticator already exists: credential ID / };
  const fresh = describedPasskey('New');
  for (const [parameters, refusal] of [
    [{ userId: unknownId, authenticators: [fresh] }, missing],
    [{ userId: ofChild, authenticators: [fresh] }, missing],
    [{ userId: alice, authenticators: [describedPasskey('Of Alice')] }, exists],
    [{ userId: bob, authenticators: [fresh, describedPasskey('Of Alice')] }, exists],
    [{ userId: bob, authenticators: [fresh, fresh] }, exists],
  ] as const) {
    await checkRefused(service, { ...wire, parameters }, refusal);
  }
  // A credential of another organization is free here.
  await makePasskeys(service, bob, ['Of the child']);
});

test('create_authenticators: a user has at most 10', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  const passkeys = Array.from({ length: 11 }, (_, i) => describedPasskey(`Passkey ${i}`));
  const text = /^user has exceeded maximum authenticators: the limit is 10$/;
  const refusal = { status: 429, code: 8, text };
  const parameters = { userId, authenticators: passkeys };
  await checkRefused(service, { ...wire, parameters }, refusal);
  const user = describedUser('Bob', { authenticators: passkeys });
  assertRefused(await sendUsers(service, [user]), 429, 8);
  assert.equal((await sendPasskeys(service, userId, passkeys.slice(0, 10))).status, 200);
  await checkRefused(
    service,
    { ...wire, parameters: { userId, authenticators: passkeys.slice(10) } },
    refusal,
  );
  // Passkeys of other users do not count.
  await makePasskeys(service, service.root.userId, ['Passkey 10']);
});

test('create_authenticators: refuses passkeys of origins that the parent does not allow', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const { userId } = service.root;
  const ofChild = await makeUser(service, 'Of the child', {}, child);
  const feature = {
    name: 'FEATURE_NAME_WEBAUTHN_ORIGINS',
    value: 'https://wallet.example,https://pay.example',
  };
  const set = (as = {}) =>
    service.submit(
      'set_organization_feature',
      'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE',
      feature,
      as,
    );
  // The feature of the child has no effect.
  assert.equal((await set(child)).status, 200);
  await makePasskeys(service, ofChild, ['Before'], child);
  assert.equal((await set()).status, 200);

  const expected =
    /expected the origin to be one of https:\/\/wallet\.example, https:\/\/pay\.example, got `http:\/\/localhost:3000`/;
  const refusal = {
    status: 400,
    code: 3,
    text: expected,
    field: `${field}.0.attestation.clientDataJson`,
  };
  const wrong = [describedPasskey('Wrong')];
  await checkRefused(service, { ...wire, parameters: { userId, authenticators: wrong } }, refusal);
  const parameters = { userId: ofChild, authenticators: wrong };
  await checkRefused(service, { ...wire, parameters, as: child }, refusal);
  const users = await sendUsers(service, [describedUser('User', { authenticators: wrong })]);
  assertRefused(users, 400, 3);
  assert.match(users.body.message, expected);

  const origin = 'https://pay.example';
  const right = [describedPasskey('Right', { rpId: 'pay.example', origin })];
  assert.equal((await sendPasskeys(service, userId, right)).status, 200);
  assert.equal((await sendPasskeys(service, ofChild, right, child)).status, 200);
});

test('create_authenticators: a request that waits for votes registers after the last vote', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId: root } = service.root;
  const second = await makeUser(service, 'Second');
  const third = await makeUser(service, 'Third');
  const quorum = { threshold: 2, userIds: [root, second] };
  const type = 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM';
  assert.equal((await service.submit('update_root_quorum', type, quorum)).status, 200);
  const asked = await sendPasskeys(service, third, [describedPasskey('Voted')]);
  assert.equal(asked.status, 200);
  const { fingerprint, status } = asked.body.activity;
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.deepEqual(await passkeyNames(service, third), []);
  const vote = await service.submit(
    'approve_activity',
    'ACTIVITY_TYPE_APPROVE_ACTIVITY',
    { fingerprint },
    { key: testKey('Second') },
  );
  assert.equal(vote.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.deepEqual(await passkeyNames(service, third), ['Voted']);
});

test('create_authenticators: finds a passkey by its raw id of any length', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  for (const credentialIdBytes of [16, 64, 192]) {
    const options = { credentialIdBytes };
    const name = `Of ${credentialIdBytes}`;
    const described = describedPasskey(name, options);
    assert.equal((await sendPasskeys(service, userId, [described])).status, 200);
    const body = utf8(JSON.stringify({ organizationId: service.root.organizationId }));
    const value = passkeyOf(name, options).stamp(body);
    const headers = [{ name: 'x-stamp-webauthn', value }];
    assert.equal((await service.send('query', 'whoami', body, headers)).status, 200);
  }
});
