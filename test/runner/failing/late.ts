// Tests with errors that no test awaits, and with hooks and a test defined after an await. Only
// test/runner/late_errors.test.ts runs this file.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

/** Waits for the next event of the process. */
const next = (event: 'unhandledRejection' | 'uncaughtException') =>
  new Promise<void>((resolve) => process.once(event, () => resolve()));

test('a rejection while its test runs', async () => {
  await turn();
  const rejected = next('unhandledRejection');
  Promise.reject(new Error('rejected meanwhile'));
  await rejected;
});
test('a timer while its test runs', async () => {
  await turn();
  const failed = next('uncaughtException');
  setTimeout(() => assert.fail('thrown meanwhile'));
  await failed;
});
test('a server while its test runs', async (t) => {
  await turn();
  const server = createServer(async () => {
    await turn();
    throw new Error('thrown by a request');
  }).listen(0, '127.0.0.1');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const thrown = next('unhandledRejection');
  fetch(`http://127.0.0.1:${port}/`).catch(() => {});
  await thrown;
});
const rejected = Promise.withResolvers<void>();
const thrown = Promise.withResolvers<void>();
test('a rejection after its test', async () => {
  await turn();
  next('unhandledRejection').then(rejected.resolve);
  setTimeout(() => Promise.reject(new Error('rejected afterwards')));
});
test('a timer after its test', async () => {
  await turn();
  next('uncaughtException').then(thrown.resolve);
  setTimeout(() => assert.fail('thrown afterwards'));
});
test('a test that waits for both', async () => {
  await Promise.all([rejected.promise, thrown.promise]);
});
test('a nested test', async (t) => {
  await turn();
  await t.test('inside of it', async () => {
    await turn();
    assert.fail('nested');
  });
});
let ended = '';
test('hooks after an await', async () => {
  await turn();
  after(() => {
    ended += 'after ';
  });
  afterEach(() => {
    ended += 'after each ';
  });
  before(() => {
    ended += 'before ';
  });
});
test('hooks have run', () => assert.equal(ended, 'before after '));
test('a test after an await', async () => {
  await turn();
  await test('misplaced', () => {});
});
test('a rejection of the last test', () => {
  Promise.reject(new Error('rejected at last'));
});
