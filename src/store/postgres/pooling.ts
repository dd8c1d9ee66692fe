// A pooler in transaction mode breaks session state: settings, prepared statements, and warnings about
// unconfirmed commits.

import { integerOf } from '../tables/rows.ts';
import { UnusableDataError } from '../unusable_data_error.ts';
import { plain } from './queries.ts';
import type { Pool, Session } from './session.ts';

const sentence =
  'the database is behind a pooler that lends connections for single transactions: let it pool sessions (pgbouncer: pool_mode = session)';

/**
 * Checks that two sessions have separate, lasting server processes, while one of them is inside and outside
 * of a transaction. The pool lends two connections at once.
 * @throws UnusableDataError if they share or change processes.
 */
export async function refuseTransactionPooling(pool: Pick<Pool, 'use'>): Promise<void> {
  await pool.use((one) =>
    pool.use(async (other) => {
      const own = await processOf(one);
      const others = await processOf(other);
      const check = async (): Promise<void> => {
        // Queries `one` last: if both share a process, the transaction of `other` would make `one` wait.
        const isKept = others !== own && (await processOf(other)) === others;
        if (!isKept || (await processOf(one)) !== own) throw new UnusableDataError(sentence);
      };
      await check();
      await other.all([plain('BEGIN')]);
      await check();
      await other.all([plain('ROLLBACK')]);
      await check();
    }),
  );
}

async function processOf(session: Session): Promise<number> {
  const [[row] = []] = await session.all([plain('SELECT pg_backend_pid() AS id')]);
  return integerOf(row?.['id']);
}
