// The paths of the dashboard: the served files with their headers, and refusals of all else.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { findBuild, readBuild } from '../../src/gateway/dashboard/built_files.ts';
import { createDashboard } from '../../src/gateway/dashboard/dashboard.ts';
import { type Dashboard, notBuilt } from '../../src/gateway/dashboard/routes.ts';
import { createHttp } from '../../src/gateway/http/http.ts';
import type { HttpServer } from '../../src/gateway/http/options.ts';
import { noMetrics } from '../../src/gateway/observability/metrics.ts';
import { UnusableDataError } from '../../src/store/unusable_data_error.ts';
import { sampleDiscovery } from './fake_enclave.ts';
import { testLimits } from './http_limits.ts';

const page = `<!doctype html>${'<p>The page</p>'.repeat(50)}`;
const importMap = 'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
const built = {
  'index.html': page,
  'assets/index-abc.js': 'export const loaded = true;'.repeat(50),
  'assets/index-abc.css': 'p { color: red }',
};
const bootstrapped = {
  organizationId: 'the organization',
  userId: 'the user',
  apiKeyId: 'the key',
  apiPublicKey: '02',
  authProxyConfigId: 'the proxy',
};

const folders: string[] = [];
const servers: HttpServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.drain(0);
});
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Creates a folder with a build, and a private file next to it. */
function folderWith(files: Readonly<Record<string, string>>, listed = Object.keys(files)): string {
  const parent = mkdtempSync(join(tmpdir(), 'keywright-dashboard-'));
  folders.push(parent);
  const folder = join(parent, 'build');
  const list = Object.fromEntries(listed.map((path) => [path, 'digest']));
  const all = {
    ...files,
    '../keywright-secret.txt': 'secret',
    'integrity.json': JSON.stringify({ version: '1.2.3', importMap, files: list }),
    'unlisted.txt': 'secret',
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

type Settings = Parameters<typeof createDashboard>[0];
const settings: Settings = {
  host: '127.0.0.1',
  authProxyPort: undefined,
  dashboardDirectory: undefined,
  dashboardOrganization: undefined,
  dashboardSessionProfile: undefined,
};

function dashboardWith(changed: Partial<Settings> = {}, token?: string): Dashboard {
  const dashboardDirectory = folderWith(built);
  return createDashboard({ ...settings, dashboardDirectory, ...changed }, bootstrapped, token);
}

async function start(dashboard: Dashboard | undefined) {
  const server = createHttp({
    ask: async () => assert.fail('the enclave is not asked'),
    notReady: () => [],
    discovery: sampleDiscovery,
    webhookKeySet: async () => Buffer.from('{"keys":[]}'),
    openApi: async () => ({}),
    log: () => {},
    metrics: noMetrics,
    dashboard,
    limits: { ...testLimits, inFlightMaximum: 100, trustedProxies: 0 },
  });
  servers.push(server);
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  return async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
    const sent = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: false });
    sent.end();
    const [answer] = await once(sent, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    return {
      status: Number(answer.statusCode),
      headers: answer.headers as Readonly<Record<string, string | undefined>>,
      body,
      text: body.toString(),
    };
  };
}

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('a browser is redirected from the top to the dashboard, a program gets an error', async () => {
  const get = await start(dashboardWith());
  const led = await get('/', browser);
  assert.deepEqual([led.status, led.headers['location']], [302, '/dashboard/']);
  assert.equal((await get('/dashboard')).headers['location'], '/dashboard/');
  const refused = await get('/', { accept: '*/*' });
  assert.equal(refused.status, 404);
  assert.equal(refused.headers['content-type'], 'application/json');
});

test('the page and its files have exactly the headers that the threat model lists', async () => {
  const get = await start(dashboardWith());
  for (const path of ['', 'wallets/abc', 'assets/index-abc.js', 'config.json']) {
    const { headers, status } = await get(`/dashboard/${path}`);
    assert.equal(status, 200);
    assert.equal(
      headers['content-security-policy'],
      `default-src 'none'; script-src 'self' '${importMap}'; worker-src 'none'; style-src 'self'; img-src 'self'; manifest-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    );
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
    assert.match(headers['permissions-policy'] ?? '', /^publickey-credentials-get=\(self\), /);
    assert.match(headers['permissions-policy'] ?? '', / camera=\(\)/);
    assert.equal(headers['access-control-allow-origin'], undefined);
  }
});

test('a path below the dashboard returns the page, unless it is a file; files of other builds are not found', async () => {
  const get = await start(dashboardWith());
  assert.equal((await get('/dashboard/activities/1?x=2')).text, page);
  const script = await get('/dashboard/assets/index-abc.js');
  assert.equal(script.text, built['assets/index-abc.js']);
  assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal((await get('/dashboard/')).headers['cache-control'], 'no-cache');
  assert.equal((await get('/dashboard/assets/index-old.js')).status, 404);
  assert.equal((await get('/dashboard/integrity.json')).status, 200);
  const head = await get('/dashboard/', {}, 'HEAD');
  assert.deepEqual([head.status, head.text], [200, '']);
  const posted = await get('/dashboard/', {}, 'POST');
  assert.deepEqual([posted.status, posted.headers['allow']], [405, 'GET, HEAD']);
});

test('pages of other origins read nothing below it, whatever way its path is spelled', async () => {
  const ask = await start(dashboardWith());
  for (const path of ['/dashboard/', '/%64ashboard/', '/dashboard/config.json']) {
    const { status, headers } = await ask(path, { origin: 'https://example.com' });
    assert.equal(status, 200, path);
    assert.equal(headers['access-control-allow-origin'], undefined, path);
  }
  const spelled = await ask('/%64ashboard/%63onfig.json');
  assert.deepEqual(spelled.body, (await ask('/dashboard/config.json')).body);
});

test('files are compressed if the client accepts it', async () => {
  const get = await start(dashboardWith());
  const fetched = async (encodings: string) =>
    get('/dashboard/assets/index-abc.js', { 'accept-encoding': encodings });
  const script = built['assets/index-abc.js'];
  const brotli = await fetched('gzip, deflate, br, zstd');
  assert.equal(brotli.headers['content-encoding'], 'br');
  assert.equal(brotliDecompressSync(brotli.body).toString(), script);
  const zipped = await fetched('gzip, br;q=0');
  assert.equal(zipped.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(zipped.body).toString(), script);
  assert.equal(zipped.headers['vary'], 'accept-encoding');
  assert.equal((await fetched('identity')).headers['content-encoding'], undefined);
});

test('no spelling of a path leads out of the build', async () => {
  const get = await start(dashboardWith());
  const tricks = [
    ...['unlisted.txt', '../keywright-secret.txt', '..%2fkeywright-secret.txt'],
    ...['%2e%2e/keywright-secret.txt', '....//keywright-secret.txt', '..\\keywright-secret.txt'],
    ...['/etc/passwd', 'assets/../unlisted.txt', 'assets/%2e%2e/unlisted.txt', '%00', '%zz'],
    ...['unlisted.txt%00.js', 'constructor', '__proto__', 'assets/__proto__', './unlisted.txt'],
  ];
  for (const trick of tricks) {
    const { text, headers } = await get(`/dashboard/${trick}`);
    assert.doesNotMatch(text, /secret|root:/, trick);
    const isPage = text === page && headers['content-type'] === 'text/html; charset=utf-8';
    assert(isPage || headers['content-type'] === 'application/json', trick);
  }
});

test('the configuration names the organization only to this machine, or as the operator sets', async () => {
  const read = async (dashboard: Dashboard, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await (await start(dashboard))('/dashboard/config.json', headers);
    assert.equal(answer.headers['cache-control'], 'no-store');
    return JSON.parse(answer.text);
  };
  const proxy = { authProxyUrl: '/', authProxyConfigId: 'the proxy' };
  const always = { version: '1.2.3', apiUrl: '/', development: false };
  const own = { ...always, organizationId: 'the organization', ...proxy };
  assert.deepEqual(await read(dashboardWith()), own);
  assert.deepEqual(await read(dashboardWith(), { 'x-forwarded-for': '192.0.2.1' }), always);
  assert.deepEqual(await read(dashboardWith({ host: '0.0.0.0' })), always);
  const other = dashboardWith({ host: '0.0.0.0', dashboardOrganization: 'another' });
  assert.deepEqual(await read(other), { ...always, organizationId: 'another' });
  const { authProxyUrl: _url, authProxyConfigId: _id, ...apart } = own;
  assert.deepEqual(await read(dashboardWith({ authProxyPort: 8081 })), apart);
});

test('the development token is shown only to the own page on this machine', async () => {
  const get = await start(dashboardWith({}, 'the token'));
  const tokenFor = async (headers: Readonly<Record<string, string>>) =>
    JSON.parse((await get('/dashboard/config.json', headers)).text).developmentToken;
  const host = 'localhost:8080';
  assert.equal(await tokenFor({ host, 'sec-fetch-site': 'same-origin' }), 'the token');
  assert.equal(await tokenFor({ host: 'rebound.example' }), undefined);
  assert.equal(await tokenFor({ host, 'sec-fetch-site': 'cross-site' }), undefined);
  assert.equal(await tokenFor({ host, origin: 'https://evil.example' }), undefined);
  assert.equal(await tokenFor({ host, 'x-forwarded-for': '192.0.2.1' }), undefined);
});

test('a form that the build compressed is served as it is', async () => {
  const compressed = brotliCompressSync(`${built['assets/index-abc.js']}`, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
  });
  const dashboardDirectory = folderWith(built);
  writeFileSync(join(dashboardDirectory, 'assets/index-abc.js.br'), compressed);
  const get = await start(dashboardWith({ dashboardDirectory }));
  const answer = await get('/dashboard/assets/index-abc.js', { 'accept-encoding': 'br' });
  assert.equal(answer.headers['content-encoding'], 'br');
  assert.deepEqual(answer.body, compressed);
  assert.equal((await get('/dashboard/assets/index-abc.js.br')).status, 404);
});

test('without a build the page is one sentence; a disabled dashboard has no path', async () => {
  const none = await start({ build: undefined, config: () => assert.fail('there is no page') });
  assert.equal((await none('/', browser)).status, 302);
  const { status, text, headers } = await none('/dashboard/');
  assert.deepEqual([status, text], [404, notBuilt]);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  const off = await start(undefined);
  assert.equal((await off('/', browser)).status, 404);
  assert.equal((await off('/dashboard/', browser)).headers['content-type'], 'application/json');
});

test('an incomplete or too large build is refused at the start', () => {
  const refusal = (why: RegExp) => (error: unknown) =>
    error instanceof UnusableDataError && why.test(error.message);
  const missing = folderWith(built, [...Object.keys(built), 'assets/gone.js']);
  assert.throws(() => readBuild(missing), refusal(/assets\/gone\.js is missing/));
  assert.throws(
    () => readBuild(folderWith({ 'index.html': 'x'.repeat(9 * 1024 * 1024) })),
    refusal(/larger than/),
  );
  const many = Array.from({ length: 501 }, (_, i) => `assets/${i}.js`);
  assert.throws(() => readBuild(folderWith({}, many)), refusal(/more than 500 files/));
  const torn = folderWith(built);
  writeFileSync(join(torn, 'integrity.json'), '{');
  assert.throws(() => readBuild(torn), refusal(/not the list of a build/));
  assert.equal(findBuild([join(torn, 'nowhere')]), undefined);
});
