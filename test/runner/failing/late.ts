// Tests with errors that no test awaits, and with hooks and a test defined after an await. Only
// test/runner/late_errors.test.ts runs this file.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

let turns = 0;
/** Waits for some rounds of the event loop. */
const pass = async () => {
  for (turns = 0; turns < 20; turns += 1) await turn();
};

test('a rejection while its test runs', async () => {
  await turn();
  Promise.reject(new Error('rejected meanwhile'));
  await pass();
});
test('a timer while its test runs', async () => {
  await turn();
  setTimeout(() => assert.fail('thrown meanwhile'));
  await new Promise((resolve) => setTimeout(resolve, 20));
});
test('a server while its test runs', async (t) => {
  await turn();
  const server = createServer(async () => {
    await turn();
    throw new Error('thrown by a request');
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(200) }).catch(() => {});
});
test('a rejection after its test', async () => {
  await turn();
  setTimeout(() => Promise.reject(new Error('rejected afterwards')));
});
test('a timer after its test', async () => {
  await turn();
  setTimeout(() => assert.fail('thrown afterwards'));
});
test('a test that waits for both', async () => {
  await new Promise((resolve) => setTimeout(resolve, 50));
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
