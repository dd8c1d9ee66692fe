// Transactions on one SQLite connection. After a failure of the database, that write and all later ones are
// rejected, because a failed flush leaves an unknown state until a recovery.

import { fail, ServiceError } from '../../core/errors/errors.ts';
import type { CommitResult } from '../commits/commit_queue.ts';
import type { StoreChange } from '../port.ts';
import { ChangeAtFault } from '../store.ts';
import type { Row } from '../tables/rows.ts';
import type { QueryStep, Steps } from '../tables/steps.ts';
import { runSteps } from '../tables/steps.ts';
import type { SqliteDatabase } from './database.ts';
import { errorKindOf, prepareAll, reasonOf } from './database.ts';
import { applyChange } from './writes.ts';

/** Log pages that are copied into the database together, 8 MiB. More would cause longer pauses. */
const checkpointPages = 1_000;

type SqliteTransactions = {
  /** Reads in one consistent snapshot, regardless of writers. */
  read<Value>(steps: Steps<Value>): Value;
  /**
   * Writes to the log before it returns; the next change flushes it. A loss of power may undo the mark of a
   * delivery, which is then repeated.
   */
  writeRelaxed<Value>(steps: Steps<Value>): Value;
  /** Writes in one transaction, flushed before it returns. */
  writeDurably<Value>(steps: Steps<Value>): Value;
  /** Writes changes in one transaction. If one of them causes an error, writes each alone. */
  writeBatch(changes: readonly StoreChange[]): readonly CommitResult[];
  /** Copies the log into the database if it is long. The next write reports a failure. */
  checkpoint(): void;
};

export function createSqliteTransactions(
  database: SqliteDatabase,
  { guarded, refuseIfBroken }: FailureGuard,
  feedsLog: boolean,
): SqliteTransactions {
  const statements = prepareAll(database, feedsLog);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const beginReading = database.prepare('BEGIN');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const flushing = String(database.prepare('PRAGMA synchronous').get()?.['synchronous']);
  const checkpointWhereDue = createCheckpoints(database);

  function rowsOf({ query, values, each }: QueryStep): readonly Row[] {
    const statement = statements[query];
    return each === undefined
      ? statement.all(...values)
      : each.flatMap((value) => statement.all(...values, value));
  }

  function read<Value>(steps: Steps<Value>): Value {
    guarded(() => beginReading.run());
    try {
      return guarded(() => runSteps(steps, rowsOf));
    } finally {
      if (database.isTransaction) guarded(() => commit.run());
    }
  }

  /** Runs writes in a transaction, and rolls back if they throw. */
  function write<Value>(run: () => Value): Value {
    guarded(() => begin.run());
    try {
      const value = run();
      guarded(() => commit.run());
      return value;
    } finally {
      // SQLite itself ends the transaction after some errors.
      if (database.isTransaction) guarded(() => rollback.run());
    }
  }

  const writeSteps = <Value>(steps: Steps<Value>): Value =>
    write(() => guarded(() => runSteps(steps, rowsOf)));

  function writeRelaxed<Value>(steps: Steps<Value>): Value {
    refuseIfBroken();
    guarded(() => database.exec('PRAGMA synchronous = NORMAL'));
    try {
      return writeSteps(steps);
    } finally {
      guarded(() => database.exec(`PRAGMA synchronous = ${flushing}`));
    }
  }

  function writeDurably<Value>(steps: Steps<Value>): Value {
    refuseIfBroken();
    guarded(checkpointWhereDue);
    return writeSteps(steps);
  }

  function writeBatch(changes: readonly StoreChange[]): readonly CommitResult[] {
    try {
      refuseIfBroken();
      return write(() => changes.map((change) => ({ outcome: applied(change) })));
    } catch (error) {
      if (error instanceof ChangeAtFault && changes.length > 1) {
        // Repeats each change alone, to find the faulty change.
        return changes.flatMap((change) => writeBatch([change]));
      }
      const reason = error instanceof ChangeAtFault ? error.cause : error;
      return changes.map(() => ({ error: reason }));
    }
  }

  function applied(change: StoreChange) {
    try {
      return guarded(() => applyChange(statements, change));
    } catch (error) {
      throw error instanceof ServiceError ? error : new ChangeAtFault(error);
    }
  }

  function checkpoint(): void {
    try {
      refuseIfBroken();
      guarded(checkpointWhereDue);
    } catch {
      // A broken database refuses the next write, and a busy one is asked again after it.
    }
  }

  return { read, writeRelaxed, writeDurably, writeBatch, checkpoint };
}

/** The database alone does not report a failure until the log has filled the disk. */
function createCheckpoints(database: SqliteDatabase): () => void {
  const logLength = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  return () => {
    const row = logLength.get();
    const [pages, copied] = [Number(row?.['log']), Number(row?.['checkpointed'])];
    if (pages >= checkpointPages && pages > copied) checkpoint.get();
  };
}

export type FailureGuard = {
  /** Runs a function on the database. Records a failure of the database, and reports it in the error. */
  guarded<Value>(run: () => Value): Value;
  /** Raises `store_unavailable` once the database has failed. */
  refuseIfBroken(): void;
  /** Returns why the database failed; undefined while it works. */
  brokenBy(): string | undefined;
};

/** `failed` receives the reason of the database's failure, once. */
export function createFailureGuard(failed: (reason: string) => void): FailureGuard {
  let brokenBy: string | undefined;
  return {
    guarded: (run) => {
      try {
        return run();
      } catch (error) {
        const kind = errorKindOf(error);
        if (kind === 'broken' && brokenBy === undefined) {
          brokenBy = error instanceof Error ? error.message : String(error);
          failed(reasonOf(error));
        }
        if (kind === 'broken' || kind === 'busy') fail('store_unavailable');
        throw error;
      }
    },
    refuseIfBroken: () => {
      if (brokenBy !== undefined) fail('store_unavailable');
    },
    brokenBy: () => brokenBy,
  };
}
