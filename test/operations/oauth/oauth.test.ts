// OP-OAUTH-01, OP-OAUTH-03, OP-OAUTH-14, AUTH-11, AUTH-14
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decryptCredentialBundle, generateP256KeyPair, getPublicKey } from '@turnkey/crypto';
import { stampOf, startTestService, testKey } from '../../support/harness.ts';
import { createTestIssuer, nonceOf, publish } from '../../support/identity_provider.ts';
import { activityBody, assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { byToken, knownIssuer, makeProviders } from '../oauth_providers/oauth_provider_requests.ts';
import { addChild, addPlainUser } from '../other_callers.ts';
import { makeUser, shownUser } from '../users/user_requests.ts';
import { tokenFor } from './oauth_requests.ts';

const wire = {
  operation: 'oauth',
  type: 'ACTIVITY_TYPE_OAUTH', // OP-OAUTH-02
  intent: 'oauthIntent', // OP-OAUTH-13
  result: 'oauthResult', // OP-OAUTH-15
};
const target = generateP256KeyPair();
const targetPublicKey = target.publicKeyUncompressed;

/** Opens the private key in a bundle like a client. */
const opened = (bundle: string) => {
  const privateKey = Uint8Array.fromHex(decryptCredentialBundle(bundle, target.privateKey));
  return { privateKey, publicKey: Buffer.from(getPublicKey(privateKey, true)).toString('hex') };
};

test('oauth: the client gets a key of the user whose account the token names', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const userId = await makeUser(service, 'Ada');
  await makeProviders(service, userId, [byToken(service, issuer, 'ada')]);
  const oidcToken = tokenFor(service, issuer, targetPublicKey);
  const parameters = { oidcToken, targetPublicKey }; // OP-OAUTH-04, OP-OAUTH-05
  const result = await checkActivity(service, {
    ...wire,
    parameters: { ...parameters, apiKeyName: 'Phone', invalidateExisting: false },
    optional: ['apiKeyName', 'invalidateExisting'],
    refusedInChild: { status: 400, code: 3 },
    malformed: [
      { field: 'parameters.targetPublicKey', parameters: { ...parameters, targetPublicKey: '04' } },
      {
        field: 'parameters.expirationSeconds',
        parameters: { ...parameters, expirationSeconds: '0' },
      },
      { field: 'parameters.apiKeyName', parameters: { ...parameters, apiKeyName: '' } },
    ],
  });
  assert.equal(result.userId, userId); // OP-OAUTH-16
  // OP-OAUTH-06, OP-OAUTH-18, OP-OAUTH-19
  const key = opened(result.credentialBundle);
  const [, made] = (await shownUser(service, userId)).apiKeys;
  assert.equal(made.apiKeyId, result.apiKeyId); // OP-OAUTH-17
  assert.equal(made.apiKeyName, 'Phone'); // OP-OAUTH-07
  assert.equal(made.expirationSeconds, '900'); // OP-OAUTH-10, LIM-01
  const type = 'CREDENTIAL_TYPE_OAUTH_KEY_P256';
  assert.deepEqual(made.credential, { publicKey: key.publicKey, type });
  assert.equal((await service.query('whoami', {}, { key })).body.userId, userId);
  service.advance(900_000);
  assertRefused(await service.query('whoami', {}, { key }), 401, 16);
});

test('oauth: the key has the requested name and lifetime, and can end earlier keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const { userId } = service.root;
  await makeProviders(service, userId, [byToken(service, issuer, 'ada')]);
  const send = async (more: object) => {
    const oidcToken = tokenFor(service, issuer, targetPublicKey);
    const parameters = { oidcToken, targetPublicKey, ...more };
    const { status, body } = await service.submit(wire.operation, wire.type, parameters);
    assert.equal(status, 200, JSON.stringify(body));
    return body.activity.result.oauthResult.apiKeyId;
  };
  const first = await send({ expirationSeconds: '60' }); // OP-OAUTH-09
  // C16, OP-OAUTH-08
  const [, key] = (await shownUser(service, userId)).apiKeys;
  assert.equal(key.apiKeyName, `Oauth - ${new Date(service.now()).toISOString()}`);
  assert.equal(key.expirationSeconds, '60');
  const second = await send({});
  const ids = async () =>
    (await shownUser(service, userId)).apiKeys.map((each: { apiKeyId: string }) => each.apiKeyId);
  assert.deepEqual((await ids()).slice(1), [first, second]);
  const login = await service.submit('stamp_login', 'ACTIVITY_TYPE_STAMP_LOGIN', {
    publicKey: testKey('login').publicKey,
  });
  assert.equal(login.status, 200);
  const [, , , byLogin] = await ids();
  const third = await send({ invalidateExisting: true }); // OP-OAUTH-11, OP-OAUTH-12
  assert.deepEqual((await ids()).slice(1), [byLogin, third], 'logins of other kinds stay');
});

test('oauth: a token is valid for its key and account until it expires', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  await makeProviders(service, service.root.userId, [byToken(service, issuer, 'ada')]);
  const token = (claims: object) =>
    issuer.token(service, { sub: 'ada', nonce: nonceOf(targetPublicKey), ...claims });
  const seconds = Math.floor(service.now() / 1000);
  const other = createTestIssuer('https://other.test');
  publish(service, other);
  for (const [oidcToken, text] of [
    [token({ nonce: undefined }), /`nonce`: expected the SHA-256 of the text of `targetPublicKey`/],
    [token({ nonce: nonceOf(target.publicKey) }), /`nonce`: expected/],
    [token({ nonce: nonceOf(targetPublicKey).toUpperCase() }), /`nonce`: expected/],
    [token({ exp: seconds }), /has expired/],
    [token({ sub: 'eve' }), /no user of organization .* has an OAuth provider/],
    [token({ aud: 'web' }), /no user of organization/],
    [tokenFor(service, other, targetPublicKey), /no user of organization/],
    ['a.b.c', /^invalid OIDC token: /],
  ] as const) {
    await checkRefused(
      service,
      { ...wire, parameters: { oidcToken, targetPublicKey } },
      { status: 400, code: 3, text, clientCode: 'INVALID_OIDC_TOKEN' },
    );
  }
  const bound = token({ nonce: 'else', tknonce: nonceOf(targetPublicKey) });
  const parameters = { oidcToken: bound, targetPublicKey };
  assert.equal((await service.submit(wire.operation, wire.type, parameters)).status, 200);
});

test('oauth: a repeated token creates another key for the same receiver', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  await makeProviders(service, service.root.userId, [byToken(service, issuer, 'ada')]);
  const parameters = { oidcToken: tokenFor(service, issuer, targetPublicKey), targetPublicKey };
  const bundles: string[] = [];
  for (let i = 0; i < 2; i += 1) {
    const { body } = await service.submit(wire.operation, wire.type, parameters);
    bundles.push(body.activity.result.oauthResult.credentialBundle);
  }
  const [one, two] = bundles.map(opened);
  assert.notEqual(one?.publicKey, two?.publicKey);
});

test('oauth: a user of the parent acts in the child, as the parent’s policies allow', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const child = await addChild(service);
  const userId = await makeUser(
    service,
    'Ada',
    { oauthProviders: [byToken(service, issuer, 'ada')] },
    child,
  );
  const plain = await addPlainUser(service);
  const parameters = { oidcToken: tokenFor(service, issuer, targetPublicKey), targetPublicKey };
  const { organizationId } = child;
  const send = (as: object) => service.submit(wire.operation, wire.type, parameters, as);
  for (const as of [{ ...plain, organizationId }, plain]) assertRefused(await send(as), 403, 7);
  await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Logins',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'AUTH' && activity.action == 'CREATE'",
    notes: '',
  });
  // A caller who names the parent acts in the child that holds the account.
  for (const as of [{ ...plain, organizationId }, plain, {}, { organizationId }]) {
    const { status, body } = await send(as);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.activity.organizationId, organizationId);
    assert.equal(body.activity.result.oauthResult.userId, userId);
    const key = opened(body.activity.result.oauthResult.credentialBundle);
    assert.equal((await service.query('whoami', {}, { ...child, key })).body.userId, userId);
  }
  const stranger = await send({ key: testKey('stranger') });
  assertRefused(stranger, 401, 16);
  assert.doesNotMatch(stranger.body.message, new RegExp(organizationId));
});

test('oauth: an account in two children is a conflict', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  for (const name of ['one', 'two']) {
    const answer = await service.submit(
      'create_sub_organization',
      'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
      {
        subOrganizationName: name,
        rootQuorumThreshold: 1,
        rootUsers: [
          {
            userName: name,
            apiKeys: [],
            authenticators: [],
            oauthProviders: [byToken(service, issuer, 'ada')],
          },
        ],
      },
    );
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }
  const parameters = { oidcToken: tokenFor(service, issuer, targetPublicKey), targetPublicKey };
  await checkRefused(
    service,
    { ...wire, parameters },
    {
      status: 401,
      code: 16,
      text: /^more than one user or suborg/,
      clientCode: 'CREDENTIAL_CONFLICT',
    },
  );
});

test('oauth: a slow issuer delays no other request', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  await makeProviders(service, service.root.userId, [byToken(service, issuer, 'ada')]);
  const parameters = { oidcToken: tokenFor(service, issuer, targetPublicKey), targetPublicKey };
  const body = activityBody(service, wire.type, parameters);
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const { issuerKeys } = service.outside;
  service.outside.issuerKeys = async (name, keyId) => {
    asked.resolve();
    await answered.promise;
    return issuerKeys(name, keyId);
  };
  const { key } = service.root;
  const slow = service.send('submit', wire.operation, body, [stampOf(body, key)]);
  await asked.promise;
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  const quick = await service.submit('create_wallet', type, { walletName: 'Quick', accounts: [] });
  assert.equal(quick.status, 200);
  answered.resolve();
  // The wallet was committed first, so this request was decided again.
  assert.equal((await slow).status, 200);
});
