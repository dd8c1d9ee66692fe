import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decryptCredentialBundle, generateP256KeyPair } from '@turnkey/crypto';
import { textOfUtf8, utf8 } from '../../../src/core/base/bytes.ts';
import type { ExternalRequest } from '../../../src/core/external/external_services.ts';
import type { Json } from '../../../src/core/schema/json.ts';
import { stampOf, startTestService, testKey } from '../../support/harness.ts';
import { nonceOf } from '../../support/identity_provider.ts';
import { testDeployment } from '../../support/outside.ts';
import { activityBody, assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { sendProviders, subjectsOf } from '../oauth_providers/oauth_provider_requests.ts';
import { addChild, addPlainUser } from '../other_callers.ts';
import { makeUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  claimsOf,
  clientSecret,
  codeVerifier,
  describedCode,
  letAnswer,
  makeCredential,
  sealedSecret,
} from './oauth_requests.ts';

const wire = {
  operation: 'oauth2_authenticate',
  type: 'ACTIVITY_TYPE_OAUTH2_AUTHENTICATE',
  intent: 'oauth2AuthenticateIntent',
  result: 'oauth2AuthenticateResult',
};

const formOf = ({ body }: ExternalRequest) =>
  Object.fromEntries(new URLSearchParams(textOfUtf8(body)));

test('oauth2_authenticate: exchanges a code for a token of this service', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const id = await makeCredential(service);
  const requests = letAnswer(service);
  const parameters = describedCode(id.toUpperCase());
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.oauth2CredentialId', parameters: describedCode('x') },
      ...['authCode', 'redirectUri', 'nonce', 'bearerTokenTargetPublicKey'].map((name) => ({
        field: `parameters.${name}`,
        parameters: describedCode(id, { [name]: '' }),
      })),
      // RFC 7636 section 4.1
      ...[42, 129].map((length) => ({
        field: 'parameters.codeVerifier',
        parameters: describedCode(id, { codeVerifier: 'v'.repeat(length) }),
      })),
      {
        field: 'parameters.bearerTokenTargetPublicKey',
        parameters: describedCode(id, { bearerTokenTargetPublicKey: '04' }),
      },
    ],
  });
  const seconds = Math.floor(service.now() / 1000);
  assert.deepEqual(claimsOf(result.oidcToken), {
    iss: testDeployment.publicUrl,
    aud: 'client',
    sub: 'x:42',
    nonce: 'nonce',
    iat: seconds,
    exp: seconds + 900,
  });
  // The provider got each request once, despite the refusal, the activity and the repetition.
  const [exchange, person, ...more] = requests;
  assert.deepEqual(more, []);
  assert(exchange !== undefined && person !== undefined);
  assert.equal(exchange.url, 'https://api.x.com/2/oauth2/token');
  assert.deepEqual(formOf(exchange), {
    grant_type: 'authorization_code',
    client_id: 'client',
    code: 'code',
    redirect_uri: 'https://app.example/in',
    code_verifier: codeVerifier,
  });
  const basic = Buffer.from(`client:${clientSecret.replaceAll(' ', '+')}`).toString('base64');
  assert.equal(exchange.headers['authorization'], `Basic ${basic}`);
  assert.equal(exchange.headers['content-type'], 'application/x-www-form-urlencoded');
  assert.equal(person.method, 'GET');
  assert.equal(person.url, 'https://api.x.com/2/users/me');
  assert.equal(person.headers['authorization'], 'Bearer bearer-1');
});

test('oauth2_authenticate: encodes special characters of client ids and secrets', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const id = await makeCredential(service, {
    provider: 'OAUTH2_PROVIDER_DISCORD',
    clientId: '1:2',
    encryptedClientSecret: await sealedSecret('a:b%c+d ~'),
  });
  const requests = letAnswer(service, { person: { id: '7' } }, 'OAUTH2_PROVIDER_DISCORD');
  const { body } = await service.submit(wire.operation, wire.type, describedCode(id));
  assert.equal(claimsOf(body.activity.result.oauth2AuthenticateResult.oidcToken).sub, 'discord:7');
  const [exchange] = requests;
  assert.equal(exchange?.url, 'https://discord.com/api/oauth2/token');
  const [scheme, value = ''] = exchange?.headers['authorization']?.split(' ') ?? [];
  assert.equal(scheme, 'Basic');
  // RFC 6749 section 2.3.1
  assert.equal(Buffer.from(value, 'base64').toString(), '1%3A2:a%3Ab%25c%2Bd+%7E');
});

test('oauth2_authenticate: seals the provider’s token to the key that the request names', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const id = await makeCredential(service);
  const bearerToken = `${'t'.repeat(504)}._~+/=-`;
  letAnswer(service, { token: { access_token: bearerToken, token_type: 'bearer' } });
  const { publicKey, publicKeyUncompressed, privateKey } = generateP256KeyPair();
  for (const bearerTokenTargetPublicKey of [publicKey, publicKeyUncompressed]) {
    const parameters = describedCode(id, { bearerTokenTargetPublicKey });
    const { status, body } = await service.submit(wire.operation, wire.type, parameters);
    assert.equal(status, 200, JSON.stringify(body));
    const claims = claimsOf(body.activity.result.oauth2AuthenticateResult.oidcToken);
    const opened = decryptCredentialBundle(claims.encrypted_bearer_token, privateKey);
    assert.equal(Buffer.from(opened, 'hex').toString(), bearerToken);
  }
});

test('oauth2_authenticate: the token registers an account and signs in', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const id = await makeCredential(service);
  letAnswer(service);
  const session = testKey('session');
  const nonce = nonceOf(session.publicKey);
  const answer = await service.submit(wire.operation, wire.type, describedCode(id, { nonce }));
  const { oidcToken } = answer.body.activity.result.oauth2AuthenticateResult;
  const userId = await makeUser(service, 'Ada');
  const provider = { providerName: 'X', oidcToken };
  assert.equal((await sendProviders(service, userId, [provider])).status, 200);
  assert.deepEqual(await subjectsOf(service, userId), ['x:42']);
  const login = { oidcToken, publicKey: session.publicKey };
  const type = 'ACTIVITY_TYPE_OAUTH_LOGIN';
  assert.equal((await service.submit('oauth_login', type, login)).status, 200);
  assert.equal((await service.query('whoami', {}, { key: session })).body.userId, userId);
  assert.deepEqual(service.outside.askedFor, [], 'the service knows its own keys');
  const [head, payload, signature] = oidcToken.split('.');
  const forged = { ...claimsOf(oidcToken), sub: 'x:1' };
  const changed = Buffer.from(JSON.stringify(forged)).toString('base64url');
  assert.notEqual(changed, payload);
  const parameters = { ...login, oidcToken: [head, changed, signature].join('.') };
  await checkRefused(
    service,
    { operation: 'oauth_login', type, parameters },
    { status: 400, code: 3, text: /the signature does not verify/ },
  );
});

test('oauth2_authenticate: reports a provider that refuses or answers malformed', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = describedCode(await makeCredential(service));
  const refused = { status: 400, code: 3 };
  const unavailable = { status: 503, code: 14, text: /^the OAuth 2.0 provider is not available/ };
  const cases: readonly (readonly [Parameters<typeof letAnswer>[1], object])[] = [
    [
      { token: { error: 'invalid_grant' }, tokenStatus: 400 },
      { ...refused, text: /^the OAuth 2.0 provider refused: `invalid_grant`$/ },
    ],
    [
      { token: { error: 'invalid_client' }, tokenStatus: 401 },
      { ...refused, text: /`invalid_client`$/ },
    ],
    [
      { token: { error: '<b>any text</b>' }, tokenStatus: 403 },
      { ...refused, text: /refused: it answered with status 403$/ },
    ],
    [
      { token: ['no', 'object'], tokenStatus: 400 },
      { ...refused, text: /with status 400$/ },
    ],
    [{ tokenStatus: 429 }, unavailable],
    [{ tokenStatus: 500 }, unavailable],
    [{ tokenStatus: 302 }, unavailable],
    ...([{}, { access_token: 1 }, { access_token: '' }, 'text'] as Json[]).map(
      (token) => [{ token }, unavailable] as const,
    ),
    [{ token: { access_token: 'line\nfeed' } }, unavailable],
    [{ token: { access_token: 't'.repeat(513) } }, unavailable],
    ...([{}, { data: {} }, { data: { id: 42 } }, { id: '42' }, []] as Json[]).map(
      (person) => [{ person }, unavailable] as const,
    ),
    [{ person: { data: { id: 'x:1' } } }, unavailable],
    [{ person: { data: { id: '' } } }, unavailable],
  ];
  for (const [answers, refusal] of cases) {
    letAnswer(service, answers);
    await checkRefused(service, { ...wire, parameters }, { text: /^/, ...refused, ...refusal });
  }
  service.outside.answers.clear();
  await checkRefused(service, { ...wire, parameters }, unavailable);
});

test('oauth2_authenticate: a user who may not use a client cannot make the service use it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const id = await makeCredential(service);
  const requests = letAnswer(service);
  const child = await addChild(service);
  const parameters = describedCode(id);
  const send = (as: object) => service.submit(wire.operation, wire.type, parameters, as);
  assertRefused(await send(await addPlainUser(service)), 403, 7);
  assertRefused(await send({ organizationId: child.organizationId }), 400, 3);
  assertRefused(await send(child), 404, 5);
  const body = activityBody(service, wire.type, parameters);
  const dry = await service.enclave.request({
    requestId: 'dry',
    kind: 'dry_run',
    operation: wire.operation,
    headers: [stampOf(body, service.root.key)],
    timestampObjects: false,
    remoteAddress: service.remoteAddress,
    body,
  });
  assert.equal(dry.status, 200);
  assert.deepEqual(requests, []);
  await checkRefused(
    service,
    { ...wire, parameters: describedCode(unknownId) },
    { status: 404, code: 5, text: /not found$/, clientCode: 'OAUTH2_CREDENTIAL_NOT_FOUND' },
  );
});

test('oauth2_authenticate: a request that is decided again exchanges its code once', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const id = await makeCredential(service);
  const requests = letAnswer(service);
  const { fetch } = service.outside;
  let isFirst = true;
  service.outside.fetch = async (request) => {
    const answer = await fetch(request);
    if (isFirst) {
      isFirst = false;
      const type = 'ACTIVITY_TYPE_CREATE_WALLET';
      const wallet = { walletName: 'Meanwhile', accounts: [] };
      assert.equal((await service.submit('create_wallet', type, wallet)).status, 200);
    }
    return answer;
  };
  const answer = await service.submit(wire.operation, wire.type, describedCode(id));
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(requests.length, 2);
  assert.ok(utf8(answer.body.activity.result.oauth2AuthenticateResult.oidcToken).length > 0);
});
