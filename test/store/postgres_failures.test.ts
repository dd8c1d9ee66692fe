// PostgreSQL that ends sessions, crashes or stops, seen from a store in use.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { utf8 } from '../../src/core/base/bytes.ts';
import type { CommitOutcome } from '../../src/store/port.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import { committed, everything } from './asking.ts';
import {
  canStartPostgres,
  clock,
  newDatabase,
  runOn,
  startPostgresServer,
} from './postgres_server.ts';
import { activityOf, changeOf, countTo, organizationOf, recordOf } from './samples.ts';

if (canStartPostgres) {
  const server = await startPostgresServer();
  after(() => server.remove());

  describe('postgres: failures', () => {
    test('a session that ends is replaced, and no change is partly made', async () => {
      const own = await newDatabase(server.url);
      const name = new URL(own).pathname.slice(1);
      const store = await openPostgresStore({ clock, url: own, log: () => {} });
      const outcomes = new Map<number, CommitOutcome>();
      let next = 0;
      let isEnding = false;
      const write = async (): Promise<void> => {
        while (!isEnding) {
          next += 1;
          const n = next;
          const change = changeOf({ activities: [activityOf(n)], records: [recordOf(n)] });
          try {
            outcomes.set(n, await store.port.commit(change));
          } catch (error) {
            assert.equal(codeOf(error), 'store_unavailable');
            // The sender does not know the outcome, and repeats the change until it does.
            outcomes.set(n, await again(() => store.port.commit(change)));
          }
        }
      };
      const writing = countTo(8).map(write);
      for (const _ of countTo(10)) {
        const before = outcomes.size;
        while (outcomes.size < before + 50) await new Promise((resolve) => setImmediate(resolve));
        await runOn(
          server.url,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
        );
      }
      isEnding = true;
      await Promise.all(writing);
      assert.ok([...outcomes.values()].every((outcome) => outcome !== 'conflict'));
      const [row] = await runOn(
        own,
        `SELECT count(*)::int AS activities, count(records.id)::int AS records FROM activities
         LEFT JOIN records ON records.id = activities.id`,
      );
      assert.deepEqual({ ...row }, { activities: outcomes.size, records: outcomes.size });
      await store.close();
    });

    test('a server that crashes loses nothing acknowledged, and is found again', async () => {
      const url = await newDatabase(server.url);
      const lines: string[] = [];
      const store = await openPostgresStore({
        clock,
        url,
        log: (level, message, fields) =>
          lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
      });
      await committed(store.port, { organizations: [organizationOf()], deployment: utf8('d') });
      const acknowledged: string[] = [];
      let refused = 0;
      let isEnding = false;
      const write = async (from: number): Promise<void> => {
        for (let n = from; !isEnding; n += 1) {
          try {
            await committed(store.port, { activities: [activityOf(n)] });
            acknowledged.push(activityOf(n).id);
          } catch (error) {
            assert.equal(codeOf(error), 'store_unavailable');
            refused += 1;
            await pause(5);
          }
        }
      };
      const writing = countTo(8).map((n) => write(n * 100_000));
      await untilTrue(() => acknowledged.length > 200);
      await server.stop('crash');
      await untilTrue(() => refused > 10);
      await assert.rejects(everything(store.port), { code: 'store_unavailable' });
      assert.deepEqual(store.healthy(), { ok: false, reason: 'the database is not available' });
      const before = acknowledged.length;
      await server.start();
      await untilTrue(() => acknowledged.length > before + 100);
      isEnding = true;
      await Promise.all(writing);
      await untilTrue(() => store.healthy().ok);
      const rows = await runOn(url, 'SELECT id FROM activities');
      const found = new Set(rows.map(({ id }) => id));
      assert.deepEqual(
        acknowledged.filter((id) => !found.has(id)),
        [],
      );
      assert.deepEqual(await store.port.deployment(), utf8('d'));
      await store.close();
      assert.ok(lines.some((line) => line.startsWith('error the database is not available')));
      assert.equal(lines.at(-1), 'info the database is back {}');
      assert.ok(lines.every((line) => !line.includes(server.password)));
    });

    for (const [how, end, parts] of [
      ['cancelled', 'pg_cancel_backend', {}],
      ['cancelled, of any change,', 'pg_cancel_backend', { records: [recordOf(1)] }],
      ['ended with its session', 'pg_terminate_backend', {}],
    ] as const) {
      test(`a commit whose wait for the standby is ${how} is neither acknowledged nor read as committed`, async () => {
        const url = await newDatabase(server.url);
        const name = new URL(url).pathname.slice(1);
        const lines: string[] = [];
        const store = await openPostgresStore({
          clock,
          url,
          log: (level, message) => lines.push(`${level} ${message}`),
        });
        const waiting = `FROM pg_stat_activity
          WHERE datname = '${name}' AND wait_event = 'SyncRep'`;
        // No standby has this name.
        await server.configure('synchronous_standby_names', 'nobody');
        try {
          const change = changeOf({ activities: [activityOf(1)], ...parts });
          const refused = assert.rejects(store.port.commit(change), { code: 'store_unavailable' });
          await untilRow(server.url, `SELECT pid ${waiting}`);
          await runOn(server.url, `SELECT ${end}(pid) ${waiting}`);
          await refused;
          // The row is there, but a loss of this server would lose it.
          const { organizationId, id } = activityOf(1);
          await untilRow(url, `SELECT id FROM activities WHERE id = '${id}'`);
          const read = store.port.activity({ organizationId, id });
          await assert.rejects(read, { code: 'store_unavailable' });
          await assert.rejects(store.port.commit(change), { code: 'store_unavailable' });
          assert.equal(store.healthy().ok, false);
          // A node that starts now does not serve it either.
          const unconfirmed = /standby does not confirm .*\(not_confirmed\)$/;
          const other = assert.rejects(
            openPostgresStore({ clock, url, log: () => {} }),
            unconfirmed,
          );
          await untilRow(server.url, `SELECT 1 ${waiting} HAVING count(*) >= 2`);
          await runOn(server.url, `SELECT pg_cancel_backend(pid) ${waiting}`);
          await other;
        } finally {
          await server.configure('synchronous_standby_names', '');
        }
        await untilTrue(() => store.healthy().ok);
        await committed(store.port, { activities: [activityOf(9)] });
        await store.close();
        const what =
          end === 'pg_cancel_backend' ? 'has not confirmed a commit' : 'is not available';
        assert.equal(lines[0], `error the database ${what}`);
        assert.equal(lines.at(-1), 'info the database is back');
      });
    }

    test('a setting that the server lowers later does not affect open sessions', async () => {
      const url = await newDatabase(server.url);
      const store = await openPostgresStore({ clock, url, log: () => {} });
      await committed(store.port, { records: [recordOf(1)] });
      await server.configure('synchronous_commit', 'local');
      await server.configure('client_min_messages', 'error');
      try {
        await server.configure('synchronous_standby_names', 'nobody');
        const outcome = store.port.commit(changeOf({ records: [recordOf(2)] }));
        const waiting = `FROM pg_stat_activity WHERE datname = '${new URL(url).pathname.slice(1)}'
          AND wait_event = 'SyncRep'`;
        // An open session still waits for the standby; a new one is refused at once.
        let hasEnded = false;
        const refused = assert.rejects(outcome, { code: 'store_unavailable' }).finally(() => {
          hasEnded = true;
        });
        while (!hasEnded) await runOn(server.url, `SELECT pg_cancel_backend(pid) ${waiting}`);
        await refused;
      } finally {
        await server.configure('synchronous_standby_names', '');
        await server.configure('synchronous_commit', 'on');
        await server.configure('client_min_messages', 'notice');
      }
      await untilTrue(() => store.healthy().ok);
      await store.close();
    });

    test('health is known without a request', async () => {
      const url = await newDatabase(server.url);
      const store = await openPostgresStore({ clock, url, log: () => {} });
      await server.stop();
      await untilTrue(() => !store.healthy().ok);
      await server.start();
      await untilTrue(() => store.healthy().ok);
      await store.close();
    });
  });
}

async function again(run: () => Promise<CommitOutcome>): Promise<CommitOutcome> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      assert.equal(codeOf(error), 'store_unavailable');
      await pause(5);
    }
  }
}

/** Waits until a query returns a row. */
async function untilRow(url: string, sql: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await runOn(url, sql)).length === 0) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${sql}`);
    await pause(10);
  }
}

async function untilTrue(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error('waited in vain');
    await pause(10);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}
