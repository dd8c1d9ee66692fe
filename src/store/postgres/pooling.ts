// A pooler in transaction mode breaks what a session relies on: its settings, its prepared statements, and
// the report of an unconfirmed commit to its caller.

import { integerOf } from '../tables/rows.ts';
import { UnusableDataError } from '../unusable_data_error.ts';
import { plain } from './queries.ts';
import type { Pool, Session } from './session.ts';

const sentence =
  'the database is behind a pooler that lends connections for single transactions: let it pool sessions (pgbouncer: pool_mode = session)';

/**
 * Looks whether two sessions have a server process each, for as long as they last: one of them in a
 * transaction and out of it. The pool lends two connections at once.
 * @throws UnusableDataError where they share or change it.
 */
export async function refuseTransactionPooling(pool: Pick<Pool, 'use'>): Promise<void> {
  await pool.use((one) =>
    pool.use(async (other) => {
      const own = await processOf(one);
      const others = await processOf(other);
      const check = async (): Promise<void> => {
        // While the other one is in a transaction it holds its process, and this one might wait for it.
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
