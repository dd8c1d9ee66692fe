// Health of a node's database, from each use of a connection and from periodic checks.

import { fail } from '../../core/errors/errors.ts';
import type { Health, StoreLog } from '../store.ts';
import { UnusableDataError } from '../unusable_data_error.ts';
import { confirmDurability, createDurability } from './durability.ts';
import { DatabaseError } from './errors.ts';
import { plain } from './queries.ts';
import type { Pool, Session } from './session.ts';

const probePauseMs = 1_000;
/** Interval of the checks after a failure. */
const doubtPauseMs = 250;
const notConfirmed = 'the database has not confirmed a commit';

export type PostgresHealth = {
  /** Lends a connection, and records what its use shows about the database. */
  use<Result>(pool: Pool, run: (session: Session) => Promise<Result>): Promise<Result>;
  /** Raises `store_unavailable` after a failure, until a later commit is confirmed. */
  refuseInDoubt(): void;
  /** Begins a commit. The returned function records its confirmation. */
  begin(): () => void;
  /** Called for an idle connection that broke. */
  lost(trouble: DatabaseError): void;
  /** Checks the database over a pool until the returned function is called. */
  lookAfter(pool: Pool): () => void;
  healthy(): Health;
};

/** Creates the health of a node's database. `clock` is monotonic, in milliseconds. */
export function createPostgresHealth({
  log,
  clock,
}: {
  readonly log: StoreLog;
  readonly clock: () => number;
}): PostgresHealth {
  const durability = createDurability(clock);
  const watched = watchHealth(log);
  let lookSoon = (): void => undefined;

  function doubt(): void {
    durability.doubt();
    lookSoon();
  }

  async function use<Result>(
    pool: Pool,
    run: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    try {
      const result = await pool.use(run);
      if (!durability.isInDoubt()) watched.works();
      return result;
    } catch (error) {
      if (error instanceof DatabaseError && error.kind === 'in_doubt') watched.unconfirmed();
      if (error instanceof DatabaseError && error.kind === 'unavailable') watched.failed(error);
      if (error instanceof UnusableDataError) watched.unusable(error);
      if (isOfDatabase(error)) doubt();
      throw error;
    }
  }

  /** Checks that the database works and, if no commit did so lately, that it confirms commits. */
  async function look(pool: Pool): Promise<void> {
    if (!durability.isDue()) {
      await use(pool, (session) => session.all([plain('SELECT 1')]));
      return;
    }
    const confirmed = durability.begin();
    await use(pool, confirmDurability);
    confirmed();
    if (!durability.isInDoubt()) watched.works();
  }

  return {
    use,
    refuseInDoubt: () => {
      if (durability.isInDoubt()) fail('store_unavailable');
    },
    begin: durability.begin,
    lost: (trouble) => {
      watched.failed(trouble);
      doubt();
    },
    lookAfter: (pool) => {
      const pauseMs = () => (durability.isInDoubt() ? doubtPauseMs : probePauseMs);
      const probing = probe(() => look(pool), pauseMs);
      lookSoon = probing.soon;
      return probing.stop;
    },
    healthy: () => {
      const health = watched.health();
      return health.ok && durability.isLate() ? { ok: false, reason: notConfirmed } : health;
    },
  };
}

/** Returns true for failures of the database itself, not of the query. */
function isOfDatabase(error: unknown): boolean {
  if (error instanceof UnusableDataError) return true;
  return error instanceof DatabaseError && ['unavailable', 'in_doubt'].includes(error.kind);
}

/** Records the state of the database, and logs each change of it. */
function watchHealth(log: StoreLog) {
  let reason: string | undefined;
  const ill = (newReason: string, message: string, fields: Record<string, string>): void => {
    if (reason !== newReason) log('error', message, fields);
    reason = newReason;
  };
  return {
    works: () => {
      if (reason !== undefined) log('info', 'the database is back', {});
      reason = undefined;
    },
    failed: ({ code }: DatabaseError) =>
      ill('the database is not available', 'the database is not available', { code }),
    unconfirmed: () => ill(notConfirmed, notConfirmed, {}),
    unusable: ({ message }: UnusableDataError) => ill(message, message, {}),
    health: (): Health => (reason === undefined ? { ok: true } : { ok: false, reason }),
  };
}

/** Checks periodically, so that health is known without requests. */
function probe(ask: () => Promise<void>, pauseMs: () => number) {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const askAfter = (delayMs: number): void => {
    if (isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      // `use` records failures.
      ask().then(askLater, askLater);
    }, delayMs);
    timer.unref();
  };
  const askLater = (): void => askAfter(pauseMs());
  askLater();
  return {
    /** Runs the next check now, unless a check is running. */
    soon: () => {
      if (timer !== undefined) askAfter(0);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
