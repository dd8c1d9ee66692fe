// Rows of an activity that a database restores, removes or exchanges during votes: nothing is decided on
// them, and the operator's log names the row.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { openDatabase } from '../../src/store/sqlite/sqlite.ts';
import { createSqliteStore } from '../../src/store/sqlite/store.ts';
import {
  activityBody,
  queryBody,
  type ServiceOver,
  startServiceOver,
} from '../enclave/service_over.ts';
import { startMs, testKey } from '../support/harness.ts';

const rootKey = testKey('root');
const names = ['root', 'second', 'third'];

let world: Awaited<ReturnType<typeof startWorld>>;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

/** Starts an organization in which two of three users must approve, on a database that can be edited. */
async function startWorld() {
  const database = openDatabase({ file: ':memory:' });
  const store = createSqliteStore(database);
  let now = startMs;
  let lives = 0;
  const start = () => {
    lives += 1;
    return startServiceOver({ store: store.port, seed: `life ${lives}`, clock: () => now });
  };
  const service = await start();
  const { organizationId, userId } = await service.enclave.bootstrap({
    organizationName: 'First',
    userName: 'Root user',
    apiKeyName: 'Root key',
    apiPublicKey: rootKey.publicKey,
    enablesAuthProxy: false,
  });
  const submit = (type: string, parameters: object, name = 'root', to: ServiceOver = service) => {
    now += 1;
    const [, operation = ''] = /^ACTIVITY_TYPE_(.*?)(?:_V\d)?$/.exec(type) ?? [];
    const body = activityBody(type, organizationId, parameters, now);
    return to.send('submit', operation.toLowerCase(), body, testKey(name));
  };
  const users = names.slice(1).map((name) => ({
    userName: name,
    userTags: [],
    apiKeys: [
      {
        apiKeyName: name,
        publicKey: testKey(name).publicKey,
        curveType: 'API_KEY_CURVE_P256',
      },
    ],
    authenticators: [],
    oauthProviders: [],
  }));
  const made = await submit('ACTIVITY_TYPE_CREATE_USERS_V4', { users });
  const { userIds } = made.body.activity.result.createUsersResult;
  const quorum = (threshold: number) => ({ threshold, userIds: [userId, ...userIds] });
  await submit('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', quorum(3));
  const rename = { organizationName: 'Renamed' };
  const asked = await submit('ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', rename);
  const { id, fingerprint, status } = asked.body.activity;
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  return {
    service,
    start,
    id: String(id),
    vote: (name: string, to?: ServiceOver, selection = 'APPROVE') =>
      submit(`ACTIVITY_TYPE_${selection}_ACTIVITY`, { fingerprint }, name, to),
    ask: (operation: string, parameters: object, to: ServiceOver) => {
      const body = queryBody(organizationId, parameters);
      return to.send('query', operation, body, rootKey);
    },
    /** Returns a function that restores the current row of the activity. */
    keepRow: () => {
      const row = database.prepare('SELECT * FROM activities WHERE id = ?').get(id);
      assert(row !== undefined);
      const columns = Object.keys(row);
      const places = columns.map(() => '?').join(', ');
      return () => {
        database.prepare('DELETE FROM activities WHERE id = ?').run(id);
        database
          .prepare(`INSERT INTO activities (${columns.join(', ')}) VALUES (${places})`)
          .run(...Object.values(row));
      };
    },
    /** Returns a function that restores all rows of the organization except its activities. */
    keepOrganization: () => {
      const tables = ['organizations', 'records', 'lookups'].map((table) => ({
        table,
        rows: database.prepare(`SELECT * FROM ${table}`).all(),
      }));
      return () => {
        for (const { table, rows } of tables) {
          database.exec(`DELETE FROM ${table}`);
          for (const row of rows) {
            const columns = Object.keys(row);
            const places = columns.map(() => '?').join(', ');
            database
              .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
              .run(...Object.values(row));
          }
        }
      };
    },
    run: (statement: string) => database.prepare(statement).run(id),
    runAll: (statement: string) => database.exec(statement),
    close: () => store.close(),
  };
}

/** Asserts that every access to the activity is refused, with a log line for each. */
async function assertRefusedByName(to: ServiceOver): Promise<void> {
  const answers = [
    await world.vote('third', to),
    await world.vote('third', to, 'REJECT'),
    await world.ask('get_activity', { activityId: world.id }, to),
    await world.ask('get_policy_evaluations', { activityId: world.id }, to),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [500, 500, 500, 500],
  );
  assert.equal(to.log.length, answers.length);
  for (const { message, fields } of to.log) {
    assert.match(message, /^a stored record was refused/);
    assert.deepEqual([fields['kind'], fields['id']], ['activity', world.id]);
  }
}

test('the row from before a vote is refused, so no vote is lost', async () => {
  const putBack = world.keepRow();
  assert.equal((await world.vote('second')).status, 200);
  putBack();
  await assertRefusedByName(world.service);
  await assertRefusedByName(await world.start());
});

test('the row from before the decision is refused, so nothing is decided twice', async () => {
  await world.vote('second');
  const putBack = world.keepRow();
  const done = await world.vote('third');
  assert.equal(done.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  putBack();
  const service = await world.start();
  for (const answer of [
    await world.vote('third', service),
    await world.vote('third', service, 'REJECT'),
    await world.ask('get_activity', { activityId: world.id }, service),
  ]) {
    assert.equal(answer.status, 500);
  }
  assert.equal(service.log.length, 3);
});

test('the row from before a rejection is refused, so a rejected activity is not approved', async () => {
  await world.vote('second');
  const putBack = world.keepRow();
  const rejected = await world.vote('third', undefined, 'REJECT');
  assert.equal(rejected.body.activity.status, 'ACTIVITY_STATUS_REJECTED');
  putBack();
  for (const service of [world.service, await world.start()]) {
    assert.equal((await world.vote('third', service)).status, 500);
    const shown = await world.ask('whoami', {}, service);
    assert.equal(shown.body.organizationName, 'First');
  }
});

test('a decided activity is refused after a restart if its organization still lists it as waiting', async () => {
  await world.vote('second');
  const putBackAll = world.keepOrganization();
  const done = await world.vote('third');
  assert.equal(done.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  // The organization from before the decision, with the decided activity.
  putBackAll();
  await assertRefusedByName(await world.start());
});

test('a waiting activity without its row is refused', async () => {
  world.run('DELETE FROM activities WHERE id = ?');
  await assertRefusedByName(world.service);
  await assertRefusedByName(await world.start());
});

test('columns with another status or version than the row itself are refused', async () => {
  const putBack = world.keepRow();
  for (const change of [
    "status = 'ACTIVITY_STATUS_COMPLETED'",
    'version = version + 1',
    "type = 'ACTIVITY_TYPE_CREATE_WALLET'",
  ]) {
    world.run(`UPDATE activities SET ${change} WHERE id = ?`);
    const service = await world.start();
    const answer = await world.ask('get_activity', { activityId: world.id }, service);
    assert.equal(answer.status, 500, change);
    putBack();
  }
  assert.equal((await world.vote('second')).status, 200);
});

test('without look-ups a late vote finds nothing, and waiting activities still take votes', async () => {
  world.runAll('DELETE FROM lookups');
  const service = await world.start();
  assert.equal((await world.vote('second', service)).status, 200);
  const done = await world.vote('third', service);
  assert.equal(done.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal((await world.vote('third', service)).status, 404);
});
