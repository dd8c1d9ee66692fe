// The store port on PostgreSQL, which several nodes share. Commits wait in one queue for one connection;
// reads use other connections, so that neither blocks the other.

import { fail } from '../../core/errors/errors.ts';
import { createCommitQueue } from '../commits/commit_queue.ts';
import type { StoreVitals } from '../reads/vitals.ts';
import { waitingEvents } from '../reads/vitals.ts';
import type { BatchBegins, Store, StoreLog } from '../store.ts';
import { storeCalls, type Transactions } from '../store_calls.ts';
import type { Row } from '../tables/rows.ts';
import { integerOf } from '../tables/rows.ts';
import type { QueryStep, Steps } from '../tables/steps.ts';
import { awaitSteps } from '../tables/steps.ts';
import { createCommits, maximumAttempts } from './commits.ts';
import { type DatabaseError, kindOf, refusalOf } from './errors.ts';
import { createPostgresHealth, type PostgresHealth } from './health.ts';
import { readOrganization } from './organization.ts';
import { beginSnapshot, endSnapshot, plain, statementOfStep } from './queries.ts';
import { createPostgresRotation } from './rotation.ts';
import type { Pool, Session } from './session.ts';
import { createPool } from './session.ts';

const readConnections = 8;
const outboxConnections = 2;

const begin = plain('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
const commit = plain('COMMIT');
const databaseClock = plain(
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT AS now_ms',
);

export type PostgresStoreOptions = {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  readonly log: StoreLog;
  /** Monotonic clock in milliseconds. */
  readonly clock: () => number;
  readonly batchBegins?: BatchBegins | undefined;
  /** Adds each written activity to the queue of the log. Default: true. */
  readonly feedsLog?: boolean;
};

/**
 * Creates a store on a database with existing tables. If the database is unreachable, reads and commits fail
 * with `store_unavailable`. So does a commit with an unknown outcome, which the client learns by a repeated
 * request. The store recovers by itself.
 */
export function createPostgresStore({
  url,
  log,
  clock,
  batchBegins,
  feedsLog = true,
}: PostgresStoreOptions): Store {
  const health = createPostgresHealth({ log, clock });
  const pools = openPools(url, feedsLog, health.lost);
  const queue = createCommitQueue(createCommits(health, pools.commits), batchBegins);
  const stopLooking = health.lookAfter(pools.reads);
  let closing: Promise<void> | undefined;

  const refuseIfClosing = (): void => {
    if (closing !== undefined) fail('draining');
  };
  const read: Read = async (run) => {
    refuseIfClosing();
    return readOver(pools.reads, health, run);
  };
  const calls = storeCalls(
    transactionsOf({ read, health, pool: pools.deliveries, refuseIfClosing }),
  );

  async function drainAndClose(): Promise<void> {
    stopLooking();
    await queue.idle();
    await Promise.all(Object.values(pools).map((pool) => pool.close()));
  }

  return {
    ...calls,
    port: {
      ...calls.port,
      organization: (request) => read((session) => readOrganization(session, request)),
      commit: async (change) => {
        refuseIfClosing();
        return queue.submit(change);
      },
    },
    // These statements are not commits of the service, and need no confirmation by a standby.
    rotation: createPostgresRotation(url, (run) => {
      refuseIfClosing();
      return health.use(pools.deliveries, run);
    }),
    vitals: () => read(vitalsOf),
    close: () => {
      closing ??= drainAndClose();
      return closing;
    },
    healthy: health.healthy,
    connections: () =>
      Object.entries(pools).map(([name, pool]) => ({ pool: name, ...pool.state() })),
  };
}

type Read = <Result>(run: (session: Session) => Promise<Result>) => Promise<Result>;

async function readOver<Result>(
  pool: Pool,
  { use, refuseInDoubt }: PostgresHealth,
  run: (session: Session) => Promise<Result>,
): Promise<Result> {
  try {
    refuseInDoubt();
    const result = await use(pool, run);
    // The rows may include unconfirmed ones.
    refuseInDoubt();
    return result;
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Returns the kinds of transactions: reads use their own pool, writes another. */
function transactionsOf({
  read,
  health: { use, refuseInDoubt },
  pool,
  refuseIfClosing,
}: {
  readonly read: Read;
  readonly health: PostgresHealth;
  readonly pool: Pool;
  readonly refuseIfClosing: () => void;
}): Transactions {
  /** Runs one transaction, and retries it after a conflict. */
  async function write<Result>(steps: () => Steps<Result>): Promise<Result> {
    refuseIfClosing();
    for (let attempt = 1; ; attempt += 1) {
      try {
        refuseInDoubt();
        return await use(pool, async (session) => {
          await session.all([begin]);
          const result = await runOn(session, steps());
          await session.all([commit]);
          return result;
        });
      } catch (error) {
        if (kindOf(error) !== 'raced' || attempt === maximumAttempts) throw refusalOf(error);
      }
    }
  }
  return {
    // A single query is a snapshot by itself.
    read: (steps) => read((session) => runOn(session, steps())),
    readSnapshot: (steps) =>
      read(async (session) => {
        await session.all([beginSnapshot]);
        const result = await runOn(session, steps());
        await session.all([endSnapshot]);
        return result;
      }),
    writeOutbox: write,
    writeDurably: write,
  };
}

async function vitalsOf(session: Session): Promise<StoreVitals> {
  const [[row] = []] = await session.all([databaseClock]);
  const databaseMs = integerOf(row?.['now_ms'] ?? 0);
  return { ...(await runOn(session, waitingEvents())), databaseMs };
}

function openPools(url: string, feedsLog: boolean, lost: (trouble: DatabaseError) => void) {
  // If one connection gets no answer, others may get none either.
  const silent = (): void => {
    for (const pool of Object.values(pools)) pool.renew();
  };
  const poolOf = (connections: number): Pool =>
    createPool({ url, connections, feedsLog, lost, silent });
  const pools = {
    reads: poolOf(readConnections),
    commits: poolOf(1),
    deliveries: poolOf(outboxConnections),
  };
  return pools;
}

function runOn<Result>(session: Session, steps: Steps<Result>): Promise<Result> {
  return awaitSteps(steps, (asked) => rowsOf(session, asked));
}

async function rowsOf(session: Session, steps: readonly QueryStep[]): Promise<readonly Row[]> {
  return (await session.all(steps.map(statementOfStep))).flat();
}
