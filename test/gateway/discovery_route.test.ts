import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createHttp } from '../../src/gateway/http/http.ts';
import { noMetrics } from '../../src/gateway/observability/metrics.ts';
import { sampleDiscovery } from './fake_enclave.ts';
import { testLimits } from './http_limits.ts';

const server = createHttp({
  ask: () => assert.fail('nothing is asked'),
  notReady: () => [],
  discovery: sampleDiscovery,
  webhookKeySet: async () => assert.fail('nothing is asked'),
  openApi: async () => ({}),
  log: () => {},
  metrics: noMetrics,
  limits: {
    ...testLimits,
    inFlightMaximum: 100,
    trustedProxies: 0,
  },
});
after(() => server.drain(0));
const base = `http://127.0.0.1:${await server.listen({ host: '127.0.0.1', port: 0 })}`;

for (const [path, document] of [
  ['/.well-known/openid-configuration', sampleDiscovery.issuerConfiguration],
  ['/.well-known/jwks.json', sampleDiscovery.issuerKeySet],
  ['/public/v1/discovery/keys', sampleDiscovery.serviceKeys],
] as const) {
  test(`${path} is public, and may be cached for an hour`, async () => {
    const answer = await fetch(`${base}${path}`);
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), Buffer.from(document).toString());
    assert.equal(answer.headers.get('content-type'), 'application/json');
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.match(answer.headers.get('cache-control') ?? '', /^public, max-age=3600/);
    const post = await fetch(`${base}${path}`, { method: 'POST' });
    assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD']);
    assert.equal((await fetch(`${base}${path}`, { method: 'OPTIONS' })).status, 204);
  });
}
