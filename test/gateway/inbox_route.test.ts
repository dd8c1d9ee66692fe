import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { createHttp } from '../../src/gateway/http/http.ts';
import { createDevelopmentInbox } from '../../src/gateway/messages/development_inbox.ts';
import { noMetrics } from '../../src/gateway/observability/metrics.ts';
import { sampleDiscovery } from './fake_enclave.ts';
import { testLimits } from './http_limits.ts';

const inbox = createDevelopmentInbox(
  () => {},
  () => Date.UTC(2026, 0, 1),
  (length) => new Uint8Array(length).fill(251),
);
const tokenPath = `/dev/inbox?token=${inbox.token}`;
await inbox.carrier.send(
  { channel: 'sms', to: '+4930123456', text: 'Your code is 123456.' },
  new AbortController().signal,
);

async function startServer(withInbox: boolean): Promise<number> {
  const server = createHttp({
    ask: () => assert.fail('nothing is asked'),
    notReady: () => [],
    discovery: sampleDiscovery,
    webhookKeySet: async () => Buffer.from('{"keys":[]}'),
    openApi: async () => ({}),
    inbox: withInbox ? inbox : undefined,
    log: () => {},
    metrics: noMetrics,
    limits: {
      ...testLimits,
      inFlightMaximum: 100,
      trustedProxies: 0,
    },
  });
  after(() => server.drain(0));
  return server.listen({ host: '127.0.0.1', port: 0 });
}

type Reply = { readonly status: number; readonly headers: object; readonly body: string };

const ask = (
  port: number,
  headers: Record<string, string> = {},
  method = 'GET',
  path = tokenPath,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers });
    sent.once('error', reject);
    sent.once('response', (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
      );
    });
    sent.end();
  });

test('the development inbox is shown on this machine, and to no page of another origin', async () => {
  const port = await startServer(true);
  const { status, headers, body } = await ask(port);
  assert.equal(status, 200);
  assert.deepEqual(JSON.parse(body), inbox.read());
  const { 'cache-control': caching }: Record<string, unknown> = { ...headers };
  assert.equal(caching, 'no-store');
  for (const foreign of [
    { host: 'evil.example' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    // A proxy on this machine names this machine as the host.
    ...['x-forwarded-for', 'x-real-ip', 'x-forwarded-host', 'forwarded', 'via'].map((name) => {
      return { [name]: '203.0.113.7' };
    }),
  ]) {
    const refused = await ask(port, foreign);
    assert.equal(refused.status, 404, JSON.stringify(foreign));
    assert.doesNotMatch(refused.body, /123456/);
    assert.ok(!Object.hasOwn(refused.headers, 'access-control-allow-origin'));
  }
  assert.ok(!Object.hasOwn(headers, 'access-control-allow-origin'));
  const spelledOtherwise = await ask(port, {}, 'GET', `/%64ev/inbox?token=${inbox.token}`);
  assert.equal(spelledOtherwise.status, 200);
  assert.ok(!Object.hasOwn(spelledOtherwise.headers, 'access-control-allow-origin'));
  const preflight = await ask(port, { origin: 'https://evil.example' }, 'OPTIONS');
  assert.ok(!Object.hasOwn(preflight.headers, 'access-control-allow-origin'));
});

test('the development inbox requires the token that the start printed', async () => {
  const port = await startServer(true);
  for (const query of ['', '?token=', '?token', '?token=other', `?token=${inbox.token.slice(1)}`]) {
    const refused = await ask(port, {}, 'GET', `/dev/inbox${query}`);
    assert.equal(refused.status, 404, query);
    assert.doesNotMatch(refused.body, /123456/);
  }
});

test('without an inbox there is no such path', async () => {
  const port = await startServer(false);
  const { status, body } = await ask(port);
  assert.equal(status, 404);
  assert.match(JSON.parse(body).message, /^unknown operation/);
});
