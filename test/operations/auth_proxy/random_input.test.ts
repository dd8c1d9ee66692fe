// Strangers may send any input: the proxy answers it, and never with an internal error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { proxyOperations } from '../../../src/operations/index.ts';
import { callProxy, startProxyService } from './proxy_requests.ts';

const endpoints = Object.entries(proxyOperations).map(([name, { body }]) => {
  const { properties } = body as unknown as { properties: object };
  return { name, members: Object.keys(properties) };
});

/** Plausible values of members, and arbitrary ones. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    ...['EMAIL', 'OIDC_CLAIMS', 'OIDC_TOKEN', 'OTP_TYPE_EMAIL', 'OAUTH2_PROVIDER_X'],
    ...['alice@example.com', '{"iss":"a","aud":"b","sub":"c"}', 'a.b.c', '02'.repeat(33)],
    ...['01900000-0000-7000-8000-000000000000', true, [], [{}], {}],
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

const anyBody = (members: readonly string[]) =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record(Object.fromEntries(members.map((name) => [name, value])), {
        requiredKeys: [],
      }),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  );

test('the proxy answers arbitrary bodies of strangers', async (t) => {
  const logged: string[] = [];
  const service = await startProxyService({ log: logged });
  t.after(() => service.close());
  for (const { name, members } of endpoints) {
    await fc.assert(
      fc.asyncProperty(anyBody(members), async (body) => {
        const { status } = await callProxy(service, name, utf8(JSON.stringify(body)));
        assert.ok(status < 500 || status === 503, `${name} answers ${status}`);
      }),
      { numRuns: 60, seed: 7 },
    );
  }
  assert.deepEqual(logged, [], 'nothing was unforeseen');
});

test('the proxy answers arbitrary headers', async (t) => {
  const logged: string[] = [];
  const service = await startProxyService({ log: logged });
  t.after(() => service.close());
  const text = fc.string({ maxLength: 60, unit: 'binary-ascii' });
  await fc.assert(
    fc.asyncProperty(text, text, text, async (configId, origin, captchaToken) => {
      const headers = { configId, origin, captchaToken };
      const { status, allowedOrigin } = await callProxy(service, 'wallet_kit_config', {}, headers);
      assert.deepEqual([status, allowedOrigin], [400, undefined]);
    }),
    { numRuns: 100, seed: 7 },
  );
  assert.deepEqual(logged, []);
});
