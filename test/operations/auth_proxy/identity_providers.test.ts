import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestService, testKey } from '../../support/harness.ts';
import { createTestIssuer, nonceOf, publish } from '../../support/identity_provider.ts';
import { assertRefused, assertViolation } from '../checks.ts';
import { claimsOf } from '../one_time_codes/otp_requests.ts';
import { accepted, callProxy, configure, nobody, startProxyService } from './proxy_requests.ts';

const google = createTestIssuer('https://accounts.google.com');
const { publicKey } = testKey('client');

async function signedUp(service: TestService): Promise<string> {
  publish(service, google);
  const oidcToken = google.token(service, { sub: 'alice' });
  const body = { ...nobody, oauthProviders: [{ providerName: 'Google', oidcToken }] };
  return (await accepted(callProxy(service, 'signup_v2', body))).organizationId;
}

test('oauth_login: logs in the user whose account the token names', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const organizationId = await signedUp(service);
  const oidcToken = google.token(service, { sub: 'alice', nonce: nonceOf(publicKey) });
  for (const named of [{}, { organizationId }]) {
    const body = { oidcToken, publicKey, invalidateExisting: true, ...named };
    const { session } = await accepted(callProxy(service, 'oauth_login', body));
    assert.equal(claimsOf(session).organization_id, organizationId);
    assert.equal(claimsOf(session).exp, Math.floor(service.now() / 1000) + 900);
  }
  const key = testKey('client');
  const whoami = await accepted(service.query('whoami', {}, { organizationId, key }));
  assert.equal(whoami.organizationId, organizationId);
});

test('oauth_login: refuses unknown accounts, foreign keys, malformed bodies and disallowed methods', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  await signedUp(service);
  const login = (claims: object, more: object = {}, issuer = google) => {
    const oidcToken = issuer.token(service, { sub: 'alice', nonce: nonceOf(publicKey), ...claims });
    return callProxy(service, 'oauth_login', { oidcToken, publicKey, ...more });
  };
  assertRefused(await login({ sub: 'bob' }), 401, 16);
  assertRefused(await login({ nonce: 'another' }), 400, 3);
  assertRefused(await login({}, {}, createTestIssuer(google.issuer, 'stranger')), 400, 3);
  assertRefused(await login({}, { organizationId: service.root.organizationId }), 404, 5);
  assertViolation(await login({}, { surprise: 1 }), 'surprise');
  assertRefused(await callProxy(service, 'oauth_login', { oidcToken: 'x', publicKey }), 400, 3);
  await configure(service, { allowedAuthMethods: ['apple', 'oidc'] });
  const refused = await login({});
  assertRefused(refused, 403, 7);
  assert.match(refused.body.message, /the method `google`$/);
});

test('oauth_login: a stranger with a forged token does not learn who has an account', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  await signedUp(service);
  const stranger = createTestIssuer(google.issuer, 'stranger');
  const [known, unknown] = await Promise.all(
    ['alice', 'bob'].map(async (sub) => {
      const oidcToken = stranger.token(service, { sub, nonce: nonceOf(publicKey) });
      const { status, body } = await callProxy(service, 'oauth_login', { oidcToken, publicKey });
      return { status, body };
    }),
  );
  assert.equal(known?.body.turnkeyErrorCode, 'INVALID_OIDC_TOKEN');
  assert.deepEqual(unknown, known);
});

test('signup_v2: a stranger who only claims an account does not learn whether it signed up', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  await signedUp(service);
  const { aud } = claimsOf(google.token(service, { sub: 'alice' }));
  const [known, unknown] = await Promise.all(
    ['alice', 'bob'].map(async (sub) => {
      const oidcClaims = { iss: google.issuer, aud, sub };
      const oauthProviders = [{ providerName: 'Google', oidcClaims }];
      const answer = await callProxy(service, 'signup_v2', { ...nobody, oauthProviders });
      return { status: answer.status, body: answer.body };
    }),
  );
  assert.equal(unknown?.status, 400);
  assert.deepEqual(known, unknown);
});

test('oauth2_authenticate: needs an OAuth credential of the organization, and an allowed method', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const body = {
    provider: 'OAUTH2_PROVIDER_X',
    authCode: 'code',
    redirectUri: 'https://wallet.example',
    codeVerifier: 'v'.repeat(43),
    nonce: nonceOf(publicKey),
    clientId: 'client',
  };
  const unknown = await callProxy(service, 'oauth2_authenticate', body);
  assertRefused(unknown, 404, 5);
  assert.equal(unknown.body.turnkeyErrorCode, 'OAUTH2_CREDENTIAL_NOT_FOUND');
  for (const name of Object.keys(body)) {
    const rest = { ...body, [name]: undefined };
    assertViolation(await callProxy(service, 'oauth2_authenticate', rest), name);
  }
  await configure(service, { allowedAuthMethods: ['discord'] });
  assertRefused(await callProxy(service, 'oauth2_authenticate', body), 403, 7);
});
