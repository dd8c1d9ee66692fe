// The databases to attack.

import { join } from 'node:path';
import type { StorePort } from '../../src/store/port.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import { openDatabase } from '../../src/store/sqlite/sqlite.ts';
import { createSqliteStore } from '../../src/store/sqlite/store.ts';
import {
  canStartPostgres,
  clock,
  newDatabase,
  postgresForTests,
  runOn,
} from '../store/postgres_server.ts';
import { temporaryDirectory } from '../store/temporary_directory.ts';
import { postgresTables } from './postgres_tables.ts';
import { sqliteTables, type TableAccess } from './tables.ts';

/** A database to attack, which is opened again for each start of the service. */
export type Target = {
  open(): Promise<{ store: StorePort; tables: TableAccess; close(): Promise<void> }>;
};

/** The state of the service during the attack: stopped, or running with data in memory. */
export const modes = ['stopped', 'running'] as const;
export type Mode = (typeof modes)[number];

export type Targets = Readonly<Record<Mode, Target>> & { remove(): Promise<void> };

/** Each kind of database; undefined if the machine lacks it. */
export const targetsOf: Readonly<Record<string, () => Promise<Targets | undefined>>> = {
  sqlite: async () => sqliteTargets(),
  postgres: postgresTargets,
};

/** A file while the service is stopped, and memory while it runs. */
export function sqliteTargets(): Targets {
  const directory = temporaryDirectory();
  const targetOf = (file: string): Target => ({
    open: async () => {
      const database = openDatabase({ file });
      // The machine does not lose power during a test.
      database.exec('PRAGMA synchronous = OFF');
      const store = createSqliteStore(database);
      return { store: store.port, tables: sqliteTables(database), close: () => store.close() };
    },
  });
  return {
    stopped: targetOf(join(directory.path, 'tampered.sqlite')),
    running: targetOf(':memory:'),
    remove: async () => directory.remove(),
  };
}

/**
 * Uses a real server. The store has no state but connections, so one store serves all starts of the
 * service.
 */
export async function postgresTargets(): Promise<Targets | undefined> {
  const server = await postgresForTests();
  if (server === undefined) return undefined;
  if (canStartPostgres) await withoutFlushes(server.url);
  const url = await newDatabase(server.url);
  const store = await openPostgresStore({ clock, url, log: () => {} });
  const tables = await postgresTables(url);
  const target: Target = {
    open: async () => ({ store: store.port, tables, close: async () => {} }),
  };
  return {
    stopped: target,
    running: target,
    remove: async () => {
      await Promise.all([store.close(), tables.close()]);
      await server.remove();
    },
  };
}

/** Turns off flushes on the test's own server, because the machine does not lose power during a test. */
async function withoutFlushes(serverUrl: string): Promise<void> {
  await runOn(serverUrl, 'ALTER SYSTEM SET fsync = off');
  await runOn(serverUrl, 'SELECT pg_reload_conf()');
}
