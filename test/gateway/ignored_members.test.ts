// Ignored members, from the enclave's answers over HTTP to the metric.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHttp } from '../../src/gateway/http/http.ts';
import { createMetrics } from '../../src/gateway/observability/prometheus.ts';
import type { AnswerOf, EnclaveMessages } from '../../src/ipc/messages.ts';
import { sampleDiscovery } from './fake_enclave.ts';
import { testLimits } from './http_limits.ts';

const answerWith = (ignoredMembers: number | undefined): AnswerOf<EnclaveMessages['request']> => ({
  status: 200,
  body: Buffer.from('{}'),
  activityId: undefined,
  organizationId: undefined,
  errorCode: undefined,
  allowedOrigin: undefined,
  ...(ignoredMembers === undefined ? {} : { ignoredMembers }),
});

test('requests over HTTP count their unknown members by operation, at the proxy too', async (t) => {
  const { metrics, render } = await createMetrics();
  const ignoredOf: Readonly<Record<string, number>> = { create_wallet: 2, signup: 1 };
  const server = createHttp({
    ask: async ({ operation }) => answerWith(ignoredOf[operation]),
    notReady: () => [],
    discovery: sampleDiscovery,
    webhookKeySet: async () => Buffer.from('{"keys":[]}'),
    openApi: async () => ({ openapi: '3.1.0' }),
    log: () => undefined,
    metrics,
    limits: { ...testLimits, inFlightMaximum: 100, trustedProxies: 0 },
  });
  t.after(() => server.drain(0));
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  const paths = ['submit/create_wallet', 'submit/create_wallet', 'query/whoami'];
  const urls = [...paths.map((path) => `public/v1/${path}`), 'v1/signup'];
  for (const url of urls) {
    const answer = await fetch(`http://127.0.0.1:${port}/${url}`, { method: 'POST', body: '{}' });
    assert.equal(answer.status, 200, url);
    await answer.text();
  }
  const lines = (await render())
    .split('\n')
    .filter((line) => line.startsWith('keywright_unknown_members_total{'));
  assert.deepEqual(lines.toSorted(), [
    'keywright_unknown_members_total{operation="create_wallet"} 4',
    'keywright_unknown_members_total{operation="signup"} 1',
  ]);
});
