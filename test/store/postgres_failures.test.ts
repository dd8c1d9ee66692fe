// PostgreSQL that ends sessions, crashes or is stopped, seen from a store that is in use.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { utf8 } from '../../src/core/base/bytes.ts';
import type { CommitOutcome } from '../../src/store/port.ts';
import { openPostgresStore } from '../../src/store/postgres.ts';
import { committed, everything } from './asking.ts';
import { canStartPostgres, newDatabase, runOn, startPostgresServer } from './postgres_server.ts';
import { activityOf, changeOf, countTo, organizationOf, recordOf } from './samples.ts';

if (canStartPostgres) {
  const server = await startPostgresServer();
  after(() => server.remove());

  describe('postgres: failures', () => {
    test('a session that is ended is replaced, and nothing in it is half done', async () => {
      const own = await newDatabase(server.url);
      const name = new URL(own).pathname.slice(1);
      const store = await openPostgresStore({ url: own, log: () => {} });
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
            // The sender does not know, and sends it again until it does.
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

    test('health is known without a request', async () => {
      const url = await newDatabase(server.url);
      const store = await openPostgresStore({ url, log: () => {} });
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
