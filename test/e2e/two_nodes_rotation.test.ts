// A rotation of the root key while two nodes sign on one PostgreSQL database.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { readKeyEpochRow } from '../../src/archive/offline_data.ts';
import { createSealing } from '../../src/enclave/keys/sealing.ts';
import { rootKeysOf } from '../../src/enclave/records/key_epochs.ts';
import { postgresSnapshot } from '../../src/store/postgres/copy.ts';
import { opener, sealedValuesOf } from '../rotation/rotated_world.ts';
import { newDatabase, postgresForTests } from '../store/postgres_server.ts';
import { type RunningService, until } from './service.ts';
import { type Customer, newCustomer, post, stampSignature, startNodes } from './two_nodes.ts';

const server = await postgresForTests();
if (server !== undefined) after(() => server.remove());

/** Signs on a node until it is stopped. Returns the number of signatures. */
function startLoad(node: RunningService, customer: Customer) {
  let isStopped = false;
  let count = 0;
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const { status, text } = await post(await stampSignature(node, customer), node);
      assert.equal(status, 200, text);
      count += 1;
    }
  };
  const running = run();
  return {
    stop: async () => {
      isStopped = true;
      await running;
      return count;
    },
  };
}

const nextOf = ({ dataDirectory }: RunningService) => join(dataDirectory, 'root.key.next');
const statusOf = ({ dataDirectory }: RunningService) =>
  readFileSync(join(dataDirectory, 'root-key-rotation.json'), 'utf8');

test('two nodes sign during a rotation, which waits until both have the next key', {
  skip: server === undefined && 'no PostgreSQL',
}, async () => {
  const url = await newDatabase(server?.url ?? '');
  const earlier = randomBytes(32);
  const next = randomBytes(32);
  const [first, second] = await startNodes(url, earlier);
  const customer = await newCustomer(first);
  const loads = [startLoad(first, customer), startLoad(second, customer)];

  writeFileSync(nextOf(first), next, { mode: 0o600 });
  await until('the first node waits for the second', () =>
    statusOf(first).includes('waits for the same next root key at'),
  );
  const client = new pg.Client(url);
  await client.connect();
  const epochRow = "SELECT 1 FROM organizations WHERE id = 'root_key'";
  assert.equal((await client.query(epochRow)).rowCount, 0, 'no row of the new epoch exists');
  const { rows: late } = await client.query('SELECT body, id FROM activities LIMIT 1');

  writeFileSync(nextOf(second), next, { mode: 0o600 });
  await until('both nodes end the rotation', () =>
    [first, second].every((node) => !existsSync(nextOf(node))),
  );
  for (const load of loads) assert.ok((await load.stop()) > 5);

  // A node that was suspended meanwhile cannot put a row of the earlier epoch back.
  const put = client.query('UPDATE activities SET body = $1 WHERE id = $2', [
    late[0].body,
    late[0].id,
  ]);
  await assert.rejects(put, { code: '23514' });
  await until('the announcement is withdrawn', async () => {
    const { rows } = await client.query("SELECT to_regclass('root_key_rotation_nodes') AS found");
    return rows[0].found === null;
  });
  await client.end();

  for (const node of [first, second]) {
    const { status } = await post(await stampSignature(node, customer), node);
    assert.equal(status, 200);
  }
  await Promise.all([first.stop(), second.stop()]);
  const snapshot = await postgresSnapshot(url);
  const row = await readKeyEpochRow(snapshot);
  await snapshot.close();
  const rotated = createSealing('seal', rootKeysOf(row, Uint8Array.from(next)), randomBytes);
  const opensBefore = opener(earlier);
  for (const value of await sealedValuesOf(url)) {
    assert.equal(opensBefore(value), undefined);
    assert.ok(rotated.open(value.place, value.sealed) !== undefined, value.place.kind);
  }
});
