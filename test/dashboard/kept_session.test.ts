// A stored session is used only at the service that started it: another service could forward its stamps.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBuild } from '../../src/gateway/dashboard/built_files.ts';
import { serveApart } from '../../src/gateway/dashboard/serve_apart.ts';
import { dashboardBuild } from './build.ts';
import { dashboardOfThisFile, goTo, test } from './dashboard.ts';

const dashboard = await dashboardOfThisFile();

/** Counts the sessions that a page stores. */
const storedSessions = `new Promise((found) => {
  indexedDB.open('keywright').onsuccess = ({ target: { result: database } }) => {
    const counted = database.transaction('sessions').objectStore('sessions').count();
    counted.onsuccess = () => found(counted.result);
  };
})`;

test('a page that a command serves stores no session, and signs out when the command ends', async (t) => {
  const build = readBuild(await dashboardBuild());
  const { baseUrl: apiUrl, credentialsPath } = dashboard.service();
  const first = await serveApart(build, { apiUrl, organizationId: undefined, port: 0 });
  const page = await dashboard.open({ isHostile: true });
  const signIn = async (url: string) => {
    await page.goto(url);
    await page.getByLabel('API key file').setInputFiles(credentialsPath('root-credentials'));
  };
  await signIn(first.url);
  await goTo(page, 'Wallets');
  assert.equal(await page.evaluate(storedSessions), 0);
  await first.stop();
  await page.getByLabel('API key file').waitFor();

  // Another service has the same address of the page.
  const stamped: string[] = [];
  const other = createServer(({ headers, url }, answer) => {
    if (Object.keys(headers).some((name) => name.startsWith('x-stamp'))) stamped.push(url ?? '');
    answer.writeHead(404, { 'access-control-allow-origin': '*' }).end('{}');
  });
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const second = await serveApart(build, {
    apiUrl: `http://127.0.0.1:${port}`,
    organizationId: undefined,
    port: Number(new URL(first.url).port),
  });
  t.after(() => second.stop());
  await page.goto(second.url);
  await page.getByLabel('API key file').waitFor();
  assert.deepEqual(stamped, []);
});

test('a stored session is deleted if the service has another key than the session names', async () => {
  const page = await dashboard.openAs('carol', { isHostile: true, path: 'users' });
  const account = page.getByRole('button', { name: 'Account', exact: true });
  assert.equal(await page.evaluate(storedSessions), 1);
  await page.reload();
  await account.waitFor();
  const stamped: string[] = [];
  page.on('request', (request) => {
    // The first stamped request of a page. The previous page may still poll.
    if (request.url().endsWith('/whoami')) stamped.push(request.url());
  });
  const keys = '**/public/v1/discovery/keys';
  await page.route(keys, async (route) => {
    const response = await route.fetch();
    const { keys: rows, ...others } = await response.json();
    const altered = rows.map((row: object) => ({ ...row, publicKey: `04${'ab'.repeat(64)}` }));
    await route.fulfill({ response, json: { ...others, keys: altered } });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  assert.deepEqual(stamped, [], 'no request was stamped');
  await page.unroute(keys);
  await page.reload();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
});
