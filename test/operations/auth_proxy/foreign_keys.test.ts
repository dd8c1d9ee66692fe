// A stranger registers the key of another user in an own organization. This must not lock the holder out,
// log the holder in there, or take precedence over the organization of the holder.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfHex, utf8 } from '../../../src/core/base/bytes.ts';
import { curves } from '../../../src/core/crypto/curves.ts';
import type { ApiKey } from '../../../src/core/organization/model.ts';
import { attestedStamp } from '../../pipeline/attested_requests.ts';
import { type Sender, stampOf, type TestService, testKey } from '../../support/harness.ts';
import { createTestIssuer, nonceOf, publish } from '../../support/identity_provider.ts';
import type { SoftwareAuthenticator } from '../../support/software_authenticator.ts';
import { makeApiKeys } from '../api_keys/api_key_requests.ts';
import { describedPasskey, passkeyOf } from '../authenticators/authenticator_requests.ts';
import { activityBody, assertRefused } from '../checks.ts';
import { alice, usageSignature, verifiedToken } from '../one_time_codes/otp_requests.ts';
import { changeOrganization } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { logIn, resultOf } from '../sessions/session_requests.ts';
import { describedKey, makeUser } from '../users/user_requests.ts';
import { accepted, callProxy, configure, nobody, startProxyService } from './proxy_requests.ts';

type Body = Record<string, unknown>;

const started = async (t: { after: (done: () => void) => void }): Promise<TestService> => {
  const service = await startProxyService();
  t.after(() => service.close());
  return service;
};

const signUp = (service: TestService, body: Body) =>
  accepted(callProxy(service, 'signup_v2', { ...nobody, ...body }));
const withKeys = (...names: string[]) => ({ apiKeys: names.map((name) => describedKey(name)) });

/** Mallory signs up, and registers the key of another user in the new organization. */
async function plant(service: TestService, name: string, mallory = 'mallory') {
  const { organizationId, userId } = await signUp(service, withKeys(mallory));
  const as: Sender = { organizationId, key: testKey(mallory) };
  await makeApiKeys(service, userId, [describedKey(name)], as);
  return { organizationId, as };
}

const rename = (service: TestService, as: Sender) =>
  service.submit(
    'update_organization_name',
    'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
    { organizationName: 'Mine' },
    as,
  );
const whoami = (service: TestService, name: string) =>
  service.query('whoami', {}, { key: testKey(name) });
const accountOf = (service: TestService, filterType: string, filterValue: string) =>
  accepted(callProxy(service, 'account', { filterType, filterValue }));
const publicKeyAccount = (service: TestService, name: string) =>
  accountOf(service, 'PUBLIC_KEY', testKey(name).publicKey);

test('whoami stays unambiguous, and every login reaches the organization where the key has signed', async (t) => {
  const service = await started(t);
  const { organizationId } = await signUp(service, withKeys('alice'));
  const key = testKey('alice');
  resultOf(await logIn(service, 'first session', {}, { key }));
  await plant(service, 'alice');
  assert.equal((await whoami(service, 'alice')).body.organizationId, organizationId);
  assert.deepEqual(await publicKeyAccount(service, 'alice'), { organizationId });
  const session = await logIn(service, 'second session', {}, { key });
  assert.equal(session.body.activity.organizationId, organizationId);
});

test('a newcomer signs up and in with a key that another user registered before', async (t) => {
  const service = await started(t);
  const mallory = await plant(service, 'alice');
  await signUp(service, withKeys('mallory two', 'alice'));
  // Like clients with a wallet: the login is stamped once, before the organization exists.
  const parameters = { publicKey: testKey('session').publicKey };
  const body = activityBody(service, 'ACTIVITY_TYPE_STAMP_LOGIN', parameters);
  const stamp = stampOf(body, testKey('alice'));
  assertRefused(await whoami(service, 'alice'), 401, 16);
  assert.deepEqual(await publicKeyAccount(service, 'alice'), {});
  const { organizationId } = await signUp(service, withKeys('alice'));
  const login = await service.send('submit', 'stamp_login', body, [stamp]);
  resultOf(login);
  assert.equal(login.body.activity.organizationId, organizationId);
  assert.equal((await whoami(service, 'alice')).body.organizationId, organizationId);
  // Even the same request cannot be redirected later.
  const again = await service.send('submit', 'stamp_login', body, [stamp]);
  assert.equal(again.body.activity.id, login.body.activity.id);
  const elsewhere = await service.query('list_activities', {}, mallory.as);
  const types = elsewhere.body.activities.map(({ type }: Body) => type);
  assert.equal(types.includes('ACTIVITY_TYPE_STAMP_LOGIN'), false);
});

test('a key registered as the only credential is followed, also after its holder adds others', async (t) => {
  const service = await started(t);
  const { organizationId, userId } = await signUp(service, withKeys('alice'));
  const as = { organizationId, key: testKey('alice') };
  assert.deepEqual(await publicKeyAccount(service, 'alice'), { organizationId });
  assertRefused(await callProxy(service, 'signup_v2', { ...nobody, ...withKeys('alice') }), 409, 6);
  await makeApiKeys(service, userId, [describedKey('laptop')], as);
  await plant(service, 'alice');
  assert.equal((await whoami(service, 'alice')).body.organizationId, organizationId);
  // The laptop key has signed nothing yet; after its first activity it leads there, too.
  assertRefused(await whoami(service, 'laptop'), 401, 16);
  assert.equal((await rename(service, { organizationId, key: testKey('laptop') })).status, 200);
  assert.equal((await whoami(service, 'laptop')).body.organizationId, organizationId);
});

test('an unused key leads nowhere, whatever other credentials of the organization are verified', async (t) => {
  const service = await started(t);
  const issuer = createTestIssuer();
  publish(service, issuer);
  const token = await verifiedToken(service);
  const oauthProviders = [
    { providerName: 'Issuer', oidcToken: issuer.token(service, { sub: 'mallory' }) },
  ];
  const contents = { email: alice, ...withKeys('victim') };
  const clientSignature = usageSignature(token, { type: 'USAGE_TYPE_SIGNUP', signupV2: contents });
  const besides: readonly Body[] = [
    { authenticators: [describedPasskey('phone of mallory')] },
    { apiKeys: [describedKey('victim'), describedKey('short', { expirationSeconds: '60' })] },
    { oauthProviders },
    { userEmail: alice, verificationToken: token, clientSignature },
  ];
  for (const beside of besides) await signUp(service, { ...withKeys('victim'), ...beside });
  // Users of the parent may state any contact and any root users.
  const parent = (more: object, ...others: object[]) => ({
    subOrganizationName: 'Made by the parent',
    rootUsers: [{ userName: 'a', ...nobody, ...withKeys('victim'), ...more }, ...others],
    rootQuorumThreshold: 1,
  });
  const made = [
    parent({ userEmail: 'mallory@example.com' }),
    parent({}, { userName: 'b', ...nobody, ...withKeys('mallory') }),
  ];
  const type = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8';
  for (const parameters of made) {
    assert.equal((await service.submit('create_sub_organization', type, parameters)).status, 200);
  }
  assertRefused(await whoami(service, 'victim'), 401, 16);
  assert.deepEqual(await publicKeyAccount(service, 'victim'), {});
  const { organizationId } = await signUp(service, withKeys('victim'));
  assert.equal((await whoami(service, 'victim')).body.organizationId, organizationId);
});

test('a thousand organizations that register one key neither slow nor stop its holder', async (t) => {
  const service = await started(t);
  const children = 1000;
  const userId = '01900000-0000-7000-8000-000000000000';
  await changeOrganization(service, (_, newId) =>
    Array.from({ length: children }, () => {
      const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
      const head = {
        name: 'Planted',
        rootQuorum: { threshold: 1, userIds: [userId] },
        features: [],
        ...times,
      };
      const type = 'CREDENTIAL_TYPE_API_KEY_P256';
      const { publicKey } = testKey('alice');
      const after: ApiKey = { id: newId(), userId, name: 'Planted', type, publicKey, ...times };
      const records = [{ kind: 'api_key', id: after.id, before: undefined, after }] as const;
      const parentId = service.root.organizationId;
      return { id: newId(), parentId, head, changes: { head: undefined, records } };
    }),
  );
  const { organizationId } = await signUp(service, withKeys('alice'));
  const before = process.cpuUsage();
  assert.deepEqual(await publicKeyAccount(service, 'alice'), { organizationId });
  const login = await logIn(service, 'session', {}, { key: testKey('alice') });
  assert.equal(login.body.activity.organizationId, organizationId);
  assert.equal((await whoami(service, 'alice')).body.organizationId, organizationId);
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 2_000_000, `${user + system} µs`);
});

test('a user of the parent who registers the key does not log its holder in to the parent', async (t) => {
  const service = await started(t);
  const mallory = await makeUser(service, 'Mallory');
  const { organizationId } = await signUp(service, withKeys('alice'));
  await makeApiKeys(service, mallory, [describedKey('alice')], { key: testKey('Mallory') });
  const login = await logIn(service, 'session', {}, { key: testKey('alice') });
  assert.equal(login.body.activity.organizationId, organizationId);
  // A key that has signed in the parent stays with its user, whatever strangers and backends register.
  await makeUser(service, 'Bob');
  const asBob = { key: testKey('Bob') };
  await makePolicy(service, 'Wallets', { consensus: 'true' });
  const wallet = { walletName: 'Wallet of Bob', accounts: [] };
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  assert.equal((await service.submit('create_wallet', type, wallet, asBob)).status, 200);
  assertRefused(await callProxy(service, 'signup_v2', { ...nobody, ...withKeys('Bob') }), 409, 6);
  const child = await service.submit(
    'create_sub_organization',
    'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
    {
      subOrganizationName: 'Made by a backend',
      rootUsers: [{ userName: 'a', ...nobody, ...withKeys('Bob') }],
      rootQuorumThreshold: 1,
    },
  );
  assert.equal(child.status, 200);
  const parentId = service.root.organizationId;
  assert.equal((await whoami(service, 'Bob')).body.organizationId, parentId);
});

/** Returns names of P-256 keys whose bytes are also a point on secp256k1. */
const namesOnBothCurves = () =>
  Array.from({ length: 20 }, (_, i) => `key ${i}`).filter((name) =>
    curves.CURVE_SECP256K1.isPublicKey(bytesOfHex(testKey(name).publicKey) ?? new Uint8Array(0)),
  );

test('the same bytes on another curve are another key', async (t) => {
  const service = await started(t);
  // Its x coordinate is also on secp256k1.
  const [name = '', wallet = ''] = namesOnBothCurves();
  const curveType = 'API_KEY_CURVE_SECP256K1';
  const { publicKey } = testKey(name);
  await signUp(service, { apiKeys: [describedKey(name, { curveType })] });
  assertRefused(await whoami(service, name), 401, 16);
  const { organizationId } = await signUp(service, withKeys(name));
  assert.equal((await whoami(service, name)).body.organizationId, organizationId);
  resultOf(await logIn(service, 'session', {}, { key: testKey(name) }));
  assert.deepEqual(await accountOf(service, 'PUBLIC_KEY', publicKey), { organizationId });

  // The reverse: the key of a wallet that a stranger registered as a P-256 key is free an hour later.
  await signUp(service, withKeys(wallet));
  service.advance(3_600_000);
  assert.deepEqual(await publicKeyAccount(service, wallet), {});
  const own = await signUp(service, { apiKeys: [describedKey(wallet, { curveType })] });
  assert.deepEqual(await publicKeyAccount(service, wallet), { organizationId: own.organizationId });
});

/** Logs in with a passkey, and names the parent. */
async function logInByPasskey(service: TestService, passkey: SoftwareAuthenticator) {
  service.advance(1);
  const parameters = { publicKey: testKey('session').publicKey };
  const body = activityBody(service, 'ACTIVITY_TYPE_STAMP_LOGIN', parameters);
  const stamp = { name: 'x-stamp-webauthn', value: passkey.stamp(body) };
  return service.send('submit', 'stamp_login', body, [stamp]);
}

test('a passkey whose id a stranger registered with another key still logs in its holder', async (t) => {
  const service = await started(t);
  const forged = { keySeed: 'mallory' };
  const early = await signUp(service, { authenticators: [describedPasskey('phone', forged)] });
  const { organizationId } = await signUp(service, { authenticators: [describedPasskey('phone')] });
  const { organizationId: lateId, userId } = await signUp(service, withKeys('mallory'));
  const parameters = { userId, authenticators: [describedPasskey('phone', forged)] };
  const late = { organizationId: lateId, key: testKey('mallory') };
  const type = 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2';
  assert.equal((await service.submit('create_authenticators', type, parameters, late)).status, 200);
  // Mallory proves the own key with the same id.
  const byMallory = await logInByPasskey(service, passkeyOf('phone', forged));
  assert.equal(byMallory.body.activity.organizationId, early.organizationId);
  for (let i = 0; i < 2; i += 1) {
    const login = await logInByPasskey(service, passkeyOf('phone'));
    assert.equal(login.body.activity.organizationId, organizationId);
  }
});

test('a passkey that strangers register after its holder still logs in its holder', async (t) => {
  const service = await started(t);
  const { attestation } = describedPasskey('phone');
  // Like clients: with a key for the first session, which proves nothing about the passkey.
  const { organizationId } = await signUp(service, {
    authenticators: [describedPasskey('phone')],
    apiKeys: [describedKey('first', { expirationSeconds: '60' })],
  });
  for (const forged of [{}, { keySeed: 'mallory' }]) {
    const name = `mallory ${JSON.stringify(forged)}`;
    const { organizationId: planted, userId } = await signUp(service, withKeys(name));
    const parameters = { userId, authenticators: [describedPasskey('phone', forged)] };
    const as = { organizationId: planted, key: testKey(name) };
    const type = 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2';
    assert.equal((await service.submit('create_authenticators', type, parameters, as)).status, 200);
  }
  assert.deepEqual(await accountOf(service, 'CREDENTIAL_ID', attestation.credentialId), {
    organizationId,
  });
  const login = await logInByPasskey(service, passkeyOf('phone'));
  assert.equal(login.body.activity.organizationId, organizationId);
});

test('an identity claimed next to a token does not precede the identity of its holder', async (t) => {
  const service = await started(t);
  const issuer = createTestIssuer();
  publish(service, issuer);
  // Alice gave this token to a page of Mallory. Mallory extends it to the application by a claim.
  const elsewhere = issuer.token(service, { sub: 'alice', aud: 'page of mallory' });
  const oidcClaims = { iss: issuer.issuer, sub: 'alice', aud: 'app' };
  const planted = [
    { providerName: 'Page', oidcToken: elsewhere },
    { providerName: 'App', oidcClaims },
  ];
  await signUp(service, { ...withKeys('mallory'), oauthProviders: planted });
  const oidcToken = issuer.token(service, { sub: 'alice' });
  const oauthProviders = [{ providerName: 'App', oidcToken }];
  const { organizationId } = await signUp(service, { oauthProviders });
  assert.deepEqual(await accountOf(service, 'OIDC_TOKEN', oidcToken), { organizationId });
});

test('an identity claimed next to a token of a foreign page leads no user there', async (t) => {
  const service = await started(t);
  const issuer = createTestIssuer();
  publish(service, issuer);
  const { publicKey } = testKey('session');
  const tokenFor = (aud: string) =>
    issuer.token(service, { sub: 'alice', aud, nonce: nonceOf(publicKey) });
  const page = { providerName: 'Page', oidcToken: tokenFor('page of mallory') };
  const oidcClaims = { iss: issuer.issuer, sub: 'alice', aud: 'app' };
  const oauthProviders = [page, { providerName: 'App', oidcClaims }];
  const { organizationId } = await signUp(service, { ...withKeys('mallory'), oauthProviders });
  const oidcToken = tokenFor('app');
  const logIn = (more: object = {}) =>
    callProxy(service, 'oauth_login', { oidcToken, publicKey, ...more });
  const attested = () => {
    const body = utf8(JSON.stringify({ organizationId: service.root.organizationId }));
    const token = { token: oidcToken, scheme: 'STAMP_ATTESTED_SCHEME_P256_OIDC' };
    return service.send('query', 'whoami', body, [attestedStamp(body, testKey('session'), token)]);
  };
  // The lookup finds no account, so the page offers a sign-up.
  assert.deepEqual(await accountOf(service, 'OIDC_TOKEN', oidcToken), {});
  assert.equal((await logIn()).status, 401);
  assert.notEqual((await attested()).status, 200);
  // If the page belongs to the organization, both audiences lead to the account: two apps of one person.
  await configure(service, { socialLinkingClientIds: ['page of mallory'] });
  assert.deepEqual(await accountOf(service, 'OIDC_TOKEN', oidcToken), { organizationId });
  assert.equal((await attested()).body.organizationId, organizationId);
  await accepted(logIn());
});

test('a stranger who knows the key of an unused user of the parent draws no login away', async (t) => {
  const service = await started(t);
  const parentId = service.root.organizationId;
  const mallory = await plant(service, 'mallory key');
  // Nothing reserves the key before the user exists, so the stranger may register it.
  await signUp(service, withKeys('Carol'));
  await makeUser(service, 'Carol');
  await makeUser(service, 'Dave');
  const refused = await callProxy(service, 'signup_v2', { ...nobody, ...withKeys('Dave') });
  assertRefused(refused, 409, 6);
  // A backend other than the proxy creates a child with keys that a stranger sent.
  const type = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8';
  const made = await service.submit('create_sub_organization', type, {
    subOrganizationName: 'Made by a backend',
    rootUsers: [{ userName: 'a', ...nobody, ...withKeys('Dave') }],
    rootQuorumThreshold: 1,
  });
  assert.equal(made.status, 200);
  for (const name of ['Carol', 'Dave']) {
    assert.deepEqual(await publicKeyAccount(service, name), {});
    assert.equal((await whoami(service, name)).body.organizationId, parentId);
    const login = await logIn(service, `session of ${name}`, {}, { key: testKey(name) });
    assert.equal(login.body.activity.organizationId, parentId);
  }
  // The laptop key is added by another user of the parent; the phone key by Erin, before the stranger signs
  // up.
  const erin = await makeUser(service, 'Erin');
  await signUp(service, withKeys('laptop'));
  await makeApiKeys(service, erin, [describedKey('laptop')]);
  await makeApiKeys(service, erin, [describedKey('phone')], { key: testKey('Erin') });
  await signUp(service, withKeys('phone'));
  for (const name of ['laptop', 'phone']) {
    assert.deepEqual(await publicKeyAccount(service, name), {});
    assert.equal((await whoami(service, name)).body.organizationId, parentId);
  }
  // Keys added in a sub-organization are not reserved: its users are strangers to the parent.
  await makeApiKeys(
    service,
    (await whoami(service, 'mallory')).body.userId,
    [describedKey('frank')],
    mallory.as,
  );
  assert.equal(
    (await callProxy(service, 'signup_v2', { ...nobody, ...withKeys('frank') })).status,
    200,
  );
});

test('a stranger who knows the passkey of an unused user of the parent draws no login away', async (t) => {
  const service = await started(t);
  const parentId = service.root.organizationId;
  await makeUser(service, 'Carol', { authenticators: [describedPasskey('phone')] });
  const planted = { ...nobody, authenticators: [describedPasskey('phone')] };
  assertRefused(await callProxy(service, 'signup_v2', planted), 409, 6);
  const type = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8';
  const made = await service.submit('create_sub_organization', type, {
    subOrganizationName: 'Made by a backend',
    rootUsers: [{ userName: 'a', ...planted }],
    rootQuorumThreshold: 1,
  });
  assert.equal(made.status, 200);
  const { credentialId } = describedPasskey('phone').attestation;
  assert.deepEqual(await accountOf(service, 'CREDENTIAL_ID', credentialId), {});
  const login = await logInByPasskey(service, passkeyOf('phone'));
  assert.equal(login.body.activity.organizationId, parentId);
});
