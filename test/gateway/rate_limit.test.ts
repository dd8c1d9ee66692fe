import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import { ServiceError } from '../../src/core/errors/errors.ts';
import { maximumBuckets } from '../../src/gateway/admission/buckets.ts';
import {
  createRateLimits,
  probesPerSecond,
  RateLimitedError,
  type RateLimitSettings,
  sourceOf,
} from '../../src/gateway/admission/rate_limit.ts';
import { createHttp } from '../../src/gateway/http/http.ts';
import type { HttpServer } from '../../src/gateway/http/options.ts';
import { noMetrics } from '../../src/gateway/observability/metrics.ts';
import { createMetrics } from '../../src/gateway/observability/prometheus.ts';
import { serve } from '../../src/gateway/serve.ts';
import type { AnswerOf, EnclaveMessages } from '../../src/ipc/messages.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { fakeEnclave, sampleDiscovery } from './fake_enclave.ts';
import { testLimits } from './http_limits.ts';

type Answer = AnswerOf<EnclaveMessages['request']>;

const organizationId = '019b76da-a800-7a00-8000-00000000000a';
const otherId = '019b76da-a800-7a00-8000-00000000000b';
const off = {
  rateLimitOrganizationPerSecond: 0,
  rateLimitSourcePerSecond: 0,
  authProxyRateLimitSourcePerSecond: 0,
  rateLimitLocal: true,
  trustedProxies: 0,
};

/** Creates limits with a stopped clock. */
function startLimits(settings: Partial<RateLimitSettings>) {
  let now = 0;
  const refusals: string[] = [];
  const limits = createRateLimits(
    { ...off, ...settings },
    () => now,
    (limit) => refusals.push(limit),
  );
  return {
    limits,
    refusals,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

function refusalOf(job: () => unknown): RateLimitedError {
  try {
    job();
  } catch (error) {
    assert.ok(error instanceof RateLimitedError);
    return error;
  }
  return assert.fail('nothing was refused');
}

const from = (remoteAddress: string) => ({ remoteAddress, forwardedFor: undefined });
const naming = (id: string) => utf8(JSON.stringify({ organizationId: id }));

describe('a source', () => {
  test('has one second of requests at once, then one per interval', () => {
    const { limits, refusals, advance } = startLimits({ rateLimitSourcePerSecond: 4 });
    const left = [1, 2, 3, 4].map(() => limits.chargeSource(from('192.0.2.1'))?.remaining);
    assert.deepEqual(left, [3, 2, 1, 0]);
    const error = refusalOf(() => limits.chargeSource(from('192.0.2.1')));
    assert.deepEqual([error.budget.limit, error.budget.remaining], [4, 0]);
    assert.equal(error.retryAfterSeconds, 1);
    advance(249);
    refusalOf(() => limits.chargeSource(from('192.0.2.1')));
    advance(1);
    assert.equal(limits.chargeSource(from('192.0.2.1'))?.remaining, 0);
    advance(60_000);
    assert.equal(limits.chargeSource(from('192.0.2.1'))?.remaining, 3, 'never above the limit');
    assert.deepEqual(refusals, ['source', 'source']);
  });

  test('does not use up the limit of another', () => {
    const { limits } = startLimits({ rateLimitSourcePerSecond: 1 });
    limits.chargeSource(from('192.0.2.1'));
    refusalOf(() => limits.chargeSource(from('192.0.2.1')));
    assert.equal(limits.chargeSource(from('192.0.2.2'))?.remaining, 0);
  });

  test('may probe some hundred times a second, whatever its other requests use', () => {
    const { limits, advance } = startLimits({ rateLimitSourcePerSecond: 1 });
    limits.chargeSource(from('192.0.2.1'));
    for (let i = 0; i < probesPerSecond; i += 1) limits.chargeProbe(from('192.0.2.1'));
    refusalOf(() => limits.chargeProbe(from('192.0.2.1')));
    limits.chargeProbe(from('192.0.2.2'));
    advance(1_000);
    limits.chargeProbe(from('192.0.2.1'));
  });

  test('is evicted once too many others came after it', () => {
    const { limits } = startLimits({ rateLimitSourcePerSecond: 1 });
    const address = (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
    limits.chargeSource(from('192.0.2.1'));
    for (let i = 0; i < maximumBuckets - 1; i += 1) limits.chargeSource(from(address(i)));
    refusalOf(() => limits.chargeSource(from('192.0.2.1')));
    for (let i = 0; i < maximumBuckets; i += 1) {
      limits.chargeSource(from(address(i + maximumBuckets)));
    }
    assert.equal(limits.chargeSource(from('192.0.2.1'))?.remaining, 0);
  });

  // Each row: the connection, X-Forwarded-For, the number of trusted proxies, the counted source.
  const sources: readonly [string | undefined, string | string[] | undefined, number, string][] = [
    ['192.0.2.1', undefined, 0, '192.0.2.1/32'],
    ['192.0.2.1', '198.51.100.1', 0, '192.0.2.1/32'],
    ['192.0.2.1', undefined, 1, '192.0.2.1/32'],
    ['192.0.2.1', '198.51.100.1', 1, '198.51.100.1/32'],
    // A caller's own entries are left of those that the proxies add.
    ['192.0.2.1', '203.0.113.9, 198.51.100.1', 1, '198.51.100.1/32'],
    ['192.0.2.1', '203.0.113.9,198.51.100.1 , 192.0.2.7', 2, '198.51.100.1/32'],
    ['192.0.2.1', ['203.0.113.9', '198.51.100.1'], 1, '198.51.100.1/32'],
    ['192.0.2.1', '198.51.100.1', 2, '198.51.100.1/32'],
    ['192.0.2.1', '198.51.100.1, not an address', 1, '192.0.2.1/32'],
    ['192.0.2.1', '', 1, '192.0.2.1/32'],
    // With the port, as some proxies write it.
    ['192.0.2.1', '203.0.113.9:80, 198.51.100.1:51234', 1, '198.51.100.1/32'],
    ['192.0.2.1', '[2001:db8:1:2::9]:51234', 1, '2001:db8:1:2::/64'],
    ['192.0.2.1', '[2001:db8:1:2::9]', 1, '2001:db8:1:2::/64'],
    ['192.0.2.1', '198.51.100.1:port', 1, '192.0.2.1/32'],
    ['192.0.2.1', '[198.51.100.1', 1, '192.0.2.1/32'],
    ['2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', undefined, 0, '2001:db8:1:2::/64'],
    ['2001:db8::9', undefined, 0, '2001:db8::/64'],
    // All loopback addresses count as this machine; the neighbours of `::1` do not.
    ['::1', undefined, 0, '127.0.0.1/32'],
    ['127.9.9.9', undefined, 0, '127.0.0.1/32'],
    ['::ffff:127.0.0.5', undefined, 0, '127.0.0.1/32'],
    ['192.0.2.1', '::1', 1, '127.0.0.1/32'],
    ['::2', undefined, 0, '::/64'],
    ['::ffff:192.0.2.1', undefined, 0, '192.0.2.1/32'],
    ['fe80::1%eth0', undefined, 0, 'fe80::/64'],
    ['192.0.2.1', '2001:db8:1:2::9', 1, '2001:db8:1:2::/64'],
    [undefined, undefined, 0, 'unknown'],
  ];
  for (const [remoteAddress, forwardedFor, trustedProxies, expected] of sources) {
    test(`${remoteAddress} forwarding for ${JSON.stringify(forwardedFor)} behind ${trustedProxies} is ${expected}`, () => {
      assert.equal(sourceOf({ remoteAddress, forwardedFor }, trustedProxies), expected);
    });
  }
});

describe('an organization', () => {
  test('is charged for served requests, and refused without credit', () => {
    const { limits, refusals, advance } = startLimits({ rateLimitOrganizationPerSecond: 2 });
    assert.equal(limits.checkOrganization(naming(organizationId), from('192.0.2.1'))?.remaining, 2);
    assert.equal(
      limits.checkOrganization(naming(organizationId), from('192.0.2.1'))?.remaining,
      2,
      'a look is free',
    );
    limits.chargeOrganization(organizationId, from('192.0.2.1'));
    assert.equal(limits.chargeOrganization(organizationId, from('192.0.2.1'))?.remaining, 0);
    refusalOf(() => limits.checkOrganization(naming(organizationId), from('192.0.2.1')));
    refusalOf(() =>
      limits.checkOrganization(naming(organizationId.toUpperCase()), from('192.0.2.1')),
    );
    assert.equal(limits.checkOrganization(naming(otherId), from('192.0.2.1'))?.remaining, 2);
    advance(500);
    assert.equal(limits.checkOrganization(naming(organizationId), from('192.0.2.1'))?.remaining, 1);
    assert.deepEqual(refusals, ['organization', 'organization']);
  });

  test('waits until its debt is paid', () => {
    const { limits, advance } = startLimits({ rateLimitOrganizationPerSecond: 2 });
    for (let i = 0; i < 8; i += 1) limits.chargeOrganization(organizationId, from('192.0.2.1'));
    const check = () => limits.checkOrganization(naming(organizationId), from('192.0.2.1'));
    assert.equal(refusalOf(check).retryAfterSeconds, 4);
    assert.equal(refusalOf(check).budget.remaining, 0, 'never shown as less than nothing');
    advance(3_499);
    assert.equal(refusalOf(check).retryAfterSeconds, 1);
    advance(1);
    assert.equal(check()?.remaining, 1);
  });

  test('is read from the body like in the enclave', () => {
    const { limits } = startLimits({ rateLimitOrganizationPerSecond: 1 });
    limits.chargeOrganization(organizationId, from('192.0.2.1'));
    const escaped = `{"organization\\u0049d":"${organizationId}"}`;
    const twice = `{"organizationId":"${otherId}","organizationId":"${organizationId}"}`;
    for (const text of [escaped, twice]) {
      refusalOf(() => limits.checkOrganization(utf8(text), from('192.0.2.1')));
    }
    const nobody = ['', '{', '[]', 'null', '"organizationId"', '{"organizationId":1}', '\xff'];
    for (const text of nobody) {
      assert.equal(
        limits.checkOrganization(Buffer.from(text, 'latin1'), from('192.0.2.1')),
        undefined,
        text,
      );
    }
  });
});

describe('without settings', () => {
  const defaults = () =>
    createRateLimits(
      readSettings({}, []),
      () => 0,
      () => undefined,
    );

  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
    test(`programs on the machine itself (${address}) are not limited`, () => {
      const limits = defaults();
      for (let i = 0; i < 20_000; i += 1) {
        assert.equal(limits.chargeSource(from(address)), undefined);
        assert.equal(limits.checkOrganization(naming(organizationId), from(address)), undefined);
        assert.equal(limits.chargeOrganization(organizationId, from(address)), undefined);
      }
    });
  }

  test('others are limited generously, by source and by organization', () => {
    const limits = defaults();
    const source = from('192.0.2.1');
    for (let i = 0; i < 2_000; i += 1) limits.chargeSource(source);
    refusalOf(() => limits.chargeSource(source));
    for (let i = 0; i < 5_000; i += 1) limits.chargeOrganization(organizationId, source);
    refusalOf(() => limits.checkOrganization(naming(organizationId), source));
    assert.equal(limits.checkOrganization(naming(otherId), source)?.remaining, 5_000);
  });

  test('a caller through a proxy on the machine does not count as the machine', () => {
    const limits = defaults();
    const proxied = [
      { ...from('127.0.0.1'), forwardedFor: '192.0.2.1' },
      { ...from('127.0.0.1'), forwardedFor: '127.0.0.1' },
      { ...from('127.0.0.1'), isForwarded: true },
    ];
    for (const source of proxied) assert.ok(limits.chargeSource(source) !== undefined);
  });

  test('strangers at the onboarding proxy are limited from any address', () => {
    const limits = defaults();
    for (let i = 0; i < 10; i += 1) limits.chargeProxySource(from('127.0.0.1'));
    refusalOf(() => limits.chargeProxySource(from('127.0.0.1')));
  });
});

test('a large body is read early only while some organization has no credit', () => {
  const { limits } = startLimits({ rateLimitOrganizationPerSecond: 1 });
  const source = from('192.0.2.1');
  const large = utf8(JSON.stringify({ organizationId, padding: 'x'.repeat(20_000) }));
  assert.equal(limits.checkOrganization(large, source), undefined);
  limits.chargeOrganization(organizationId, source);
  refusalOf(() => limits.checkOrganization(large, source));
});

describe('over HTTP', () => {
  const servers: HttpServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.drain(0);
  });

  const served: Answer = {
    status: 200,
    body: utf8('{}'),
    activityId: undefined,
    organizationId,
    errorCode: undefined,
    allowedOrigin: undefined,
  };
  const refused = (status: number): Answer => ({ ...served, status, organizationId: undefined });

  async function startServer(settings: Partial<RateLimitSettings>, answer = () => served) {
    const { limits, refusals, advance } = startLimits(settings);
    const asked: string[] = [];
    const server = createHttp({
      ask: async ({ operation }) => {
        asked.push(operation);
        return answer();
      },
      notReady: () => [],
      discovery: sampleDiscovery,
      webhookKeySet: async () => Buffer.from('{"keys":[]}'),
      openApi: async () => ({}),
      log: () => {},
      metrics: noMetrics,
      rateLimits: limits,
      limits: {
        ...testLimits,
        inFlightMaximum: 100,
        trustedProxies: 0,
      },
    });
    servers.push(server);
    const port = await server.listen({ host: '127.0.0.1', port: 0 });
    const send = (id = organizationId, headers: Record<string, string> = {}) =>
      reply(port, { headers, body: naming(id) });
    return { port, send, asked, refusals, advance };
  }

  async function reply(
    port: number,
    {
      method = 'POST',
      path = '/public/v1/query/whoami',
      headers = {},
      body,
    }: {
      method?: string;
      path?: string;
      headers?: Record<string, string>;
      body?: Uint8Array;
    },
  ) {
    const request = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: false });
    if (body === undefined) request.flushHeaders();
    else request.end(body);
    const [response] = await once(request, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    request.destroy();
    return {
      status: Number(response.statusCode),
      headers: response.headers,
      body: Buffer.concat(chunks).toString(),
    };
  }

  test('a refusal is 429 with the text and headers that clients know', async () => {
    const { send, asked } = await startServer({ rateLimitSourcePerSecond: 1 });
    const first = await send();
    assert.equal(first.status, 200);
    assert.equal(first.headers['ratelimit-limit'], '1');
    assert.equal(first.headers['ratelimit-remaining'], '0');
    assert.equal(first.headers['retry-after'], undefined);
    const second = await send();
    assert.equal(second.status, 429);
    assert.equal(second.headers['content-type'], 'application/json');
    assert.equal(second.headers['ratelimit-limit'], '1');
    assert.equal(second.headers['ratelimit-remaining'], '0');
    assert.equal(second.headers['retry-after'], '1');
    assert.equal(second.headers['x-rate-limit-request-remote-addr'], '127.0.0.1');
    assert.equal(second.headers['x-rate-limit-request-forwarded-for'], '');
    const body = JSON.parse(second.body);
    assert.equal(body.code, 8);
    assert.equal(body.message, 'Too many requests. Please wait and try again in a few seconds');
    assert.equal(body.turnkeyErrorCode, 'RATE_LIMIT_EXCEEDED');
    assert.deepEqual(asked, ['whoami']);
  });

  test('a source is refused before its body is read', async () => {
    const { port, send } = await startServer({ rateLimitSourcePerSecond: 1 });
    await send();
    // The body is announced, and never sent.
    const answer = await reply(port, { headers: { 'content-length': '900' } });
    assert.equal(answer.status, 429);
  });

  test('all paths count, except health', async () => {
    const { port, send, advance } = await startServer({ rateLimitSourcePerSecond: 1 });
    await send();
    for (const [method, path] of [
      ['GET', '/openapi.json'],
      ['GET', '/nowhere'],
      ['GET', '/%zz'],
      ['OPTIONS', '/public/v1/query/whoami'],
    ] as const) {
      const body = new Uint8Array(0);
      assert.equal((await reply(port, { method, path, body })).status, 429, path);
      advance(1_000);
      const answer = await reply(port, { method, path, body });
      assert.notEqual(answer.status, 429, path);
      assert.equal(answer.headers['ratelimit-remaining'], '0', path);
    }
    for (const path of ['/health/live', '/health/ready']) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await reply(port, { method, path, body: new Uint8Array(0) });
        assert.equal(answer.status, 200, path);
        assert.equal(answer.headers['ratelimit-limit'], undefined);
      }
    }
  });

  test('a trusted proxy names the source', async () => {
    const settings = { rateLimitSourcePerSecond: 1, trustedProxies: 1 };
    const { send } = await startServer(settings);
    const through = (entry: string) => send(organizationId, { 'x-forwarded-for': entry });
    assert.equal((await through('198.51.100.1')).status, 200);
    assert.equal((await through('203.0.113.9, 198.51.100.1')).status, 429);
    assert.equal((await through('198.51.100.2')).status, 200);
  });

  for (const status of [400, 401, 403, 404, 500]) {
    test(`an answer ${status} costs the organization nothing`, async () => {
      let answer = refused(status);
      const { send } = await startServer({ rateLimitOrganizationPerSecond: 1 }, () => answer);
      for (let i = 0; i < 5; i += 1) {
        const { headers } = await send();
        assert.equal(headers['ratelimit-limit'], '1');
        assert.equal(headers['ratelimit-remaining'], '1');
      }
      answer = served;
      const { status: last, headers } = await send();
      assert.equal(last, 200);
      assert.equal(headers['ratelimit-remaining'], '0');
    });
  }

  test('an organization without credit is refused by the gateway, others are not', async () => {
    const { send, asked, refusals, advance } = await startServer({
      rateLimitOrganizationPerSecond: 1,
    });
    assert.equal((await send()).status, 200);
    assert.equal((await send()).status, 429);
    assert.equal((await send(otherId)).status, 200);
    assert.equal(asked.length, 2);
    assert.deepEqual(refusals, ['organization']);
    // The answer to the other request named the first organization, so that was charged.
    advance(1_999);
    assert.equal((await send()).status, 429);
    advance(1);
    assert.equal((await send()).status, 200);
  });

  test('of two limits the nearer is shown', async () => {
    const { send, advance } = await startServer({
      rateLimitSourcePerSecond: 2,
      rateLimitOrganizationPerSecond: 5,
    });
    const shown = async () => {
      const { headers } = await send();
      return `${headers['ratelimit-remaining']} of ${headers['ratelimit-limit']}`;
    };
    assert.equal(await shown(), '1 of 2');
    assert.equal(await shown(), '0 of 2');
    assert.equal(await shown(), '0 of 2');
    advance(1_000);
    assert.equal(await shown(), '1 of 2');
  });
});

test('refusals are counted by their limit', async () => {
  const { metrics, render } = await createMetrics();
  metrics.requestRateLimited('source');
  metrics.requestRateLimited('organization');
  metrics.requestRateLimited('organization');
  const text = await render();
  assert.match(text, /^keywright_rate_limited_total\{limit="source"\} 1$/m);
  assert.match(text, /^keywright_rate_limited_total\{limit="organization"\} 2$/m);
});

test('the refusal is in the table of errors', () => {
  const { limits } = startLimits({ rateLimitSourcePerSecond: 1 });
  limits.chargeSource(from('192.0.2.1'));
  const error = refusalOf(() => limits.chargeSource(from('192.0.2.1')));
  assert.ok(error instanceof ServiceError);
  assert.equal(error.code, 'rate_limited');
});

test('the settings reach a running service, and its metrics', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'keywright-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const flags = ['--data-dir', join(directory, 'data'), '--port', '0', '--metrics-port', '0'];
  const limited = [...flags, '--rate-limit-source-per-second', '1', '--trusted-proxies', '1'];
  const launch = () => fakeEnclave().process;
  const service = await serve(readSettings({}, limited), { log: () => {}, launch });
  t.after(() => service.stop());
  const statusFor = async (forwarded: string) => {
    const headers = { 'x-forwarded-for': forwarded };
    return (await fetch(`${service.baseUrl}/openapi.json`, { headers, method: 'OPTIONS' })).status;
  };
  assert.equal(await statusFor('198.51.100.1'), 204);
  // Sends until a refusal, since a slow machine may send only one request per second.
  while ((await statusFor('198.51.100.2')) !== 429);
  const metrics = await (await fetch(`${service.metricsUrl}/metrics`)).text();
  assert.match(metrics, /^keywright_rate_limited_total\{limit="source"\} 1$/m);
});
