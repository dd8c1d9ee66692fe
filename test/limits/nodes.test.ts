// Two nodes on one real database sign at the same time: the limit is used up, and not exceeded.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import { createEnclave } from '../../src/enclave/enclave.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { describedPolicy } from '../operations/policies/policy_requests.ts';
import { describedUser } from '../operations/users/user_requests.ts';
import {
  aggregationOf,
  describedControl,
} from '../operations/velocity_controls/velocity_control_requests.ts';
import { clock, newDatabase, newSchema, postgresForTests } from '../store/postgres_server.ts';
import {
  askOver,
  seededRandom,
  stampOf,
  startMs,
  type TestKey,
  testKey,
  testRootKey,
} from '../support/harness.ts';
import { createTestOutside, testDeployment } from '../support/outside.ts';
import { payloadOf } from './limited.ts';

const requests = 40;
const limit = 7;

test('SQLite: two enclaves on one store', async () => {
  const store = openSqliteStore({ file: ':memory:' });
  try {
    await checkLimit([store, store]);
  } finally {
    await store.close();
  }
});

const server = await postgresForTests();
if (server !== undefined) {
  after(() => server.remove());
  test('PostgreSQL: two nodes, each with connections of its own', async () => {
    const url = await newSchema(await newDatabase(server.url));
    const log = () => {};
    const stores = [
      await openPostgresStore({ clock, url, log }),
      await openPostgresStore({ clock, url, log }),
    ];
    try {
      await checkLimit(stores);
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });
}

async function checkLimit(stores: readonly Pick<Store, 'port'>[]): Promise<void> {
  let now = startMs;
  const nodes = await Promise.all(
    stores.map(async ({ port }, i) => {
      const enclave = createEnclave({
        store: port,
        external: createTestOutside(),
        clock: () => now,
        random: seededRandom(`node ${i}`),
        log: (_, message) => assert.fail(message),
      });
      const liveness = { maximumAgeMs: 3_600_000, maximumAheadMs: 300_000 };
      await enclave.start({ rootKey: testRootKey(), liveness, deployment: testDeployment });
      return { bootstrap: enclave.bootstrap, ask: askOver(enclave, port) };
    }),
  );
  const { organizationId } = await (nodes[0] ?? assert.fail()).bootstrap({
    organizationName: 'Limits',
    userName: 'root',
    apiKeyName: 'root',
    apiPublicKey: testKey('root').publicKey,
    enablesAuthProxy: false,
  });
  const bodyOf = (type: string, parameters: object) => {
    now += 1;
    const timestampMs = String(now);
    return utf8(JSON.stringify({ type, timestampMs, organizationId, parameters }));
  };
  const send = async (node: number, operation: string, body: Uint8Array, key: TestKey) => {
    const answer = await (nodes[node] ?? assert.fail()).ask({
      requestId: operation,
      kind: 'submit',
      operation,
      headers: [stampOf(body, key)],
      timestampObjects: false,
      remoteAddress: '127.0.0.1',
      body: body.slice(),
    });
    return { ...answer, told: JSON.parse(textOfUtf8(answer.body) ?? '') };
  };
  const admin = async (operation: string, parameters: object, version = '') => {
    const type = `ACTIVITY_TYPE_${operation.toUpperCase()}${version}`;
    const { status, told } = await send(0, operation, bodyOf(type, parameters), testKey('root'));
    assert.equal(status, 200, JSON.stringify(told));
    // biome-ignore lint/suspicious/noExplicitAny: results are looked into by path in tests
    return Object.values(told.activity.result)[0] as any;
  };

  await admin('create_users', { users: [describedUser('alice')] }, '_V4');
  const key = { privateKeyName: 'Key', curve: 'CURVE_SECP256K1', privateKeyTags: [] };
  const privateKeys = [{ ...key, addressFormats: ['ADDRESS_FORMAT_ETHEREUM'] }];
  const made = await admin('create_private_keys', { privateKeys }, '_V2');
  await admin(
    'create_velocity_control',
    describedControl({ aggregation: aggregationOf(`${limit}`) }),
  );
  const condition = "activity.action == 'SIGN' && controls.hourly";
  await admin(
    'create_policy',
    describedPolicy('Within the limit', { condition, consensus: 'true' }),
    '_V3',
  );

  const signWith = made.privateKeys[0].privateKeyId;
  const bodies = Array.from({ length: requests }, (_, i) =>
    bodyOf('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', { signWith, ...payloadOf(`payload ${i}`) }),
  );
  const codes = await Promise.all(
    bodies.map(async (body, i) => {
      for (;;) {
        const node = i % nodes.length;
        const { errorCode } = await send(node, 'sign_raw_payload', body, testKey('alice'));
        // The other node was faster too often; the request can safely be sent again.
        if (errorCode !== 'organization_busy') return errorCode ?? 'done';
      }
    }),
  );
  const numberOf = (code: string) => codes.filter((each) => each === code).length;
  assert.equal(numberOf('done'), limit);
  assert.equal(numberOf('not_permitted'), requests - limit);
}
