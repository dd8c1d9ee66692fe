// A program that used the address of the page earlier registers a service worker that serves a page of its
// own. The next visit of the real page removes the worker.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after } from 'node:test';
import type { Browser } from 'playwright-core';
import { readBuild } from '../../src/gateway/dashboard/built_files.ts';
import { serveApart } from '../../src/gateway/dashboard/serve_apart.ts';
import { launchBrowser } from '../e2e/browser/browser.ts';
import { dashboardBuild } from './build.ts';
import { before, test } from './dashboard.ts';

const timeoutMs = 60_000;
const plant = `<!doctype html><script>
navigator.serviceWorker.register('/dashboard/planted.js').then(({ installing: worker }) =>
  worker.addEventListener('statechange', () => {
    if (worker.state === 'activated') document.title = 'planted';
  }));
</script>`;
const worker = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  const headers = { 'content-type': 'text/html' };
  event.respondWith(new Response('<!doctype html><title>look-alike</title>', { headers }));
});`;

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());

/** Registers a worker at a free port. Returns the port once its server has stopped. */
async function planted(script: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  const hostile = createServer(({ url }, answer) => {
    const isScript = url === '/dashboard/planted.js';
    answer.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    answer.end(isScript ? script : plant);
  });
  hostile.listen(0, '127.0.0.1');
  await once(hostile, 'listening');
  const address = hostile.address();
  assert(address !== null && typeof address === 'object');
  await page.goto(`http://127.0.0.1:${address.port}/dashboard/`);
  await page.waitForFunction("document.title === 'planted'");
  hostile.closeAllConnections();
  hostile.close();
  await once(hostile, 'close');
  return { context, page, port: address.port };
}

const registrations = 'navigator.serviceWorker.getRegistrations().then(({ length }) => length)';

test('a planted service worker is removed by the next visit, which loads the real page', async (t) => {
  const { context, page, port } = await planted(worker);
  t.after(() => context.close());
  const apiUrl = `http://127.0.0.1:${port}`;
  const build = readBuild(await dashboardBuild());
  const served = await serveApart(build, { apiUrl, organizationId: undefined, port });
  t.after(() => served.stop());
  await page.goto(served.url);
  await page.getByLabel('API key file').waitFor();
  assert.equal(await page.evaluate(registrations), 0);
});

test('the page does not start under a service worker, and says so', async (t) => {
  // This worker passes the real page through, and could read all requests.
  const { context, page, port } = await planted(
    worker.replace(/respondWith\(.*\);/, 'respondWith(fetch(event.request));'),
  );
  t.after(() => context.close());
  const build = readBuild(await dashboardBuild());
  const apiUrl = `http://127.0.0.1:${port}`;
  const served = await serveApart(build, { apiUrl, organizationId: undefined, port });
  t.after(() => served.stop());
  await page.goto(served.url);
  const alert = page
    .getByRole('alert')
    .filter({ hasText: 'A service worker controlled this page' });
  // Browsers check for a new worker script after the page has loaded, so the page runs first.
  await alert.waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('API key file').waitFor();
  assert.equal(await page.evaluate(registrations), 0);
});
