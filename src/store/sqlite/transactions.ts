// Transactions on one SQLite connection. After a failure of the database, that write and all later ones are
// rejected, because a failed flush leaves an unknown state until a recovery.

import { fail, ServiceError } from '../../core/errors/errors.ts';
import { additionOf } from '../addition.ts';
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
  const log = createLogLength(database);

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
    log.mayBeLong();
    guarded(() => database.exec('PRAGMA synchronous = NORMAL'));
    try {
      return writeSteps(steps);
    } finally {
      guarded(() => database.exec(`PRAGMA synchronous = ${flushing}`));
    }
  }

  function writeDurably<Value>(steps: Steps<Value>): Value {
    refuseIfBroken();
    log.mayBeLong();
    guarded(log.copyIfLong);
    return writeSteps(steps);
  }

  function writeBatch(changes: readonly StoreChange[]): readonly CommitResult[] {
    try {
      refuseIfBroken();
      log.grows(changes);
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

  const checkpoint = () => checkpointAfterBatch(log, { guarded, refuseIfBroken });
  return { read, writeRelaxed, writeDurably, writeBatch, checkpoint };
}

/** Copies the log if it is long. The next write reports a failure. */
function checkpointAfterBatch(
  log: LogLength,
  { guarded, refuseIfBroken }: Pick<FailureGuard, 'guarded' | 'refuseIfBroken'>,
): void {
  try {
    refuseIfBroken();
    guarded(log.copyIfLong);
  } catch {
    // A broken database refuses the next write, and a busy one is asked again after it.
  }
}

type LogLength = {
  /** Adds the pages of a batch to the estimate. */
  grows(changes: readonly StoreChange[]): void;
  /** Lets the next call of `copyIfLong` read the length. */
  mayBeLong(): void;
  /**
   * Copies the log into the database if it is long. The database alone does not report a failure until the
   * log has filled the disk.
   */
  copyIfLong(): void;
};

/**
 * Estimates the length of the log, and reads it only if the log may be long, because SQLite compiles a
 * `PRAGMA` anew at each run. After an estimate that is too low, the log grows further until the next reading.
 */
function createLogLength(database: SqliteDatabase): LogLength {
  const readLength = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  let pages = 0;

  /** Returns the pages before the next write, which restarts a log that was copied completely. */
  const pagesIn = (row: Row | undefined): number => {
    const length = Number(row?.['log']);
    return length > Number(row?.['checkpointed']) ? length : 0;
  };
  return {
    grows: (changes) => {
      for (const change of changes) pages += pagesOf(change);
    },
    mayBeLong: () => {
      pages = checkpointPages;
    },
    copyIfLong: () => {
      if (pages < checkpointPages) return;
      pages = pagesIn(readLength.get());
      if (pages >= checkpointPages) pages = pagesIn(checkpoint.get());
    },
  };
}

/** Pages that one new row changes in its table and indexes, usually six, and a few more if pages split. */
const pagesOfRow = 16;
/** The smallest size of a page in any file of the store. */
const pageBytes = 4_096;

/** Returns the estimated log pages of a change; the most for a change other than an addition. */
function pagesOf(change: StoreChange): number {
  const addition = additionOf(change);
  if (addition === undefined) return checkpointPages;
  let pages = pagesOfBody(addition.activity.body);
  for (const { body } of addition.events) pages += pagesOfBody(body);
  return pages;
}

const pagesOfBody = (body: Uint8Array): number => pagesOfRow + Math.ceil(body.length / pageBytes);

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
