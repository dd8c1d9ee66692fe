// The store's part in a rotation of the root key on one SQLite connection. One process owns the database, so
// there are no other nodes, and the gateway rejects rows of earlier epochs itself.

import type { Rewriter } from '../tables/rewriter.ts';
import type { StoreRotation } from '../tables/rotation.ts';
import { checkpoints, rewriterOf } from './connection_rewriter.ts';
import type { SqliteDatabase } from './database.ts';
import type { FailureGuard } from './transactions.ts';

export function createSqliteRotation(
  database: SqliteDatabase,
  { guarded, refuseIfBroken }: Pick<FailureGuard, 'guarded' | 'refuseIfBroken'>,
): StoreRotation {
  /** A failure of the database ends the service, like a failure of a commit. */
  async function checked<Value>(run: () => Promise<Value>): Promise<Value> {
    refuseIfBroken();
    try {
      return await run();
    } catch (error) {
      return guarded(() => {
        throw error;
      });
    }
  }

  async function rewriter(): Promise<Omit<Rewriter, 'put' | 'compact'>> {
    const { sealedPage, page, replace, count, close } = rewriterOf(
      database,
      checkpoints.besideService,
    );
    return {
      page: (...asked) => checked(() => page(...asked)),
      sealedPage: (...asked) => checked(() => sealedPage(...asked)),
      replace: (...asked) => checked(() => replace(...asked)),
      count: (...asked) => checked(() => count(...asked)),
      close,
    };
  }

  return {
    rewriter,
    windowMs: 0,
    isAnnounced: async () => false,
    report: async (node) => [node],
    fence: async () => undefined,
    // One process writes the file, and its last pass found no row under the earlier key.
    isClean: async () => true,
    finish: async () => undefined,
  };
}
