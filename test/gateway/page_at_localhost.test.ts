// The page on this machine: no other program listens at the address that a browser uses, a secret opens it,
// and a service worker of an earlier program is removed.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { isOpenedAtLocalhost } from '../../src/gateway/base/both_families.ts';
import { readBuild } from '../../src/gateway/dashboard/built_files.ts';
import { createDashboard } from '../../src/gateway/dashboard/dashboard.ts';
import { type ServedApart, serveApart } from '../../src/gateway/dashboard/serve_apart.ts';
import { createHttp } from '../../src/gateway/http/http.ts';
import { noMetrics } from '../../src/gateway/observability/metrics.ts';
import { reservePort } from '../../src/gateway/root_key/port_reservation.ts';
import { sampleDiscovery } from './fake_enclave.ts';
import { testLimits } from './http_limits.ts';

const folder = mkdtempSync(join(tmpdir(), 'keywright-page-'));
const build = (() => {
  const list = { version: '1.2.3', importMap: 'sha256-AAAA', files: { 'index.html': 'digest' } };
  writeFileSync(join(folder, 'index.html'), '<!doctype html><p>The page</p>');
  writeFileSync(join(folder, 'integrity.json'), JSON.stringify(list));
  return readBuild(folder);
})();
after(() => rmSync(folder, { recursive: true }));

type Headers = Readonly<Record<string, string>>;

async function get(url: string, headers: Headers = {}) {
  const sent = httpRequest(url, { headers, agent: false });
  sent.end();
  const [answer] = await once(sent, 'response');
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  return { status: Number(answer.statusCode), headers: answer.headers, text };
}

const hasIpv6 = await (async () => {
  const server = createServer();
  server.listen(0, '::1');
  try {
    await once(server, 'listening');
    server.close();
    return true;
  } catch {
    return false;
  }
})();
const withIpv6 = { skip: hasIpv6 ? false : 'this machine has no ::1' };

function newServer() {
  return createHttp({
    ask: async () => assert.fail('the enclave is not asked'),
    notReady: () => [],
    discovery: sampleDiscovery,
    webhookKeySet: async () => Buffer.from('{"keys":[]}'),
    openApi: async () => ({}),
    log: () => {},
    metrics: noMetrics,
    dashboard: createDashboard(
      {
        host: '127.0.0.1',
        authProxyPort: undefined,
        dashboardDirectory: folder,
        dashboardOrganization: undefined,
        dashboardSessionProfile: undefined,
      },
      {
        organizationId: 'o',
        userId: 'u',
        apiKeyId: 'k',
        apiPublicKey: '02',
        authProxyConfigId: 'p',
      },
      undefined,
    ),
    limits: { ...testLimits, inFlightMaximum: 100, trustedProxies: 0 },
  });
}

test('a service at localhost answers at both loopback addresses', withIpv6, async (t) => {
  const server = newServer();
  t.after(() => server.drain(0));
  const reservation = await reservePort({ host: '127.0.0.1', port: 0, asLocalhost: true });
  await reservation.release();
  const { port } = reservation;
  await server.listen({ host: '127.0.0.1', port, asLocalhost: true });
  for (const host of ['127.0.0.1', '[::1]']) {
    const { status, text } = await get(`http://${host}:${port}/dashboard/`);
    assert.deepEqual([status, text.includes('The page')], [200, true], host);
  }
  await server.drain(0);
  await assert.rejects(get(`http://[::1]:${port}/dashboard/`), /ECONNREFUSED/);
});

test('a service at the host `localhost` has its bounds at both addresses', withIpv6, async (t) => {
  const server = newServer();
  t.after(() => server.drain(0));
  const reservation = await reservePort({ host: '127.0.0.1', port: 0, asLocalhost: true });
  await reservation.release();
  const { port } = reservation;
  await server.listen({ host: 'localhost', port });
  for (const host of ['127.0.0.1', '::1']) {
    const socket = connect({ host, port });
    t.after(() => socket.destroy());
    // The connection closes after the first answer, since requests are read one at a time.
    socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2));
    let received = '';
    for await (const data of socket) received += String(data);
    assert.equal(received.match(/HTTP\/1\.1 200 /g)?.length, 1, host);
  }
});

test('a service does not start where another program listens at ::1', withIpv6, async (t) => {
  const other = createServer();
  other.listen(0, '::1');
  await once(other, 'listening');
  t.after(() => other.close());
  const address = other.address();
  assert(address !== null && typeof address === 'object');
  const server = newServer();
  t.after(() => server.drain(0));
  await assert.rejects(
    server.listen({ host: '127.0.0.1', port: address.port, asLocalhost: true }),
    /another program listens at \[::1\]:\d+, which browsers try first for http:\/\/localhost:/,
  );
});

test('only the page needs the name, if 127.0.0.1 leads to the service', () => {
  for (const [host, isNeeded] of [
    ['127.0.0.1', true],
    ['0.0.0.0', true],
    ['localhost', true],
    ['::', false],
    ['10.0.0.1', false],
  ] as const) {
    assert.equal(isOpenedAtLocalhost({ host, dashboard: true }), isNeeded, host);
    assert.equal(isOpenedAtLocalhost({ host, dashboard: false }), false);
  }
});

let served: ServedApart;
before(async () => {
  const service = { apiUrl: 'https://keys.example', organizationId: undefined, port: 0 };
  served = await serveApart(build, service);
});
after(() => served.stop());

test('a page that is served separately stops at once despite an idle connection', {
  timeout: 20_000,
}, async () => {
  const service = { apiUrl: 'https://keys.example', organizationId: undefined, port: 0 };
  const ending = await serveApart(build, service);
  const socket = connect(Number(new URL(ending.url).port), '127.0.0.1').resume();
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  // An answer to a later request shows that the earlier connection was accepted.
  assert.equal((await get(new URL('/x', ending.url).href)).status, 403);
  await ending.stop();
  await closed;
});

test('the page of a package is served at 127.0.0.1, to the first browser that has the secret alone', async () => {
  const { url } = served;
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{22}$/);
  const { origin, port } = new URL(url);
  for (const path of [
    '/',
    '/dashboard/',
    '/dashboard/config.json',
    '/dashboard/index.html',
    '/x',
  ]) {
    assert.equal((await get(`${origin}${path}`)).status, 403, path);
  }
  assert.equal((await get(`${origin}/open/${'A'.repeat(22)}`)).status, 403);
  const opened = await get(url);
  assert.deepEqual([opened.status, opened.headers.location], [303, '/dashboard/']);
  const [cookie = '', ...attributes] = String(opened.headers['set-cookie']).split('; ');
  assert.match(cookie, new RegExp(`^keywright-${port}=[\\w-]{22}$`));
  assert.deepEqual(attributes, ['Path=/', 'HttpOnly', 'SameSite=Strict']);
  // The secret is void now, so it is useless in a browser history or a process list.
  assert.equal((await get(url)).status, 403);
  assert.equal((await get(url, { cookie })).status, 303);
  assert.equal((await get(`${origin}/dashboard/`, { cookie: `other=1; ${cookie}` })).status, 200);
  assert.equal((await get(`${origin}/dashboard/`, { cookie: `${cookie}A` })).status, 403);
  for (const host of ['rebound.example', `localhost:${port}`]) {
    assert.equal((await get(`${origin}/dashboard/`, { cookie, host })).status, 421, host);
  }
});

test('a browser that requests the script of a service worker gets one that unregisters itself', async (t) => {
  const server = newServer();
  t.after(() => server.drain(0));
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  const { origin } = new URL(served.url);
  const asked = ['/dashboard/sw.js', '/dashboard/assets/sw.js', '/sw.js', '/dashboard/index.html'];
  for (const base of [`http://127.0.0.1:${port}`, origin]) {
    for (const path of asked) {
      const { status, headers, text } = await get(`${base}${path}`, { 'service-worker': 'script' });
      assert.equal(status, 200, path);
      assert.match(String(headers['content-type']), /^text\/javascript/);
      assert.equal(headers['cache-control'], 'no-store');
      assert.deepEqual(await done(text), ['skipped waiting', 'unregistered', 'loaded /dashboard/']);
    }
  }
});

/** Runs the script of a worker, installs and activates it; returns its actions. */
async function done(script: string): Promise<readonly string[]> {
  const did: string[] = [];
  const waited: Promise<unknown>[] = [];
  const listeners = new Map<string, (event: unknown) => void>();
  const page = {
    url: '/dashboard/',
    navigate: async (url: string) => void did.push(`loaded ${url}`),
  };
  runInNewContext(script, {
    addEventListener: (name: string, listener: (event: unknown) => void) =>
      listeners.set(name, listener),
    skipWaiting: () => did.push('skipped waiting'),
    registration: { unregister: async () => void did.push('unregistered') },
    clients: { matchAll: async () => [page] },
  });
  assert.deepEqual([...listeners.keys()], ['install', 'activate'], 'it answers no fetch');
  listeners.get('install')?.({});
  listeners.get('activate')?.({ waitUntil: (work: Promise<unknown>) => waited.push(work) });
  await Promise.all(waited);
  return did;
}
