// Webhooks from a terminal: endpoints, and a receiver of this machine that the service cannot reach.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { verifyWebhook, webhookKeys } from '../../src/client/webhooks.ts';
import { portOf } from '../../src/gateway/metrics.ts';
import { serviceOfThisFile } from '../e2e/service.ts';
import { folderOfTests, runIn } from './terminal.ts';

const service = await serviceOfThisFile();
const folder = folderOfTests();
const rootFile = join(service.dataDirectory, 'root-credentials.json');
const root = ['--credentials', rootFile, '--url', service.baseUrl];
const run = (words: readonly string[], more: Parameters<typeof runIn>[2] = {}) =>
  runIn(folder, [...words, ...root], more);

test('an endpoint is created, paused, listed and deleted by its name', async () => {
  const created = await run(['webhook', 'create', 'pulled']);
  assert.equal(created.code, 0, created.err);
  assert.match((await run(['webhook', 'list'])).out, /pulled .*\(pulled\) +yes +ACTIVITY_UPDATES/);
  assert.equal((await run(['webhook', 'update', 'pulled', '--pause'])).code, 0);
  assert.match((await run(['webhook', 'list'])).out, /pulled .*\(pulled\) +no/);
  assert.equal((await run(['webhook', 'update', 'pulled'])).code, 2);
  assert.equal((await run(['webhook', 'update', 'pulled', '--pause', '--resume'])).code, 2);
  assert.equal((await run(['webhook', 'update', 'pulled', '--resume'])).code, 0);
  await run(['wallet', 'create', 'counted']);
  const deliveries = await run(['webhook', 'deliveries', 'pulled']);
  assert.match(deliveries.out, /^Number +Event/);
  assert.equal((await run(['webhook', 'redeliver', 'pulled'])).code, 2);
  assert.equal((await run(['webhook', 'redeliver', 'pulled', '--range', '1to2'])).code, 2);
  assert.equal((await run(['webhook', 'delete', 'pulled'])).code, 10);
  assert.equal((await run(['webhook', 'delete', 'pulled', '--yes'])).code, 0);
  assert.equal((await run(['webhook', 'list', '--quiet'])).out, '');
});

test('listen hands on the unchanged delivery, shows the answer, and leaves no endpoint', async () => {
  const taken = Promise.withResolvers<{ headers: Headers; body: Buffer }>();
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    response.writeHead(202).end();
    taken.resolve({ headers: new Headers(request.headers as Record<string, string>), body });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  after(() => receiver.close());
  const to = `http://127.0.0.1:${portOf(receiver.address())}/hooks`;

  const interrupted = new AbortController();
  const printed = Promise.withResolvers<string>();
  const listening = run(['webhook', 'listen', '--forward-to', to, '--json'], {
    signal: interrupted.signal,
    out: printed.resolve,
  });
  const endpoints = async () => (await run(['webhook', 'list', '--quiet'])).out;
  while ((await endpoints()) === '');
  await run(['wallet', 'create', 'listened']);
  const { headers, body } = await taken.promise;
  const { event } = await verifyWebhook({ headers, body }, webhookKeys(service.baseUrl));
  const line = JSON.parse(await printed.promise);
  assert.deepEqual(line.event, event);
  assert.equal(line.receiver, '202');
  interrupted.abort();
  assert.equal((await listening).code, 130);
  assert.equal(await endpoints(), '');
});

test('a malformed address to forward to is refused before anything is made', async () => {
  assert.equal((await run(['webhook', 'listen', '--forward-to', 'localhost:3000'])).code, 2);
  assert.equal((await run(['webhook', 'list', '--quiet'])).out, '');
});
