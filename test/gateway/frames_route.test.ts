// The paths of the frames: the files with their headers, and no path without an application.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createFrames } from '../../src/gateway/frames/files.ts';
import { createHttp } from '../../src/gateway/http/http.ts';
import type { HttpOptions, HttpServer } from '../../src/gateway/http/options.ts';
import { noMetrics } from '../../src/gateway/observability/metrics.ts';
import { readSettings, SettingsError } from '../../src/settings/settings.ts';
import { sampleDiscovery } from './fake_enclave.ts';
import { testLimits } from './http_limits.ts';

const servers: HttpServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.drain(0);
});

async function serve(options: Pick<HttpOptions, 'frames' | 'serves'>): Promise<string> {
  const server = createHttp({
    ask: () => assert.fail('the enclave was asked'),
    discovery: sampleDiscovery,
    webhookKeySet: async () => new Uint8Array(),
    notReady: () => [],
    openApi: async () => ({}),
    log: () => {},
    metrics: noMetrics,
    limits: testLimits,
    ...options,
  });
  servers.push(server);
  return `http://127.0.0.1:${await server.listen({ host: '127.0.0.1', port: 0 })}`;
}

const frames = await createFrames(['https://app.example', 'http://localhost:3000']);

test('a page, its style and all modules that they import are served', async () => {
  const origin = await serve({ frames });
  const seen = new Set<string>();
  const load = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const answer = await fetch(origin + path);
    assert.equal(answer.status, 200, path);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    const text = await answer.text();
    for (const [, imported = ''] of text.matchAll(/(?:from\s*'|src="|href=")([^'"]+)/g)) {
      await load(new URL(imported, origin + path).pathname);
    }
  };
  await load('/frames/export');
  await load('/frames/import');
  assert.deepEqual([...seen].toSorted(), [...frames.files.keys()].toSorted());
});

test('only the configured applications may embed a frame, and it loads only own files', async () => {
  const { headers } = await fetch(`${await serve({ frames })}/frames/export`);
  assert.equal(
    headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors https://app.example http://localhost:3000; require-trusted-types-for 'script'; trusted-types 'none'",
  );
  assert.equal(headers.get('x-frame-options'), null);
});

test('the paths exist only for reading, at the API, and with an application', async () => {
  const page = `${await serve({ frames })}/frames/export`;
  const posted = await fetch(page, { method: 'POST', body: '{}' });
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  assert.equal((await fetch(page, { method: 'HEAD' })).status, 200);
  assert.equal((await fetch(`${page}/..%2fimport`)).status, 404);
  assert.equal((await fetch(`${await serve({})}/frames/export`)).status, 404);
  const proxy = await serve({ frames, serves: ['proxy'] });
  assert.equal((await fetch(`${proxy}/frames/export`)).status, 404);
});

test('the setting takes origins, and nothing that would widen the policy', () => {
  const read = (value: string) => readSettings({ KEYWRIGHT_FRAME_ORIGINS: value }, []).frameOrigins;
  assert.equal(readSettings({}, []).frameOrigins, undefined);
  assert.deepEqual(read('https://app.example, http://localhost:3000, http://[::1]:3000'), [
    'https://app.example',
    'http://localhost:3000',
    'http://[::1]:3000',
  ]);
  const refused = ['*', 'https://*.app.example', 'https://app.example/', 'app.example', 'null', ''];
  const directives = ['https://a.example;script-src', 'https://a.example;script-src *'];
  for (const value of [...refused, ...directives, "https://a'b", 'data:', "'self'"]) {
    assert.throws(() => read(value), SettingsError, value);
  }
});
