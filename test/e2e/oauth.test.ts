// Sign-ins with accounts at identity providers over the real service: a real OpenID Connect provider, failing
// issuers, and an OAuth 2.0 provider, all on this machine.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import {
  decryptCredentialBundle,
  encryptOauth2ClientSecret,
  generateP256KeyPair,
  getPublicKey,
  verifySessionJwtSignature,
} from '@turnkey/crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { oauth2ProviderRows } from '../../src/core/auth/oauth2/providers.ts';
import { httpServer } from '../gateway/outbound/loopback.ts';
import { signIn, startProvider } from '../gateway/outbound/oidc_provider.ts';
import { createTestIssuer } from '../support/identity_provider.ts';
import { isRefusal, newApiKey, serverClient } from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const ends = { after };
const audience = 'client-RS256';
const nonceOf = (text: string) => createHash('sha256').update(text).digest('hex');
const now = { now: Date.now };

/** Starts an OAuth 2.0 provider with one client, which issues each code once. */
const codes = new Set(['code-1', 'code-2']);
const oauth2Secret = 'secret-of-the-client';
const oauth2Port = await httpServer(ends, async (request, response) => {
  const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
  const answer = (status: number, value: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (request.url === '/me') {
    const isBearer = request.headers.authorization === 'Bearer bearer-token';
    return isBearer ? answer(200, { data: { id: '42' } }) : answer(401, {});
  }
  const basic = Buffer.from(`client:${oauth2Secret}`).toString('base64');
  if (request.headers.authorization !== `Basic ${basic}`) {
    return answer(401, { error: 'invalid_client' });
  }
  const isGood = codes.delete(form.get('code') ?? '') && form.get('code_verifier') === verifier;
  return isGood
    ? answer(200, { access_token: 'bearer-token', token_type: 'bearer' })
    : answer(400, { error: 'invalid_grant' });
});
const verifier = 'v'.repeat(64);
const { tokenUrl, personUrl } = oauth2ProviderRows.OAUTH2_PROVIDER_X;

const publicUrl = 'https://keys.example';
const service = await serviceOfThisFile({
  KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
  KEYWRIGHT_PUBLIC_URL: publicUrl,
  KEYWRIGHT_OAUTH2_ENDPOINTS: JSON.stringify({
    [tokenUrl]: `http://127.0.0.1:${oauth2Port}/token`,
    [personUrl]: `http://127.0.0.1:${oauth2Port}/me`,
  }),
});
const parent = serverClient(service);
const issuer = await startProvider(ends);

/** Returns the service's public keys by role, which a client pins. */
const published = await (await fetch(`${service.baseUrl}/public/v1/discovery/keys`)).json();
const keyOf = (role: string): string =>
  published.keys.find((key: { role: string }) => key.role === role).publicKey;

/** Creates a sub-organization whose only user signs in with the account of this token. */
async function signUp(name: string, oidcToken: string): Promise<string> {
  const { subOrganizationId } = await parent.createSubOrganization({
    subOrganizationName: name,
    rootQuorumThreshold: 1,
    rootUsers: [
      {
        userName: name,
        apiKeys: [],
        authenticators: [],
        oauthProviders: [{ providerName: 'Provider', oidcToken }],
      },
    ],
  });
  return subOrganizationId;
}
const childId = await signUp('Ada', await signIn(issuer, audience, 'any nonce'));

test('oauth: the bundle contains a key that stamps', async () => {
  const target = generateP256KeyPair();
  const targetPublicKey = target.publicKeyUncompressed;
  const oidcToken = await signIn(issuer, audience, nonceOf(targetPublicKey));
  const result = await parent.oauth({ organizationId: childId, oidcToken, targetPublicKey });
  const apiPrivateKey = decryptCredentialBundle(result.credentialBundle, target.privateKey);
  const apiPublicKey = Buffer.from(getPublicKey(Uint8Array.fromHex(apiPrivateKey), true)).toString(
    'hex',
  );
  const child = serverClient(service, {
    key: { apiPublicKey, apiPrivateKey },
    organizationId: childId,
  });
  assert.equal((await child.getWhoami()).userId, result.userId);
  const { apiKey } = await child.getApiKey({ apiKeyId: result.apiKeyId });
  assert.equal(apiKey.credential.type, 'CREDENTIAL_TYPE_OAUTH_KEY_P256');
  assert.equal(apiKey.credential.publicKey, apiPublicKey);
});

test('oauth_login: the session is for the key in the nonce, and its token verifies', async () => {
  const key = newApiKey();
  const oidcToken = await signIn(issuer, audience, nonceOf(key.apiPublicKey));
  // The request names the parent, and the account determines the child.
  const { session } = await parent.oauthLogin({ oidcToken, publicKey: key.apiPublicKey });
  assert.equal(await verifySessionJwtSignature(session, keyOf('notarizer')), true);
  assert.equal(await verifySessionJwtSignature(session, keyOf('verifier')), false);
  const child = serverClient(service, { key, organizationId: childId });
  assert.equal((await child.getWhoami()).organizationId, childId);
  const { oauthProviders } = await child.getOauthProviders({});
  assert.deepEqual(
    oauthProviders.map((provider) => [provider.issuer, provider.audience, provider.subject]),
    [[issuer, audience, 'account-1']],
  );
});

test('oauth_login: another key, an old token and an unknown account are refused', async () => {
  const { apiPublicKey: publicKey } = newApiKey();
  const login = (oidcToken: string) =>
    parent.oauthLogin({ organizationId: childId, oidcToken, publicKey });
  const refused = (reason: RegExp) => isRefusal(3, 'INVALID_OIDC_TOKEN', reason);
  await assert.rejects(
    login(await signIn(issuer, audience, nonceOf(publicKey.toUpperCase()))),
    refused(/`nonce`/),
  );
  await assert.rejects(
    login(await signIn(issuer, 'client-ES256', nonceOf(publicKey))),
    refused(/no user of organization/),
  );
  const { issuer: own, token } = await testIssuer();
  const ofUser = await signUp('Bob', token({ sub: 'bob' }));
  const nonce = nonceOf(publicKey);
  const seconds = Math.floor(Date.now() / 1000);
  const ofBob = (claims: object) =>
    parent.oauthLogin({
      organizationId: ofUser,
      oidcToken: token({ sub: 'bob', nonce, ...claims }),
      publicKey,
    });
  await assert.rejects(ofBob({ exp: seconds - 1 }), refused(/`exp`: the token has expired/));
  await assert.rejects(ofBob({ sub: 'eve' }), refused(/no user of organization/));
  const forged = createTestIssuer(own, 'another key').token(now, { sub: 'bob', nonce });
  await assert.rejects(
    parent.oauthLogin({ organizationId: ofUser, oidcToken: forged, publicKey }),
    refused(/no key that fits/),
  );
  await ofBob({});
});

test('createOauthProviders: the session adds an account by a fresh token for another key, once', async () => {
  const key = newApiKey();
  const { issuer: own, token } = await testIssuer();
  const organizationId = await signUp('Dan', token({ sub: 'dan' }));
  const oidcToken = token({ sub: 'dan', nonce: nonceOf(key.apiPublicKey) });
  await parent.oauthLogin({ organizationId, oidcToken, publicKey: key.apiPublicKey });
  const child = serverClient(service, { key, organizationId });
  const { userId } = await child.getWhoami();
  const add = (added: string) => {
    const oauthProviders = [{ providerName: 'Second', oidcToken: added }];
    return child.createOauthProviders({ userId, oauthProviders });
  };
  const second = token({ sub: 'dan at work', nonce: nonceOf(newApiKey().apiPublicKey) });
  await add(second);
  const { oauthProviders } = await child.getOauthProviders({});
  assert.deepEqual(
    oauthProviders.map((provider) => [provider.issuer, provider.subject]),
    [
      [own, 'dan'],
      [own, 'dan at work'],
    ],
  );
  await assert.rejects(add(second), isRefusal(3, 'INVALID_OIDC_TOKEN', /used before/));
});

test('the service reports a failing issuer, and continues', async () => {
  const gone = createTestIssuer('http://127.0.0.1:1').token(now, { sub: 'ada' });
  const unavailable = (reason: RegExp) => isRefusal(14, 'INTERNAL', reason);
  await assert.rejects(signUp('Gone', gone), unavailable(/the request failed \(network\)/));
  const redirecting = await testIssuer((issuer) => ({ location: `${issuer}/elsewhere` }));
  await assert.rejects(
    signUp('Redirecting', redirecting.token({ sub: 'ada' })),
    unavailable(/answered with status 302/),
  );
  const huge = await testIssuer(() => ({ body: `{"keys":["${'x'.repeat(300_000)}"]}` }));
  await assert.rejects(
    signUp('Huge', huge.token({ sub: 'ada' })),
    unavailable(/the request failed \(too_large\)/),
  );
  assert.equal((await parent.getWhoami()).organizationId, service.credentials.organizationId);
});

test('oauth2: a code becomes a token of the service, which signs in', async () => {
  const secretKey = keyOf('secret_receiver');
  const { oauth2CredentialId } = await parent.createOauth2Credential({
    provider: 'OAUTH2_PROVIDER_X',
    clientId: 'client',
    encryptedClientSecret: await encryptOauth2ClientSecret(oauth2Secret, secretKey),
  });
  const stored = await parent.getOauth2Credential({ oauth2CredentialId });
  assert.equal(stored.oauth2Credential.clientId, 'client');
  const key = newApiKey();
  const nonce = nonceOf(key.apiPublicKey);
  const authenticate = async (authCode: string) => {
    const target = generateP256KeyPair();
    const { oidcToken } = await parent.oauth2Authenticate({
      oauth2CredentialId,
      authCode,
      redirectUri: 'https://app.example/in',
      codeVerifier: verifier,
      nonce,
      bearerTokenTargetPublicKey: target.publicKeyUncompressed,
    });
    return { oidcToken, target };
  };
  const { oidcToken, target } = await authenticate('code-1');

  // The published documents of the service suffice to verify the token.
  const document = async (path: string) => (await fetch(`${service.baseUrl}${path}`)).json();
  const configuration = await document('/.well-known/openid-configuration');
  assert.equal(configuration.issuer, publicUrl);
  assert.equal(configuration.jwks_uri, `${publicUrl}/.well-known/jwks.json`);
  const keySet = createLocalJWKSet(await document('/.well-known/jwks.json'));
  const expected = { issuer: publicUrl, audience: 'client', subject: 'x:42' };
  const { payload } = await jwtVerify(oidcToken, keySet, expected);
  assert.equal(payload['nonce'], nonce);
  const sealed = String(payload['encrypted_bearer_token']);
  const bearer = Buffer.from(decryptCredentialBundle(sealed, target.privateKey), 'hex');
  assert.equal(bearer.toString(), 'bearer-token');

  const organizationId = await signUp('Cid', oidcToken);
  await parent.oauthLogin({ oidcToken, publicKey: key.apiPublicKey });
  const child = serverClient(service, { key, organizationId });
  assert.equal((await child.getWhoami()).organizationId, organizationId);
  await assert.rejects(
    authenticate('code-1'),
    isRefusal(3, 'REQUEST_INVALID', /the OAuth 2.0 provider refused: `invalid_grant`/),
  );
  assert.ok(!service.output().stdout.includes(oauth2Secret));
});

type KeySetAnswer = { readonly location?: string; readonly body?: string };

/** Starts an issuer on this machine. The test creates its tokens and sets its answers. */
async function testIssuer(keySetOf: (issuer: string) => KeySetAnswer = () => ({})) {
  let made = createTestIssuer();
  const port = await httpServer(ends, (request, response) => {
    if (request.url !== '/keys') {
      return response.end(JSON.stringify({ issuer: made.issuer, jwks_uri: `${made.issuer}/keys` }));
    }
    const { location, body = JSON.stringify(made.keySet) } = keySetOf(made.issuer);
    return location === undefined
      ? response.end(body)
      : response.writeHead(302, { location }).end();
  });
  made = createTestIssuer(`http://127.0.0.1:${port}`);
  return {
    issuer: made.issuer,
    token: (claims: Record<string, unknown>) => made.token(now, claims),
  };
}
