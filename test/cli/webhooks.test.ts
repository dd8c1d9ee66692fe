// Webhooks from a terminal: endpoints, and a receiver on this machine that the service cannot reach.

import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { verifyWebhook, webhookKeys } from '../../src/client/webhooks.ts';
import { portOf } from '../../src/gateway/base/both_families.ts';
import { serviceOfThisFile } from '../e2e/service.ts';
import { folderOfTests, runIn } from './terminal.ts';

const service = await serviceOfThisFile({ KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true' });
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

type Taken = { readonly headers: Headers; readonly body: Buffer };

/** Starts a receiver on this machine. `taken(n)` returns its n-th delivery, and `all` are those so far. */
async function receiverOfTest() {
  const all: Taken[] = [];
  const news = new EventEmitter();
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    all.push({ headers: new Headers(request.headers as Record<string, string>), body });
    response.writeHead(202).end();
    news.emit('taken');
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  after(() => receiver.close());
  const taken = async (n: number): Promise<Taken> => {
    while (all.length < n) await once(news, 'taken');
    return all[n - 1] ?? assert.fail();
  };
  return { to: `http://127.0.0.1:${portOf(receiver.address())}/hooks`, taken, all };
}

test('listen forwards the unchanged delivery, shows the answer, and leaves no endpoint', async () => {
  const { to, taken } = await receiverOfTest();

  const interrupted = new AbortController();
  const printed = Promise.withResolvers<string>();
  const listening = run(['webhook', 'listen', '--forward-to', to, '--json'], {
    signal: interrupted.signal,
    out: printed.resolve,
  });
  const endpoints = async () => (await run(['webhook', 'list', '--quiet'])).out;
  while ((await endpoints()) === '');
  await run(['wallet', 'create', 'listened']);
  const { headers, body } = await taken(1);
  const { event } = await verifyWebhook({ headers, body }, webhookKeys(service.baseUrl));
  const line = JSON.parse(await printed.promise);
  assert.deepEqual(line.event, event);
  assert.equal(line.receiver, '202');
  interrupted.abort();
  assert.equal((await listening).code, 130);
  assert.equal(await endpoints(), '');
});

test('a malformed forwarding address is refused before an endpoint is created', async () => {
  assert.equal((await run(['webhook', 'listen', '--forward-to', 'localhost:3000'])).code, 2);
  assert.equal((await run(['webhook', 'list', '--quiet'])).out, '');
});

/** Returns the past events of an endpoint, ordered by number. */
async function pastEvents(name: string): Promise<readonly string[]> {
  const { out } = await run(['webhook', 'deliveries', name, '--json', '--limit', '100']);
  return JSON.parse(out).deliveries.map(({ eventId }: { readonly eventId: string }) => eventId);
}

/** Listens until `done` resolves, and returns the messages besides the results. */
async function listenUntil(words: readonly string[], done: () => Promise<unknown>) {
  const interrupted = new AbortController();
  let messages = '';
  const listening = run(['webhook', 'listen', ...words], {
    signal: interrupted.signal,
    err: (text) => {
      messages += text;
      if (text.startsWith('Replayed')) void done().finally(() => interrupted.abort());
    },
  });
  const { code, out } = await listening;
  return { code, out, messages };
}

const idsOf = (all: readonly Taken[]) =>
  all.map(({ headers }) => headers.get('x-service-event-id'));

test('listen forwards a range of past events in order, and prints their number', async () => {
  assert.equal((await run(['webhook', 'create', 'primary'])).code, 0);
  for (const name of ['past 1', 'past 2', 'past 3']) await run(['wallet', 'create', name]);
  const past = await pastEvents('primary');
  assert(past.length >= 4, `${past.length} events`);
  const { to, taken, all } = await receiverOfTest();
  const words = ['--replay', '2-4', '--endpoint', 'primary', '--forward-to', to];
  const { code, out, messages } = await listenUntil(words, async () => undefined);
  assert.equal(code, 130, messages);
  assert.deepEqual(idsOf(all.slice(0, 3)), past.slice(1, 4));
  assert.match(messages, /^Replayed 3 events of primary\.$/m);
  assert.match(out, /^(.* {2}signature verified {2}receiver: 202\n){3}/);
  const { headers, body } = await taken(1);
  await verifyWebhook({ headers, body }, webhookKeys(service.baseUrl));
});

test('listen continues with new events after an open range, and forwards each event once', async () => {
  const before = await pastEvents('primary');
  const { to, all, taken } = await receiverOfTest();
  const { code, messages } = await listenUntil(['--replay', '2-', '--forward-to', to], async () => {
    const { length } = all;
    await run(['wallet', 'create', 'later']);
    await taken(length + 1);
  });
  assert.equal(code, 130, messages);
  const ids = idsOf(all);
  assert.deepEqual(ids.slice(0, before.length - 1), before.slice(1));
  // The endpoint of the listener was created before the range ended, so its creation is in both.
  const [count] = /\d+/.exec(messages.slice(messages.indexOf('Replayed'))) ?? [];
  assert.equal(Number(count), before.length);
  assert.equal(new Set(ids).size, ids.length);
  assert(ids.length > before.length);
});

test('listen forwards only the named kinds of new and past events', async () => {
  const { to, all } = await receiverOfTest();
  const words = ['--event', 'WEBHOOK_ENDPOINT_UPDATES', '--replay', '2-', '--endpoint', 'primary'];
  let subscriptions: unknown;
  const { messages } = await listenUntil([...words, '--forward-to', to], async () => {
    const { out } = await run(['webhook', 'list', '--json']);
    const rows: { readonly name: string; readonly subscriptions: object[] }[] =
      JSON.parse(out).webhookEndpoints;
    subscriptions = rows.find(({ name }) => name !== 'primary')?.subscriptions;
  });
  assert.match(messages, /^Replayed 0 events of primary\.$/m);
  assert.equal(all.length, 0);
  assert.match(JSON.stringify(subscriptions), /^\[\{[^}]*"WEBHOOK_ENDPOINT_UPDATES"[^}]*\}\]$/);
});

test('listen accepts past events of any age, and rejects a new event with an old time', async () => {
  const hourLater = () => Date.now() + 3_600_000;
  const words = ['webhook', 'listen', '--replay', '2-3', '--endpoint', 'primary'];
  const { code, out, err } = await run(words, { clock: hourLater });
  assert.equal(code, 9, err);
  assert.equal(out.split('\n').length, 3);
  assert.match(err, /Replayed 2 events.*\n.*its time is more than five minutes away/);
});

test('redeliver sends a range again, an open range up to the newest event, and prints the number', async () => {
  const { to, taken, all } = await receiverOfTest();
  const created = await run(['webhook', 'create', 'sent', '--to', to]);
  assert.equal(created.code, 0, created.err);
  await run(['wallet', 'create', 'sent 1']);
  await taken(2);
  const past = await pastEvents('sent');
  const closed = await run(['webhook', 'redeliver', 'sent', '--range', '1-1']);
  assert.match(closed.out, /^Again +1$/m);
  // The first request was itself an event, and is sent again, too.
  const open = await run(['webhook', 'redeliver', 'sent', '--range', '2-']);
  const [, count] = /^Again +(\d+)$/m.exec(open.out) ?? [];
  assert(Number(count) >= 2, open.out);
  const isTwice = (id: string | undefined) => idsOf(all).filter((each) => each === id).length > 1;
  while (!(isTwice(past[0]) && isTwice(past[1]))) await taken(all.length + 1);
  assert.equal((await run(['webhook', 'delete', 'sent', '--yes'])).code, 0);
});

test('a replay of missing events creates no endpoint', async () => {
  const before = await pastEvents('primary');
  for (const [words, exit, says] of [
    [['--replay', '90001-90002'], 5, /keeps no events 90001-90002; its newest event is \d+\./],
    [['--replay', '90001-'], 5, /keeps no events 90001-; its newest event is \d+\./],
    [['--replay', '1-2', '--endpoint', 'kpt'], 5, /There is no webhook kpt/],
    [['--endpoint', 'primary'], 2, /--endpoint needs --replay RANGE/],
  ] as const) {
    const { code, err } = await run(['webhook', 'listen', ...words]);
    assert.equal(code, exit, err);
    assert.match(err, says);
  }
  assert.deepEqual(await pastEvents('primary'), before);
  await run(['webhook', 'create', 'second']);
  const several = await run(['webhook', 'listen', '--replay', '1-2']);
  assert.equal(several.code, 2);
  assert.match(several.err, /has 2 webhooks: primary, second\nnext: Name one with --endpoint/);
  for (const name of ['second', 'primary']) await run(['webhook', 'delete', name, '--yes']);
  const none = await run(['webhook', 'listen', '--replay', '1-2']);
  assert.equal(none.code, 5);
  assert.match(none.err, /There is no webhook in this organization/);
});
