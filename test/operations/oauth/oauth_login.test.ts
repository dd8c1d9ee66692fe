// OP-OAUTH-LOGIN-01, OP-OAUTH-LOGIN-03, AUTH-11, AUTH-12
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifySessionJwtSignature } from '@turnkey/crypto';
import { hex } from '../../../src/core/base/bytes.ts';
import { oauth_login } from '../../../src/operations/oauth/oauth_login.ts';
import { stampOf, startTestService, testKey } from '../../support/harness.ts';
import { nonceOf } from '../../support/identity_provider.ts';
import { activityBody, assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { byToken, knownIssuer, makeProviders } from '../oauth_providers/oauth_provider_requests.ts';
import { addChild } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { factsOf, makeUser, shownUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { claimsOf, testServiceKeys, tokenFor } from './oauth_requests.ts';

const wire = {
  operation: 'oauth_login',
  type: 'ACTIVITY_TYPE_OAUTH_LOGIN', // OP-OAUTH-LOGIN-02
  intent: 'oauthLoginIntent', // OP-OAUTH-LOGIN-11
  result: 'oauthLoginResult', // OP-OAUTH-LOGIN-12
};
const session = testKey('session');
const { publicKey } = session;

test('oauth_login: the key in the nonce becomes a session of the user', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const userId = await makeUser(service, 'Ada');
  await makeProviders(service, userId, [byToken(service, issuer, 'ada')]);
  // OP-OAUTH-LOGIN-04, OP-OAUTH-LOGIN-05
  const parameters = { oidcToken: tokenFor(service, issuer, publicKey), publicKey };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    refusedInChild: { status: 400, code: 3 },
    malformed: [
      {
        field: 'parameters.expirationSeconds',
        parameters: { ...parameters, expirationSeconds: 'x' },
      },
      {
        field: 'parameters.sessionProfileId',
        parameters: { ...parameters, sessionProfileId: 'x' },
      },
    ],
  });
  // OP-OAUTH-LOGIN-13, OP-OAUTH-LOGIN-14
  assert.deepEqual(claimsOf(result.session), {
    exp: Math.floor(service.now() / 1000) + 900, // OP-OAUTH-LOGIN-08, LIM-02
    public_key: publicKey,
    session_type: 'SESSION_TYPE_READ_WRITE',
    user_id: userId,
    organization_id: service.root.organizationId,
  });
  const notarizer = hex(testServiceKeys.publicKey('notarizer'));
  assert.equal(await verifySessionJwtSignature(result.session, notarizer), true);
  const [, made] = (await shownUser(service, userId)).apiKeys;
  assert.deepEqual(made.credential, { publicKey, type: 'CREDENTIAL_TYPE_LOGIN' });
  assert.equal((await service.query('whoami', {}, { key: session })).body.userId, userId);
  service.advance(900_000);
  assertRefused(await service.query('whoami', {}, { key: session }), 401, 16);
});

test('oauth_login: adds no key without a valid token', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  await makeProviders(service, service.root.userId, [byToken(service, issuer, 'ada')]);
  const other = testKey('another key').publicKey;
  // OP-OAUTH-LOGIN-06
  for (const [oidcToken, text] of [
    [tokenFor(service, issuer, other), /`nonce`: expected the SHA-256 of the text of `publicKey`/],
    [tokenFor(service, issuer, publicKey, { exp: 1 }), /has expired/],
    [tokenFor(service, issuer, publicKey, { sub: 'eve' }), /no user of organization/],
  ] as const) {
    await checkRefused(
      service,
      { ...wire, parameters: { oidcToken, publicKey } },
      { status: 400, code: 3, text, clientCode: 'INVALID_OIDC_TOKEN' },
    );
  }
  assertRefused(await service.query('whoami', {}, { key: session }), 401, 16);
  // A malformed key is refused, although its token is valid.
  const text = publicKey.slice(2);
  const parameters = { oidcToken: tokenFor(service, issuer, text), publicKey: text };
  const refusal = { status: 400, code: 3, text: /33 bytes in hex/, field: 'parameters.publicKey' };
  await checkRefused(service, { ...wire, parameters }, refusal);
});

test('oauth_login: a repeated token and key extend the same session', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const { userId } = service.root;
  await makeProviders(service, userId, [byToken(service, issuer, 'ada')]);
  const oidcToken = tokenFor(service, issuer, publicKey);
  const login = async (more: object) => {
    const parameters = { oidcToken, publicKey, ...more };
    const { status, body } = await service.submit(wire.operation, wire.type, parameters);
    assert.equal(status, 200, JSON.stringify(body));
    return claimsOf(body.activity.result.oauthLoginResult.session);
  };
  await login({});
  service.advance(60_000);
  const { exp } = await login({ expirationSeconds: '3600' }); // OP-OAUTH-LOGIN-07
  assert.equal(exp, Math.floor(service.now() / 1000) + 3600);
  const keys = async () => (await shownUser(service, userId)).apiKeys.length;
  assert.equal(await keys(), 2);
  const elsewhere = testKey('elsewhere').publicKey;
  const second = { oidcToken: tokenFor(service, issuer, elsewhere), publicKey: elsewhere };
  await login(second);
  assert.equal(await keys(), 3);
  await login({ ...second, invalidateExisting: true }); // OP-OAUTH-LOGIN-09, OP-OAUTH-LOGIN-10
  assert.equal(await keys(), 2);
  assertRefused(await service.query('whoami', {}, { key: session }), 401, 16);
});

test('oauth_login: a session profile of the parent limits the session', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const child = await addChild(service);
  const oauthProviders = [byToken(service, issuer, 'ada')];
  const userId = await makeUser(service, 'Ada', { oauthProviders }, child);
  const made = await service.submit(
    'create_session_profile',
    'ACTIVITY_TYPE_CREATE_SESSION_PROFILE',
    {
      sessionProfileName: 'Reader',
      scope: "activity.action == 'NOTHING'",
      expirationSeconds: '60',
    },
  );
  const { sessionProfileId } = made.body.activity.result.createSessionProfileResult;
  const parameters = { oidcToken: tokenFor(service, issuer, publicKey), publicKey };
  const profiled = { ...parameters, sessionProfileId };
  const { status, body } = await service.submit(wire.operation, wire.type, profiled);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.activity.organizationId, child.organizationId);
  const claims = claimsOf(body.activity.result.oauthLoginResult.session);
  assert.equal(claims.session_type, 'Reader');
  assert.equal(claims.session_profile_id, sessionProfileId);
  assert.deepEqual([claims.user_id, claims.organization_id], [userId, child.organizationId]);
  const as = { organizationId: child.organizationId, key: session };
  const type = 'ACTIVITY_TYPE_CREATE_USER_TAG';
  const tag = { userTagName: 'Tag', userIds: [] };
  assertRefused(await service.submit('create_user_tag', type, tag, as), 403, 7);
  await checkRefused(
    service,
    { ...wire, parameters: { ...parameters, sessionProfileId: unknownId } },
    { status: 404, code: 5, text: /^unable to find session profile/ },
  );
});

test('oauth_login: policies see the session profile', () => {
  const given = { oidcToken: '', publicKey: '', sessionProfileId: unknownId.toUpperCase() };
  assert.deepEqual(factsOf(oauth_login, given), { params: { session_profile_id: unknownId } });
  const none = { oidcToken: '', publicKey: '' };
  assert.deepEqual(factsOf(oauth_login, none), { params: { session_profile_id: '' } });
});

test('oauth_login: a repeated request in the parent’s name is one login of the child', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const child = await addChild(service);
  await makeUser(service, 'Ada', { oauthProviders: [byToken(service, issuer, 'ada')] }, child);
  const oidcToken = issuer.token(service, { sub: 'ada', nonce: nonceOf(publicKey) });
  const sent = activityBody(service, wire.type, { oidcToken, publicKey });
  const send = () =>
    service.send('submit', wire.operation, sent, [stampOf(sent, service.root.key)]);
  const first = await send();
  assert.equal(first.body.activity.organizationId, child.organizationId);
  assert.equal((await send()).body.activity.id, first.body.activity.id);
  // No child has this account, so the request acts in the parent, which has no such account either.
  await checkRefused(
    service,
    {
      ...wire,
      parameters: { oidcToken: tokenFor(service, issuer, publicKey, { sub: 'eve' }), publicKey },
    },
    {
      status: 400,
      code: 3,
      text: new RegExp(`no user of organization ${service.root.organizationId}`),
    },
  );
  const { body } = await service.query('list_activities', {}, child);
  assert.equal(body.activities[0].id, first.body.activity.id);
});

test('oauth_login: a login that waits for a vote verifies its token at the deciding vote', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const userId = await makeUser(service, 'Ada');
  await makeProviders(service, userId, [byToken(service, issuer, 'ada')]);
  for (const name of ['One', 'Other']) await makeUser(service, name);
  await makePolicy(service, 'Both', {
    condition: "activity.type == 'ACTIVITY_TYPE_OAUTH_LOGIN'",
    consensus: 'approvers.count() >= 2',
  });
  const parameters = { oidcToken: tokenFor(service, issuer, publicKey), publicKey };
  const one = { key: testKey('One') };
  const waiting = await service.submit(wire.operation, wire.type, parameters, one);
  assert.equal(waiting.status, 200, JSON.stringify(waiting.body));
  const { fingerprint, status } = waiting.body.activity;
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', JSON.stringify(waiting.body));
  const type = 'ACTIVITY_TYPE_APPROVE_ACTIVITY';
  const other = { key: testKey('Other') };
  const approved = await service.submit('approve_activity', type, { fingerprint }, other);
  assert.equal(
    approved.body.activity.status,
    'ACTIVITY_STATUS_COMPLETED',
    JSON.stringify(approved),
  );
  assert.equal((await service.query('whoami', {}, { key: session })).body.userId, userId);
});
