// The databases of the tortured service, each of which is empty at first.

import {
  newDatabase,
  type PostgresServer,
  runOn,
  startPostgresServer,
} from '../store/postgres_server.ts';
import type { StoreName } from './steps.ts';

export type Database = {
  readonly name: StoreName;
  /** The settings of the service. */
  readonly environment: Readonly<Record<string, string>>;
  /** The faults of the database server; undefined for SQLite, which runs in the gateway. */
  readonly server: TorturedServer | undefined;
  remove(): Promise<void>;
};

export type TorturedServer = Pick<PostgresServer, 'start' | 'stop'> & {
  /** Ends all sessions of the service. */
  cutSessions(): Promise<void>;
  /** Kills the process of one session. The server then ends all other sessions, and recovers by itself. */
  killSession(): Promise<void>;
};

/** Opens an empty database. PostgreSQL gets its own server, so that its end affects no other test. */
export async function openDatabase(name: StoreName): Promise<Database> {
  if (name === 'sqlite') {
    return { name, environment: {}, server: undefined, remove: async () => undefined };
  }
  const server = await startPostgresServer();
  const url = await newDatabase(server.url);
  const databaseName = new URL(url).pathname.slice(1);
  const sessions = `pg_stat_activity WHERE datname = '${databaseName}'`;
  return {
    name,
    environment: { KEYWRIGHT_DATABASE_URL: url },
    server: {
      start: () => server.start(),
      stop: (how) => server.stop(how),
      cutSessions: async () => {
        await runOn(server.url, `SELECT pg_terminate_backend(pid) FROM ${sessions}`);
      },
      killSession: async () => {
        const [row] = await runOn(server.url, `SELECT pid FROM ${sessions} LIMIT 1`);
        if (row !== undefined) process.kill(Number(row['pid']), 'SIGKILL');
      },
    },
    remove: () => server.remove(),
  };
}
