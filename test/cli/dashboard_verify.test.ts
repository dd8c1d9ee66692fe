// `keywright dashboard verify` against gateways that serve an altered page in different ways.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { differences } from '../../src/cli/dashboard/dashboard_differences.ts';
import { readBuild } from '../../src/gateway/dashboard/built_files.ts';
import { createDashboard } from '../../src/gateway/dashboard/dashboard.ts';
import { screenPaths } from '../../src/gateway/dashboard/screen_paths.ts';
import { createHttp } from '../../src/gateway/http/http.ts';
import { noMetrics } from '../../src/gateway/observability/metrics.ts';
import { sampleDiscovery } from '../gateway/fake_enclave.ts';
import { testLimits } from '../gateway/http_limits.ts';

const folder = mkdtempSync(join(tmpdir(), 'keywright-verify-'));
after(() => rmSync(folder, { recursive: true }));
const files = {
  'index.html': `<!doctype html>${'<p>The page</p>'.repeat(50)}`,
  'assets/index-abc.js': 'export const loaded = true;'.repeat(50),
  'assets/index-abc.css': 'p { color: red }',
};
const list = { version: '1.2.3', importMap: 'sha256-AAAA', files };
mkdirSync(join(folder, 'assets'));
for (const [path, text] of Object.entries({ ...files, 'integrity.json': JSON.stringify(list) })) {
  writeFileSync(join(folder, path), text);
}
const build = readBuild(folder);

const honest = createHttp({
  ask: async () => assert.fail('the enclave got a request'),
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
    { organizationId: 'o', userId: 'u', apiKeyId: 'k', apiPublicKey: '02', authProxyConfigId: 'p' },
    undefined,
  ),
  limits: { ...testLimits, inFlightMaximum: 100, trustedProxies: 0 },
});
const honestUrl = `http://127.0.0.1:${await honest.listen({ host: '127.0.0.1', port: 0 })}`;

type Answer = { status: number; headers: Record<string, string>; body: string };
type PageRequest = { readonly path: string; readonly headers: IncomingHttpHeaders };
let alter: (request: PageRequest, answer: Answer) => void = () => {};

/** Forwards every request, like a gateway between a browser and the page, and may alter the answers. */
const hostile = createServer(async ({ url: path = '', headers: sent }, response) => {
  const { accept = '*/*', 'service-worker': worker } = sent;
  const headers = { accept, ...(typeof worker === 'string' ? { 'service-worker': worker } : {}) };
  const answer = await fetch(`${honestUrl}${path}`, { headers, redirect: 'manual' });
  const {
    'content-encoding': _encoding,
    'content-length': _length,
    ...own
  } = Object.fromEntries(answer.headers);
  const altered = { status: answer.status, headers: own, body: await answer.text() };
  alter({ path, headers: sent }, altered);
  response.writeHead(altered.status, altered.headers).end(altered.body);
});
await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
after(async () => {
  hostile.close();
  hostile.closeAllConnections();
  await honest.drain(0);
});

const { signal } = new AbortController();
const unknown = () => randomBytes(16).toString('hex');
const found = () => differences(build, url, { signal, unknown });

test('a service with the page of the package has no differences, nor a proxy with harmless headers', async () => {
  assert.deepEqual(await differences(build, honestUrl, { signal, unknown }), []);
  assert.deepEqual(await differences(build, `${honestUrl}/`, { signal, unknown }), []);
  alter = (_asked, { headers }) => {
    headers['strict-transport-security'] = 'max-age=63072000';
    headers['server'] = 'nginx';
  };
  assert.deepEqual(await found(), []);
});

const isPage = ({ path }: PageRequest) => /^\/dashboard\/[^.]*$/.test(path);
const isNavigation = ({ headers }: PageRequest) => headers['sec-fetch-mode'] === 'navigate';
const other = '<!doctype html><script src="https://evil.example/"></script>';

const attacks: Readonly<
  Record<string, readonly [(request: PageRequest, answer: Answer) => void, RegExp]>
> = {
  'one more header': [
    (request, { headers }) => {
      if (isPage(request)) headers['refresh'] = '1; url=https://evil.example/';
    },
    /this version sends no header refresh/,
  ],
  'one more header of a redirect': [
    ({ path }, { headers }) => {
      if (path === '/') headers['set-cookie'] = 'a=b';
    },
    /this version sends no header set-cookie/,
  ],
  'a cache that keeps the page': [
    (request, { headers }) => {
      if (isPage(request)) headers['cache-control'] = 'max-age=31536000';
    },
    /the header cache-control differs from this version/,
  ],
  'another page at one screen': [
    ({ path }, answer) => {
      if (path === '/dashboard/approvals') answer.body = other;
    },
    /^approvals, fetched as a browser does, is another file/,
  ],
  'another page at things of a screen': [
    ({ path }, answer) => {
      if (/^\/dashboard\/wallets\/./.test(path)) answer.body = other;
    },
    /^wallets\/\w+, fetched as a browser does, is another file/,
  ],
  'another page at paths that no screen has': [
    ({ path }, answer) => {
      const [, , first = ''] = path.split('/');
      const isKnown = screenPaths.some((known) => known.split('/')[0] === first);
      if (path.startsWith('/dashboard/') && !isKnown && !first.includes('.')) answer.body = other;
    },
    /is another file/,
  ],
  'another page for browsers alone': [
    (request, answer) => {
      if (isNavigation(request) && request.path === '/dashboard/') answer.body = other;
    },
    /^the page, fetched as a browser does, is another file/,
  ],
  'another script for browsers alone': [
    ({ path, headers }, answer) => {
      if (path.endsWith('.js') && /Mozilla/.test(headers['user-agent'] ?? '')) answer.body = 'x';
    },
    /^assets\/index-abc\.js, fetched as a browser does, is another file/,
  ],
  'a redirect to elsewhere': [
    ({ path }, answer) => {
      if (path === '/') answer.headers['location'] = 'https://evil.example/';
    },
    /the header location differs from this version/,
  ],
  'a page beside the dashboard': [
    ({ path }, answer) => {
      if (/^\/[0-9a-f]{32}$/.test(path)) Object.assign(answer, { status: 200, body: other });
    },
    /^\/\w+, fetched as a browser does, answers 200/,
  ],
  'a service worker': [
    ({ headers }, answer) => {
      if (headers['service-worker'] === 'script') answer.body = 'onfetch = () => {}';
    },
    /\.js, fetched as a browser does, is another file/,
  ],
  'a configuration for browsers alone': [
    ({ path, headers }, answer) => {
      if (!path.endsWith('config.json') || headers['sec-fetch-mode'] === undefined) return;
      answer.body = JSON.stringify({ apiUrl: 'https://evil.example' });
    },
    /^apiUrl of config\.json leads elsewhere/,
  ],
};

for (const [what, [altering, expected]] of Object.entries(attacks)) {
  test(`${what} is detected`, async () => {
    alter = altering;
    const sentences = await found();
    assert(
      sentences.some((sentence) => expected.test(sentence)),
      sentences.join('; '),
    );
  });
}

test('the compared paths are those of the list of screens', () => {
  const source = readFileSync('dashboard/app/screens.ts', 'utf8');
  const paths = [...source.matchAll(/^\s*(?:\{ )?path: '(\/[^']*)'/gm)].flatMap(([, path = '']) =>
    path.endsWith('?') ? [path.replace(/\/:\w+\?$/, ''), path.slice(0, -1)] : [path],
  );
  assert(paths.length > 20);
  for (const path of paths) assert(screenPaths.includes(path.slice(1)), `${path} is not fetched`);
});
