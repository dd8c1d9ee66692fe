// A primary and its synchronous standby, for drills with the loss of the primary.

import { until } from '../e2e/service.ts';
import { type PostgresServer, runOn, startPostgresServer } from '../store/postgres_server.ts';

export type PostgresPair = {
  readonly primary: Pick<PostgresServer, 'url'>;
  readonly standby: Pick<PostgresServer, 'url'>;
  /** Address of a new database, with both hosts. */
  readonly databaseUrl: string;
  /** Sends a signal to every process of the primary at once. */
  signalPrimary(signal: NodeJS.Signals): void;
  /** Promotes the standby. Resolves when it accepts writes. */
  promote(): Promise<void>;
  remove(): Promise<void>;
};

const database = 'keywright';

/** Starts both servers. Every commit then waits for the standby. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const primary = await startPostgresServer();
  await runOn(primary.url, `CREATE DATABASE ${database}`);
  await primary.stop('fast');
  const { port, username, password } = new URL(primary.url);
  const follows = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`;
  const standby = await startPostgresServer({
    standbyOf: primary,
    settings: [`primary_conninfo=${follows}`],
  });
  const remove = async (): Promise<void> => {
    await Promise.all([primary.remove(), standby.remove()]);
  };
  try {
    await Promise.all([primary.start(), standby.start()]);
    await primary.configure('synchronous_standby_names', 'standby');
    await until('the standby is synchronous', async () => {
      const [row] = await runOn(primary.url, 'SELECT sync_state FROM pg_stat_replication');
      return row?.['sync_state'] === 'sync';
    });
  } catch (error) {
    await remove();
    throw error;
  }
  const hosts = [primary, standby].map(({ url }) => new URL(url).host).join(',');
  const databaseUrl = primary.url
    .replace(new URL(primary.url).host, hosts)
    .replace(/postgres$/, database);
  return {
    primary,
    standby,
    databaseUrl,
    signalPrimary: (signal) => {
      for (const pid of primary.processes()) process.kill(pid, signal);
    },
    promote: async () => {
      await runOn(standby.url, 'SELECT pg_promote(true, 60)');
    },
    remove,
  };
}
