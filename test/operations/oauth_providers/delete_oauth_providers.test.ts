import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  byToken,
  knownIssuer,
  makeProviders,
  sendProviders,
  subjectsOf,
} from './oauth_provider_requests.ts';

const wire = {
  operation: 'delete_oauth_providers',
  type: 'ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS',
  intent: 'deleteOauthProvidersIntent',
  result: 'deleteOauthProvidersResult',
};

test('delete_oauth_providers: deletes accounts, which may be registered again', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const userId = await makeUser(service, 'Ada');
  const tokens = ['one', 'two', 'three'].map((sub) => byToken(service, issuer, sub));
  const [first = '', second = '', third = ''] = await makeProviders(service, userId, tokens);
  const parameters = { userId, providerIds: [second.toUpperCase(), first] };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.providerIds', parameters: { userId, providerIds: [] } },
      { field: 'parameters.providerIds.0', parameters: { userId, providerIds: ['x'] } },
      { field: 'parameters.providerIds.1', parameters: { userId, providerIds: [third, third] } },
    ],
  });
  assert.deepEqual(result, { providerIds: [second, first] });
  assert.deepEqual(await subjectsOf(service, userId), ['three']);
  assert.equal((await sendProviders(service, userId, tokens.slice(0, 2))).status, 200);
});

test('delete_oauth_providers: takes accounts of the named user, from that user or the root quorum', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const ada = await makeUser(service, 'Ada');
  const bob = await makeUser(service, 'Bob');
  const ofAda = await makeProviders(service, ada, [byToken(service, issuer, 'ada')]);
  const ofBob = await makeProviders(service, bob, [byToken(service, issuer, 'bob')]);
  const notFound = { status: 404, code: 5, text: /^unable to find OAuth provider/ };
  for (const providerIds of [ofAda, [unknownId], [...ofBob, ...ofAda]]) {
    await checkRefused(service, { ...wire, parameters: { userId: bob, providerIds } }, notFound);
  }
  const send = (parameters: object, as: object) =>
    service.submit(wire.operation, wire.type, parameters, as);
  const asAda = { key: testKey('Ada') };
  assertRefused(await send({ userId: bob, providerIds: ofBob }, asAda), 403, 7);
  const child = await addChild(service);
  assertRefused(await send({ userId: ada, providerIds: ofAda }, child), 404, 5);
  assert.equal((await send({ userId: ada, providerIds: ofAda }, asAda)).status, 200);
  assert.deepEqual(await subjectsOf(service), ['bob']);
});

test('delete_oauth_providers: refuses to delete the last way to sign in', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const userId = await makeUser(service, 'Ada', {
    apiKeys: [],
    oauthProviders: [byToken(service, issuer, 'one'), byToken(service, issuer, 'two')],
  });
  const { body } = await service.query('get_oauth_providers', { userId });
  const ids = body.oauthProviders.map((each: { providerId: string }) => each.providerId);
  const last = { status: 400, code: 3, text: /^user missing valid credential: `Ada` needs a pass/ };
  const all = { userId, providerIds: ids };
  await checkRefused(service, { ...wire, parameters: all }, last);
  const one = { userId, providerIds: ids.slice(1) };
  assert.equal((await service.submit(wire.operation, wire.type, one)).status, 200);
});

test('delete_users: deletes the providers of a user', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const userId = await makeUser(service, 'Ada');
  await makeProviders(service, userId, [byToken(service, issuer, 'ada')]);
  const type = 'ACTIVITY_TYPE_DELETE_USERS';
  assert.equal((await service.submit('delete_users', type, { userIds: [userId] })).status, 200);
  assert.deepEqual(await subjectsOf(service), []);
  const bob = await makeUser(service, 'Bob');
  await makeProviders(service, bob, [byToken(service, issuer, 'ada')]);
});
