// The onboarding proxy over HTTP: the pages that may read its answers, the rate limits of strangers, and
// its separate port.

import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import { createRateLimits } from '../../src/gateway/admission/rate_limit.ts';
import { createHttp } from '../../src/gateway/http/http.ts';
import type { HttpServer } from '../../src/gateway/http/options.ts';
import { noMetrics } from '../../src/gateway/observability/metrics.ts';
import type { HttpPart } from '../../src/gateway/protocol/paths.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../src/ipc/messages.ts';

import { sampleDiscovery } from './fake_enclave.ts';
import { testLimits } from './http_limits.ts';

type Asked = RequestOf<EnclaveMessages['request']>;
type Answer = AnswerOf<EnclaveMessages['request']>;

const page = 'https://wallet.example';
const ok: Answer = {
  status: 200,
  body: utf8('{}'),
  activityId: undefined,
  organizationId: 'organization',
  errorCode: undefined,
  allowedOrigin: page,
};

const servers: HttpServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.drain(0);
});

async function start(
  answer: Partial<Answer> = {},
  { serves, perSecond = 0 }: { serves?: readonly HttpPart[]; perSecond?: number } = {},
) {
  const asked: Asked[] = [];
  const kinds: string[] = [];
  let now = 0;
  const limits = {
    rateLimitOrganizationPerSecond: 1,
    rateLimitSourcePerSecond: 0,
    authProxyRateLimitSourcePerSecond: perSecond,
    rateLimitLocal: true,
    trustedProxies: 1,
  };
  const server = createHttp({
    ask: async (request) => {
      asked.push(request);
      return { ...ok, ...answer };
    },
    notReady: () => [],
    discovery: sampleDiscovery,
    webhookKeySet: async () => utf8('{"keys":[]}'),
    openApi: async () => ({}),
    inbox: undefined,
    log: () => {},
    metrics: { ...noMetrics, requestFinished: ({ kind }) => kinds.push(kind) },
    rateLimits: createRateLimits(
      limits,
      () => now,
      () => {},
    ),
    ...(serves === undefined ? {} : { serves }),
    limits: {
      ...testLimits,
      inFlightMaximum: 100,
      trustedProxies: 1,
    },
  });
  servers.push(server);
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', ...init });
  const advance = (ms: number) => {
    now += ms;
  };
  return { call, asked, kinds, advance };
}

const allowed = (response: Response) => response.headers.get('access-control-allow-origin');

describe('the onboarding proxy over HTTP', () => {
  test('its headers reach the enclave, and no stamps; a body is optional', async () => {
    const { call, asked, kinds } = await start();
    await call('/v1/wallet_kit_config', {
      headers: {
        'X-Auth-Proxy-Config-ID': 'config', // SIGNUP-03, AUTH-06
        'X-Captcha-Token': 'captcha',
        'X-Stamp': 'stamp',
        'X-Session': 'session',
        'X-Forwarded-For': '203.0.113.7',
        'Dry-Run': 'true',
        Origin: page,
      },
    });
    const [request] = asked;
    assert.deepEqual(
      [request?.kind, request?.operation, request?.remoteAddress, request?.body.length],
      ['proxy', 'wallet_kit_config', '203.0.113.7', 0],
    );
    assert.deepEqual(
      request?.headers.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      [
        { name: 'origin', value: page },
        { name: 'x-auth-proxy-config-id', value: 'config' },
        { name: 'x-captcha-token', value: 'captcha' },
      ],
    );
    assert.deepEqual(kinds, ['proxy']);
  });

  test('preflights of every page are answered', async () => {
    const { call, asked } = await start();
    for (const origin of [page, 'https://elsewhere.example', 'null']) {
      const response = await call('/v1/signup_v2', {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'content-type,x-auth-proxy-config-id',
        },
      });
      assert.equal(response.status, 204);
      assert.equal(allowed(response), '*');
      assert.equal(response.headers.get('access-control-allow-methods'), 'POST');
      assert.deepEqual(response.headers.get('access-control-allow-headers')?.split(', ').sort(), [
        'Content-Type',
        'Traceparent',
        'X-Auth-Proxy-Config-ID',
        'X-Captcha-Token',
        'X-Client-Version',
        'X-Request-Id',
      ]);
    }
    assert.equal(asked.length, 0);
  });

  test('a permitted page reads answers and refusals, another page reads nothing', async () => {
    const refused = { status: 400, errorCode: 'field_invalid' };
    for (const answer of [{}, refused]) {
      const response = await (await start(answer)).call('/v1/account');
      assert.equal(allowed(response), page);
      assert.equal(response.headers.get('vary'), 'origin');
    }
    const elsewhere = {
      status: 403,
      errorCode: 'proxy_origin_not_allowed',
      allowedOrigin: undefined,
    };
    const response = await (await start(elsewhere)).call('/v1/account');
    assert.deepEqual([response.status, allowed(response)], [403, null]);
    const unknown = { status: 404, errorCode: 'proxy_config_not_found', allowedOrigin: undefined };
    assert.equal(allowed(await (await start(unknown)).call('/v1/account')), '*');
  });

  test('a source with too many requests is refused with the time to retry', async () => {
    const { call, asked, advance } = await start({}, { perSecond: 2 });
    const from = (address: string, path = '/v1/account') =>
      call(path, { headers: { 'X-Forwarded-For': address, Origin: page } });
    for (let i = 0; i < 2; i += 1) assert.equal((await from('203.0.113.7')).status, 200);
    const refused = await from('203.0.113.7');
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal(allowed(refused), '*', 'a page shall see why');
    assert.equal((await from('203.0.113.8')).status, 200, 'others are none the worse');
    const preflight = await call('/v1/account', {
      method: 'OPTIONS',
      headers: { 'X-Forwarded-For': '203.0.113.7' },
    });
    assert.equal(preflight.status, 204);
    assert.equal((await from('203.0.113.7', '/public/v1/query/whoami')).status, 200);
    advance(500);
    assert.equal((await from('203.0.113.7')).status, 200);
    assert.equal((await from('203.0.113.7')).status, 429);
    assert.equal(asked.length, 5);
  });

  test('a path in another spelling counts too', async () => {
    const { call, kinds } = await start({}, { perSecond: 2 });
    const statuses: number[] = [];
    for (const path of ['/v1/', '/%761/', '/v%31/', '/%76%31/']) {
      statuses.push((await call(`${path}wallet_kit_config`)).status);
    }
    assert.deepEqual(statuses, [200, 200, 429, 429]);
    while (kinds.length < 4) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(kinds, ['proxy', 'proxy', 'proxy', 'proxy']);
  });

  test('strangers do not use up the limit of the organization', async () => {
    const { call } = await start();
    for (let i = 0; i < 5; i += 1) assert.equal((await call('/v1/account')).status, 200);
    assert.equal((await call('/public/v1/query/whoami')).status, 200);
  });

  test('a separate port serves only the proxy, and no other port does', async () => {
    const proxy = await start({}, { serves: ['proxy'] });
    assert.equal((await proxy.call('/v1/account')).status, 200);
    assert.equal((await proxy.call('/health/ready', { method: 'GET' })).status, 200);
    for (const path of ['/public/v1/query/whoami', '/openapi.json', '/v1/a/b', '/v2/a']) {
      assert.equal((await proxy.call(path)).status, 404, path);
    }
    const api = await start({}, { serves: ['api'] });
    assert.equal((await api.call('/public/v1/query/whoami')).status, 200);
    assert.equal((await api.call('/v1/account')).status, 404);
  });
});
