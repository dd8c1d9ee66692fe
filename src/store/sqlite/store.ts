// The store port on one SQLite connection in the caller's thread (see docs/decisions/0004-store-thread.md).

import { fail, ServiceError } from '../../core/errors/errors.ts';
import { createCommitQueue } from '../commits/commit_queue.ts';
import { reads } from '../reads/reads.ts';
import { waitingEvents } from '../reads/vitals.ts';
import type { BatchBegins, Store } from '../store.ts';
import { storeCalls } from '../store_calls.ts';
import type { Steps } from '../tables/steps.ts';
import type { SqliteDatabase } from './database.ts';
import { createSqliteRotation } from './rotation.ts';
import { createFailureGuard, createSqliteTransactions } from './transactions.ts';

/**
 * Creates a store on a connection with existing tables and durable commits. If the database fails (disk full,
 * damaged file …), that commit and all later ones fail with `store_unavailable`, because a failed flush
 * leaves an unknown state until a recovery. `failed` receives the reason once.
 */
export function createSqliteStore(
  database: SqliteDatabase,
  failed: (reason: string) => void = () => {},
  batchBegins?: BatchBegins,
  feedsLog = true,
): Store {
  const guard = createFailureGuard(failed);
  const transactions = createSqliteTransactions(database, guard, feedsLog);
  let closing: Promise<void> | undefined;
  const queue = createCommitQueue(async (changes) => {
    // The question takes time, so the answers of the batch leave first.
    setImmediate(() => closing ?? transactions.checkpoint());
    return transactions.writeBatch(changes);
  }, batchBegins);

  function refuseIfClosing(): void {
    if (closing !== undefined) fail('draining');
  }

  function read<Value>(steps: Steps<Value>): Value {
    refuseIfClosing();
    return transactions.read(steps);
  }

  const calls = storeCalls({
    read: async (steps) => read(steps()),
    readSnapshot: async (steps) => read(steps()),
    writeOutbox: async (steps) => {
      refuseIfClosing();
      return transactions.writeRelaxed(steps());
    },
    writeDurably: async (steps) => {
      refuseIfClosing();
      return transactions.writeDurably(steps());
    },
  });

  async function drainAndClose(): Promise<void> {
    await queue.idle();
    database.close();
  }

  return {
    ...calls,
    port: {
      ...calls.port,
      organization: async (request) => read(reads.organization(request)),
      commit: (change) =>
        closing === undefined ? queue.submit(change) : Promise.reject(new ServiceError('draining')),
    },
    rotation: createSqliteRotation(database, guard),
    vitals: async () => ({ ...read(waitingEvents()), databaseMs: undefined }),
    close: () => {
      closing ??= drainAndClose();
      return closing;
    },
    healthy: () => {
      const reason = guard.brokenBy();
      return reason === undefined ? { ok: true } : { ok: false, reason };
    },
  };
}
