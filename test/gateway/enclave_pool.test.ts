import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { externalHandlers } from '../../src/gateway/enclave/external_handlers.ts';
import { shareOf, superviseEnclaves, usualEnclaves } from '../../src/gateway/enclave/pool.ts';
import { storeHandlers } from '../../src/gateway/enclave/store_handlers.ts';
import { noChange } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { testAnchor } from '../support/anchor.ts';
import { createTestOutside, testDeployment } from '../support/outside.ts';
import { type FakeEnclave, fakeEnclave } from './fake_enclave.ts';

const count = 3;

/** One organization for each enclave, by its last digits. */
const organizations = Array.from(
  { length: count },
  (_, index) => `e0000000-0000-4000-8000-00000000000${index}`,
);
const requestIn = (organizationId: string) => ({
  requestId: 'r',
  kind: 'query' as const,
  operation: 'whoami',
  headers: [],
  timestampObjects: false,
  remoteAddress: '127.0.0.1',
  body: Buffer.from(JSON.stringify({ organizationId })),
});
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function pool() {
  const started: FakeEnclave[] = [];
  const asked: string[][] = Array.from({ length: count }, () => []);
  const changed: string[][] = Array.from({ length: count }, () => []);
  const keys: Uint8Array[] = [];
  const store = openSqliteStore({ file: ':memory:' });
  const log = () => undefined;
  const supervisor = superviseEnclaves(count, {
    launch: () => {
      const index = started.length % count;
      const enclave = fakeEnclave({
        request: (request) => {
          asked[index]?.push(Buffer.from(request.body).toString());
          return {
            status: 200,
            body: new Uint8Array(),
            errorCode: undefined,
            organizationId: undefined,
            allowedOrigin: undefined,
            activityId: undefined,
          };
        },
        organizationChanged: ({ organizationId }) => {
          changed[index]?.push(organizationId);
          return undefined;
        },
      });
      started.push(enclave);
      return enclave.process;
    },
    withRootKey: (use) => {
      const key = new Uint8Array(32).fill(7);
      keys.push(key);
      return use(key);
    },
    givesNextKey: false,
    liveness: { maximumAgeMs: 1, maximumAheadMs: 2 },
    deployment: testDeployment,
    handlers: {
      ...storeHandlers(store.port, log),
      ...testAnchor(),
      ...externalHandlers(createTestOutside()),
      commit: async () => 'committed',
    },
    callsMaximum: 10,
    log,
    restarted: () => undefined,
    pauses: { firstRestartMs: 1, lastRestartMs: 2 },
  });
  return { supervisor, started, asked, changed, keys };
}

describe('several enclaves', () => {
  test('get the root key from one read', async () => {
    const { supervisor, started, keys } = pool();
    await supervisor.start();
    assert.equal(keys.length, 1);
    const given = started.map(({ rootKeys }) => rootKeys);
    assert.deepEqual(
      given,
      Array.from({ length: count }, () => [new Uint8Array(32).fill(7)]),
    );
    assert.equal(supervisor.calls().length, count);
    await supervisor.stop();
    assert.equal(supervisor.isRunning(), false);
  });

  test('serve their own organizations', async () => {
    const { supervisor, asked } = pool();
    await supervisor.start();
    for (const id of organizations) await supervisor.call('request', requestIn(id));
    assert.deepEqual(
      asked,
      organizations.map((organizationId) => [JSON.stringify({ organizationId })]),
    );
    await supervisor.stop();
  });

  test('replace a stopped enclave until it is back', async () => {
    const { supervisor, started, asked } = pool();
    await supervisor.start();
    started[1]?.process.channel.close();
    while (supervisor.calls().length === count) await turn();
    assert.equal(supervisor.isRunning(), true);
    const [, second = ''] = organizations;
    await supervisor.call('request', requestIn(second));
    assert.equal(asked[2]?.length, 1);
    while (supervisor.calls().length < count) await turn();
    await supervisor.stop();
  });

  test('receive changes that another one commits', async () => {
    const { supervisor, started, changed } = pool();
    await supervisor.start();
    const [organizationId = ''] = organizations;
    const organization = { organizationId, parentId: undefined, version: 1, guard: 1 };
    const change = {
      ...noChange,
      organizations: [{ ...organization, head: new Uint8Array() }],
    };
    assert.equal(await started[2]?.link.call('commit', change), 'committed');
    while (changed.flat().length < count - 1) await turn();
    assert.deepEqual(changed, [[organizationId], [organizationId], []]);
    await supervisor.stop();
  });
});

test('a thousand random organization ids are distributed evenly', () => {
  const shares = [0, 0, 0, 0];
  for (let i = 0; i < 1_000; i += 1) {
    const share = shareOf(crypto.randomUUID(), shares.length);
    shares[share] = (shares[share] ?? 0) + 1;
  }
  for (const share of shares) assert.ok(share > 150, String(shares));
});

test('a message without an organization goes to the first enclave', () => {
  for (const text of ['', 'no id']) assert.equal(shareOf(text, count), 0);
});

test('the gateway keeps one core, and there are at most eight enclaves', () => {
  assert.deepEqual([1, 2, 4, 64].map(usualEnclaves), [1, 1, 3, 8]);
});
