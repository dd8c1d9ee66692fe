// The store port on one SQLite connection that lives on the caller's thread (why:
// docs/decisions/0004-store-thread.md).

import { fail, ServiceError } from '../core/errors/errors.ts';
import type { CommitResult } from './commit_queue.ts';
import { createCommitQueue } from './commit_queue.ts';
import { newsMarks } from './news.ts';
import { outboxSteps } from './outbox.ts';
import type { StoreChange } from './port.ts';
import { reads } from './reads.ts';
import type { Row } from './rows.ts';
import type { SqliteDatabase } from './sqlite_database.ts';
import { errorKindOf, prepareAll, reasonOf } from './sqlite_database.ts';
import { applyChange } from './sqlite_writes.ts';
import type { Step, Steps } from './steps.ts';
import { runSteps } from './steps.ts';
import type { Store } from './store.ts';
import { ChangeAtFault } from './store.ts';

/** Pages of log that are copied into the database together, 8 MiB: more make longer pauses. */
const checkpointPages = 1_000;

/**
 * A store on a connection whose tables are there and whose commits are durable when they return.
 * When the database fails (disk full, damaged file …), that commit and all later ones are refused
 * with `store_unavailable`: what a failed flush left on the disk is known only after a recovery.
 * `failed` is told why, once.
 */
export function createSqliteStore(
  database: SqliteDatabase,
  failed: (reason: string) => void = () => {},
): Store {
  const statements = prepareAll(database);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const beginReading = database.prepare('BEGIN');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const logLength = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  const queue = createCommitQueue(async (changes) => writeBatch(changes));
  const flushing = String(database.prepare('PRAGMA synchronous').get()?.['synchronous']);
  let brokenBy: string | undefined;
  let closing: Promise<void> | undefined;

  function writeBatch(changes: readonly StoreChange[]): readonly CommitResult[] {
    try {
      return writeTransaction(changes);
    } catch (error) {
      if (error instanceof ChangeAtFault && changes.length > 1) {
        // Alone, each change shows whether the fault is its own.
        return changes.flatMap((change) => writeBatch([change]));
      }
      const reason = error instanceof ChangeAtFault ? error.cause : error;
      return changes.map(() => ({ error: reason }));
    }
  }

  function writeTransaction(changes: readonly StoreChange[]): readonly CommitResult[] {
    refuseIfBroken();
    guarded(checkpointWhereDue);
    guarded(() => begin.run());
    try {
      const results = changes.map((change) => ({ outcome: applied(change) }));
      guarded(() => commit.run());
      return results;
    } catch (error) {
      // SQLite itself ends the transaction after some errors.
      if (database.isTransaction) guarded(() => rollback.run());
      throw error;
    }
  }

  /** Left to itself, the database says nothing of a failure until the log has filled the disk. */
  function checkpointWhereDue(): void {
    const row = logLength.get();
    const [pages, copied] = [Number(row?.['log']), Number(row?.['checkpointed'])];
    if (pages >= checkpointPages && pages > copied) checkpoint.get();
  }

  function applied(change: StoreChange) {
    try {
      return guarded(() => applyChange(statements, change));
    } catch (error) {
      throw error instanceof ServiceError ? error : new ChangeAtFault(error);
    }
  }

  /** Runs a step on the database; where that is at fault the refusal says so, and it is remembered. */
  function guarded<Value>(step: () => Value): Value {
    try {
      return step();
    } catch (error) {
      const trouble = errorKindOf(error);
      if (trouble === 'broken' && brokenBy === undefined) {
        brokenBy = error instanceof Error ? error.message : String(error);
        failed(reasonOf(error));
      }
      if (trouble === 'broken' || trouble === 'busy') fail('store_unavailable');
      throw error;
    }
  }

  function refuseIfBroken(): void {
    if (brokenBy !== undefined) fail('store_unavailable');
  }

  /** One consistent snapshot, whoever else writes to the file. */
  function read<Value>(steps: Steps<Value>): Value {
    if (closing !== undefined) fail('draining');
    guarded(() => beginReading.run());
    try {
      return guarded(() => runSteps(steps, rowsOf));
    } finally {
      if (database.isTransaction) guarded(() => commit.run());
    }
  }

  /**
   * One transaction over what waits to be delivered. It is in the log when this returns and flushed with
   * the next change: a loss of power may take back that something was delivered, which is then
   * delivered again.
   */
  function onOutbox<Value>(steps: Steps<Value>): Value {
    if (closing !== undefined) fail('draining');
    refuseIfBroken();
    guarded(() => database.exec('PRAGMA synchronous = NORMAL'));
    try {
      return transacted(steps);
    } finally {
      guarded(() => database.exec(`PRAGMA synchronous = ${flushing}`));
    }
  }

  function transacted<Value>(steps: Steps<Value>): Value {
    guarded(() => begin.run());
    try {
      const value = guarded(() => runSteps(steps, rowsOf));
      guarded(() => commit.run());
      return value;
    } finally {
      if (database.isTransaction) guarded(() => rollback.run());
    }
  }

  function rowsOf({ query, values, each }: Step): readonly Row[] {
    const statement = statements[query];
    return each === undefined
      ? statement.all(...values)
      : each.flatMap((value) => statement.all(...values, value));
  }

  async function drainAndClose(): Promise<void> {
    await queue.idle();
    database.close();
  }

  return {
    port: {
      deployment: async () => read(reads.deployment()),
      organization: async (request) => read(reads.organization(request)),
      children: async (request) => read(reads.children(request)),
      records: async (request) => read(reads.records(request)),
      recordPage: async (request) => read(reads.recordPage(request)),
      lookup: async (request) => read(reads.lookup(request)),
      lookups: async (request) => read(reads.lookups(request)),
      activity: async (request) => read(reads.activity(request)),
      activityPage: async (request) => read(reads.activityPage(request)),
      deliveryPage: async (request) => read(reads.deliveryPage(request)),
      commit: async (change) => {
        if (closing !== undefined) fail('draining');
        refuseIfBroken();
        return queue.submit(change);
      },
    },
    outbox: {
      claim: async (request) => onOutbox(outboxSteps.claim(request)),
      next: async (request) => read(outboxSteps.next(request)),
      settle: async (request) => onOutbox(outboxSteps.settle(request)),
      pause: async (request) => onOutbox(outboxSteps.pause(request)),
      release: async (request) => onOutbox(outboxSteps.release(request)),
      drop: async (request) => onOutbox(outboxSteps.drop(request)),
      forget: async (request) => onOutbox(outboxSteps.forget(request)),
    },
    news: { marks: async (topics) => read(newsMarks(topics)) },
    close: () => {
      closing ??= drainAndClose();
      return closing;
    },
    healthy: () => (brokenBy === undefined ? { ok: true } : { ok: false, reason: brokenBy }),
  };
}
