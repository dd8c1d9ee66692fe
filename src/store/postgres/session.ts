// Connections to PostgreSQL: few, checked before use, discarded after any error, and with timeouts for every
// wait.

import pg from 'pg';
import { databaseUrls } from '../../core/base/database_hosts.ts';
import { assert, fail } from '../../core/errors/errors.ts';
import type { PoolState } from '../store.ts';
import type { Row } from '../tables/rows.ts';
import { textOf } from '../tables/rows.ts';
import { UnusableDataError } from '../unusable_data_error.ts';
import { DatabaseError, databaseErrorOf } from './errors.ts';
import type { Statement } from './queries.ts';
import { plain } from './queries.ts';

/** A connection while `Pool.use` lends it. */
export type Session = {
  /**
   * Sends all statements at once, and returns the rows of each, in order. Rejects with the first error; the
   * connection is unusable then. A commit has also reached the standby that the server waits for.
   */
  all(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
};

export type Pool = {
  /** Returns the number of connections in each state. */
  state(): Omit<PoolState, 'pool'>;
  /** Lends a connection; rejects with DatabaseError if none is available, or with `overloaded`. */
  use<Result>(run: (session: Session) => Promise<Result>): Promise<Result>;
  /** Closes all idle connections, never lends the others again, and tries another host first. */
  renew(): void;
  /** Waits until all connections are returned, and closes them. */
  close(): Promise<void>;
};

type PoolOptions = {
  readonly url: string;
  readonly connections: number;
  /** Adds each written activity to the queue of the log. */
  readonly feedsLog?: boolean;
  /** Called for an idle connection that broke. */
  readonly lost: (trouble: DatabaseError) => void;
  /** Called for a connection without an answer, if it was opened after the last `renew`. */
  readonly silent?: () => void;
};

const timeouts = {
  connectMs: 5_000,
  /** A lock normally lasts for two round trips and a flush of the disk. */
  lockMs: 10_000,
  statementMs: 15_000,
  /** After this time the connection is discarded, because the server or the network hangs. */
  answerMs: 20_000,
  /** The server ends the transaction of a silent node, which releases its locks. */
  idleInTransactionMs: 5_000,
};

/** Maximum calls that wait for a connection. */
const maximumWaiting = 4_096;

/**
 * Creates a pool. It connects at the first use to the first writable host, beginning with the host that
 * worked last.
 */
export function createPool({ url, connections, feedsLog = true, lost, silent }: PoolOptions): Pool {
  const urls = databaseUrls(url) ?? [url];
  const pools = urls.map((each) => poolOf(each, connections, feedsLog));
  const idle = new Set<pg.PoolClient>();
  const born = new WeakMap<pg.PoolClient, number>();
  let generation = 0;
  let preferred = 0;
  for (const pool of pools) {
    pool.on('error', (error) => lost(databaseErrorOf(error)));
    pool.on('connect', (client) => born.set(client, generation));
    pool.on('acquire', (client) => idle.delete(client));
    pool.on('release', (error, client) => {
      if (!error) idle.add(client);
    });
    pool.on('remove', (client) => idle.delete(client));
  }
  const isOld = (client: pg.PoolClient): boolean => born.get(client) !== generation;

  /** Discards connections older than the last `renew`, of which the pool does not know. */
  async function lend(pool: pg.Pool): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect();
      if (!isOld(client)) return client;
      client.release(true);
      cut(client);
    }
  }

  async function connect(): Promise<pg.PoolClient> {
    const from = preferred;
    let failure: unknown;
    for (const i of pools.keys()) {
      const place = (from + i) % pools.length;
      const pool = pools[place];
      assert(pool !== undefined, 'each place has a pool');
      const isFull = pool.totalCount >= connections && pool.idleCount === 0;
      try {
        const client = await lend(pool);
        preferred = place;
        return client;
      } catch (error) {
        failure ??= error;
        // If the pool is full, its host works, and another host would not help.
        if (isFull) break;
      }
    }
    return refuse(failure);
  }

  const sumOf = (count: (pool: pg.Pool) => number): number =>
    pools.reduce((sum, pool) => sum + count(pool), 0);
  const waitingOf = (pool: pg.Pool): number => pool.waitingCount;

  return {
    state: () => ({
      maximum: connections,
      open: sumOf((pool) => pool.totalCount),
      idle: sumOf((pool) => pool.idleCount),
      waiting: sumOf(waitingOf),
    }),
    use: async (run) => {
      if (sumOf(waitingOf) >= maximumWaiting) fail('overloaded');
      const client = await connect();
      try {
        const result = await run(sessionOn(client));
        client.release();
        return result;
      } catch (error) {
        // Closing the connection rolls back and releases its locks, in any state.
        client.release(true);
        if (isSilence(error)) {
          cut(client);
          if (!isOld(client)) silent?.();
        }
        throw error;
      }
    },
    renew: () => {
      generation += 1;
      preferred = (preferred + 1) % pools.length;
      for (const client of idle) cut(client);
    },
    close: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

const isSilence = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === 'no_answer';

/** Closes a connection without a message, which a hanging server might never read. */
function cut(client: pg.PoolClient): void {
  if (client instanceof pg.Client) client.connection.stream.destroy();
}

function poolOf(url: string, connections: number, feedsLog: boolean): pg.Pool {
  const limits = [...sessionLimits(url), `SET keywright.feeds_log = '${feedsLog ? 'on' : 'off'}'`];
  return new pg.Pool({
    application_name: 'keywright',
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: timeouts.connectMs,
    query_timeout: timeouts.answerMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    pipeline: true,
    types: { getTypeParser: (oid: number) => parsers.get(oid) ?? String },
    onConnect: (client) => prepareSession(client, limits),
  });
}

/**
 * Returns session settings as statements, because a pooler ignores them at the connection. The URL may
 * override them.
 */
function sessionLimits(url: string): readonly string[] {
  const given = URL.parse(url)?.searchParams;
  const limits = {
    lock_timeout: timeouts.lockMs,
    statement_timeout: timeouts.statementMs,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
  };
  return Object.entries(limits).map(([name, ms]) => {
    const milliseconds = Number(given?.get(name) ?? ms);
    return `SET ${name} = ${Number.isSafeInteger(milliseconds) ? milliseconds : ms}`;
  });
}

// Large integers stay within the safe range, and bytes arrive as hex.
const parsers: ReadonlyMap<number, (value: string) => unknown> = new Map<
  number,
  (value: string) => unknown
>([
  [17, (value) => Uint8Array.fromHex(value.slice(2))],
  [20, Number],
  [23, Number],
]);

/** SQLSTATE of a notice that does not report a fault. */
const successful = '00000';

function sessionOn(client: pg.ClientBase): Session {
  return {
    all: async (statements) => {
      let isWarned = false;
      const warned = ({ code }: { readonly code?: string | undefined }): void => {
        isWarned ||= code !== successful;
      };
      client.on('notice', warned);
      const answers = await Promise.allSettled(
        statements.map(({ name, text, values }) =>
          client.query({ ...(name === '' ? {} : { name }), text, values: [...values] }),
        ),
      );
      client.off('notice', warned);
      return answers.map((answer, i) => {
        if (answer.status === 'rejected') throw databaseErrorOf(answer.reason);
        const { command, rows } = answer.value;
        if (statements[i]?.text !== 'COMMIT') return rows;
        // The server answers the commit of a failed transaction like this, without an error.
        if (command !== 'COMMIT') throw new DatabaseError('rolled_back');
        // A cancelled wait for the synchronous standby also ends here: the commit is local only.
        if (isWarned) throw new DatabaseError('not_confirmed');
        return rows;
      });
    },
  };
}

/** The required settings of a connection, and the error for each. */
const requirements: Readonly<
  Record<string, { readonly values: readonly string[]; readonly otherwise: string }>
> = {
  client_min_messages: {
    values: ['warning'],
    otherwise:
      'the database does not let its warnings be read: client_min_messages must be settable',
  },
  synchronous_commit: {
    values: ['on', 'remote_apply'],
    otherwise: 'the database refuses to be durable: synchronous_commit must be on',
  },
  server_encoding: {
    values: ['UTF8'],
    otherwise: 'the database must be made with the encoding UTF8',
  },
  transaction_read_only: {
    values: ['off'],
    otherwise: 'the database can only be read: it is a standby, or was made read-only',
  },
};

/** Every query uses ranges of keys and indexes. Plans made for empty tables must not use scans. */
const plannerSettings = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'];

/** Throws UnusableDataError if commits would fail or not be durable. */
async function prepareSession(client: pg.ClientBase, limits: readonly string[]): Promise<void> {
  client.on('error', () => {
    // The running query reports the error to its caller.
  });
  const { all } = sessionOn(client);
  // A stricter level would hide the warning about an unconfirmed commit.
  await all([plain('SET client_min_messages = warning'), ...limits.map(plain)]);
  const names = Object.keys(requirements);
  const rows = await all(names.map((name) => plain(`SHOW ${name}`)));
  for (const [i, name] of names.entries()) {
    const value = textOf(rows[i]?.[0]?.[name]);
    const requirement = requirements[name];
    assert(requirement !== undefined, 'each name is one of the table');
    if (!requirement.values.includes(value)) throw new UnusableDataError(requirement.otherwise);
    // Prevents that a later change of the server's configuration lowers the setting.
    if (name === 'synchronous_commit') await all([plain(`SET ${name} = ${value}`)]);
  }
  for (const name of plannerSettings) await all([plain(`SET ${name} = off`)]).catch(ignoreUnknown);
}

/** Other engines with another planner reject these settings. */
function ignoreUnknown(error: unknown): void {
  if (!(error instanceof DatabaseError) || !/^(42704|0A000|22023)$/.test(error.code)) throw error;
}

function refuse(error: unknown): never {
  throw error instanceof UnusableDataError ? error : databaseErrorOf(error);
}
