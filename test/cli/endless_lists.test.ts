// Lists without an end: each command stops after a bounded number of requests.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitingCreations } from '../../src/cli/migration/transfers.ts';
import { createAuditReader } from '../../src/cli/receipts/audit_reader.ts';
import { newKey } from '../../src/cli/service/new_key.ts';
import type { Client } from '../../src/client/connect.ts';
import { startLoopbackServer } from '../support/loopback_server.ts';
import { folderOfTests, runIn } from './terminal.ts';

const most = 200_000;

/** Counts requests, and fails beyond the bound so that the test ends. */
function counted(answer: (count: number) => object) {
  let count = 0;
  return () => {
    count += 1;
    assert(count <= most, 'the requests do not end');
    return answer(count);
  };
}

test('the number of read waiting activities in the target is bounded', async () => {
  const row = counted(() => ({ id: 'a', intent: { createUserTagIntent: { userTagName: 'x' } } }));
  const target = {
    query: async () => ({}),
    pages: async function* () {
      for (;;) yield row();
    },
  } as unknown as Client;
  const found = await waitingCreations(target);
  assert.equal(found.size, 1);
});

test('an audit of endless activities and entries ends', async () => {
  const page = counted((count) => ({ activities: [], entries: [], nextCursor: `${count % 2}` }));
  const reader = createAuditReader(
    { query: async () => page() } as unknown as Client,
    'http://127.0.0.1',
  );
  await assert.rejects(reader.activities(), /does not end/);
  await assert.rejects(reader.audit('id', '', undefined), /does not end/);
});

test('a simulation of policies with endless empty pages ends', async () => {
  let pages = 0;
  const server = await startLoopbackServer((request, response) => {
    request.resume();
    const isPage = request.url?.endsWith('simulate_policies') === true;
    pages += isPage ? 1 : 0;
    const more = pages > 50 ? {} : { nextCursor: `${pages}` };
    const answer = isPage ? { decisions: [], decided: 0, undecided: 0, ...more } : { policies: [] };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  after(() => server.stop());
  const folder = folderOfTests();
  const organizationId = '01a205ac-48e3-74b0-9a8f-4777ece305a4';
  const credentials = join(folder, 'key.json');
  const stored = { ...(await newKey()), organizationId, baseUrl: server.origin };
  writeFileSync(credentials, JSON.stringify(stored), { mode: 0o600 });
  const file = join(folder, 'policies.json');
  writeFileSync(file, JSON.stringify({ policies: [] }));
  const words = ['policy', 'simulate', file, '--limit', '10', '--credentials', credentials];
  const { code, err } = await runIn(folder, words);
  assert.equal(code, 0, err);
  assert.equal(pages, 10);
});
