// The onboarding proxy of a service with default settings: a sign-up requires only the ID in the root
// credentials.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { ApiKeyStamper } from '@turnkey/api-key-stamper';
import { TurnkeyClient } from '@turnkey/http';
import { hex } from '../../src/core/base/bytes.ts';
import { portOf } from '../../src/gateway/base/both_families.ts';
import type { RootCredentials } from '../../src/gateway/enclave/root_credentials.ts';
import { describedKey } from '../operations/users/user_requests.ts';
import { testKey } from '../support/harness.ts';
import { serviceOfThisFile, startService, temporaryDirectory } from './service.ts';

const service = await serviceOfThisFile();
const { credentials } = service;
const page = 'https://wallet.example';

type Headers = Readonly<Record<string, string>>;

/** Sends a request in the form of `@turnkey/core` in a page. */
const call = (url: string, operation: string, body?: object, headers: Headers = {}) =>
  fetch(`${url}/v1/${operation}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Auth-Proxy-Config-ID': credentials.authProxyConfigId,
      Origin: page,
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const withKey = (name: string) => ({
  apiKeys: [describedKey(name)],
  authenticators: [],
  oauthProviders: [],
});

const clientOf = (name: string) => {
  const { privateKey, publicKey } = testKey(name);
  const stamper = new ApiKeyStamper({ apiPublicKey: publicKey, apiPrivateKey: hex(privateKey) });
  return new TurnkeyClient({ baseUrl: service.baseUrl }, stamper);
};

/** Changes settings of the proxy as the root user. */
async function configure(at: RootCredentials, settings: object): Promise<void> {
  const body = JSON.stringify({
    type: 'ACTIVITY_TYPE_UPDATE_AUTH_PROXY_CONFIG',
    timestampMs: String(Date.now()),
    organizationId: at.organizationId,
    parameters: settings,
  });
  const { stampHeaderName, stampHeaderValue } = await new ApiKeyStamper(at).stamp(body);
  const url = `${at.baseUrl}/public/v1/submit/update_auth_proxy_config`;
  const headers = { [stampHeaderName]: stampHeaderValue };
  const response = await fetch(url, { method: 'POST', headers, body });
  assert.equal((await response.json()).activity.status, 'ACTIVITY_STATUS_COMPLETED');
}

// SVC-01, SVC-09, SVC-10, SIGNUP-01, SIGNUP-47
test('a new database lets users sign up at once', async () => {
  assert.equal(credentials.authProxyUrl, service.credentials.baseUrl);
  const config = await call(service.baseUrl, 'wallet_kit_config');
  assert.equal(config.status, 200);
  assert.equal(config.headers.get('access-control-allow-origin'), page);
  const { organizationId: parentId } = await config.json();
  assert.equal(parentId, credentials.organizationId);
  const wallet = {
    walletName: 'Main',
    accounts: [
      {
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: "m/44'/60'/0'/0/0",
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
      },
    ],
  };
  const response = await call(service.baseUrl, 'signup_v2', { ...withKey('alice'), wallet });
  assert.equal(response.status, 200, await response.clone().text());
  assert.equal(response.headers.get('content-type'), 'application/json');
  const { organizationId, userId, wallet: made } = await response.json();
  const whoami = await clientOf('alice').getWhoami({ organizationId: parentId });
  assert.deepEqual([whoami.organizationId, whoami.userId], [organizationId, userId]);
  const { wallets } = await clientOf('alice').getWallets({ organizationId });
  assert.equal(wallets[0]?.walletId, made.walletId);
  assert.match(made.addresses[0], /^0x[0-9a-fA-F]{40}$/);
});

test('settings take effect at once for every page', async () => {
  await configure(credentials, { allowedOrigins: [page] });
  const refused = await call(
    service.baseUrl,
    'wallet_kit_config',
    {},
    { Origin: 'https://evil.example' },
  );
  assert.equal(refused.status, 403);
  assert.equal(refused.headers.get('access-control-allow-origin'), null);
  const accepted = await call(service.baseUrl, 'wallet_kit_config', {});
  assert.equal(accepted.status, 200);
});

test('the proxy works with its own port and a captcha provider', async () => {
  const verified: string[] = [];
  const provider = createServer((request, response) => {
    let form = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      form += text;
    });
    request.on('end', () => {
      verified.push(form);
      const success = new URLSearchParams(form).get('response') === 'right token';
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ success }));
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  after(() => provider.close());
  const other = await startService({
    dataDirectory: temporaryDirectory(),
    environment: {
      KEYWRIGHT_AUTH_PROXY_PORT: '0',
      KEYWRIGHT_CAPTCHA_URL: `http://127.0.0.1:${portOf(provider.address())}/siteverify`,
      KEYWRIGHT_CAPTCHA_SECRET: 'very secret',
      KEYWRIGHT_CAPTCHA_SITE_KEY: 'site key',
      KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
    },
  });
  after(() => other.stop());
  const { authProxyUrl, authProxyConfigId, baseUrl } = other.credentials;
  assert.notEqual(authProxyUrl, baseUrl);
  const own = { 'X-Auth-Proxy-Config-ID': authProxyConfigId };
  assert.equal((await call(baseUrl, 'wallet_kit_config', {}, own)).status, 404);
  assert.equal(
    (await fetch(`${authProxyUrl}/public/v1/query/whoami`, { method: 'POST' })).status,
    404,
  );
  await configure(other.credentials, { captchaEnabled: true });
  const params = await call(authProxyUrl, 'wallet_kit_client_params', undefined, own);
  assert.deepEqual(await params.json(), { turnstileSiteKey: 'site key' });
  const signUp = (captcha: Headers) =>
    call(authProxyUrl, 'signup_v2', withKey('bob'), { ...own, ...captcha });
  assert.equal((await signUp({})).status, 403);
  assert.equal((await signUp({ 'X-Captcha-Token': 'wrong token' })).status, 403);
  assert.equal((await signUp({ 'X-Captcha-Token': 'right token' })).status, 200);
  assert.deepEqual(
    verified.map((form) => Object.fromEntries(new URLSearchParams(form))),
    [
      { secret: 'very secret', response: 'wrong token', remoteip: '127.0.0.1' },
      { secret: 'very secret', response: 'right token', remoteip: '127.0.0.1' },
    ],
  );
  assert.doesNotMatch(
    other.output().stdout + other.output().stderr,
    /very secret|right token|wrong token/,
  );
});

test('a caller over its rate limit gets the time of the next attempt', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 30 }, () =>
      call(service.baseUrl, 'wallet_kit_config').then(({ status }) => status),
    ),
  );
  assert.ok(statuses.includes(429), String(statuses));
});
