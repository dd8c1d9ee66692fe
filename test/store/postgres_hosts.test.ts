// Several hosts in one address: a store finds the writable one, also after a failover.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import { committed } from './asking.ts';
import { canStartPostgres, clock, runOn, startPostgresServer } from './postgres_server.ts';
import { activityOf, recordOf } from './samples.ts';

if (canStartPostgres) {
  const servers = [await startPostgresServer(), await startPostgresServer()] as const;
  after(() => Promise.all(servers.map((server) => server.remove())));
  const [first, second] = servers;
  const readOnly = 'default_transaction_read_only';

  test('a store writes to the writable host, and follows a failover', async () => {
    const hosts: string[] = [];
    for (const server of servers) {
      await runOn(server.url, 'CREATE DATABASE several');
      const url = new URL(server.url);
      hosts.push(url.host);
      url.pathname = '/several';
      // Separate tables that stand in for those of a replica.
      await (await openPostgresStore({ clock, url: url.href, log: () => {} })).close();
    }
    const { host, href } = new URL(first.url);
    const closed = '127.0.0.1:1';
    const url = href
      .replace(host, [closed, hosts[1], hosts[0]].join(','))
      .replace('/postgres', '/several');
    await second.configure(readOnly, 'on');
    const lines: string[] = [];
    const store = await openPostgresStore({
      clock,
      url,
      log: (level, message) => lines.push(`${level} ${message}`),
    });
    await committed(store.port, { records: [recordOf(1)], activities: [activityOf(1)] });
    assert.deepEqual(lines, []);

    await first.stop('crash');
    const change = { records: [recordOf(2)] };
    await assert.rejects(committed(store.port, change), { code: 'store_unavailable' });
    await second.configure(readOnly, 'off');
    // `postgres_health.test.ts` tests the time until the store checks again.
    while (!store.healthy().ok) await pause(10);
    await committed(store.port, change);
    await store.close();
    assert.equal(lines.at(-1), 'info the database is back');
  });
}
