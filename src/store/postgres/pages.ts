// Reads pages of tables over a separate PostgreSQL connection.

import { checkVersion } from '../sqlite/copy.ts';
import {
  type CopiedRow,
  keyOf,
  pageQuery,
  type Snapshot,
  sizesQuery,
} from '../tables/copied_tables.ts';
import { integerOf, type Row } from '../tables/rows.ts';
import type { QueryValue } from '../tables/steps.ts';
import { numbered } from './placeholders.ts';
import { statementOfStep } from './queries.ts';
import { createPool, type Pool, type Session } from './session.ts';

const name = 'the database';

/** Raises UnusableDataError unless the tables are those of this release. */
export async function requireVersion(session: Session): Promise<void> {
  const asked = statementOfStep({ query: 'schemaVersion', values: [] });
  const [rows = []] = await session.all([asked]);
  checkVersion(integerOf(rows[0]?.['version'] ?? 0), name);
}

/** Returns the reads of pages on a connection. */
export function pagesOfSession(session: Session): Pick<Snapshot, 'page' | 'sizes'> {
  const ask = async (query: string, values: readonly QueryValue[]): Promise<readonly Row[]> => {
    const [rows = []] = await session.all([{ name: '', text: numbered(query), values }]);
    return rows;
  };
  return {
    page: async (table, after, limit) => {
      const rows = await ask(pageQuery(table, after === undefined), [
        ...keyOf(table, after),
        limit,
      ]);
      return rows as CopiedRow[];
    },
    sizes: async (table, after, limit) => {
      const values = [...keyOf(table, after), limit];
      const rows = await ask(sizesQuery(table, after === undefined), values);
      return rows.map(({ size }) => integerOf(size));
    },
  };
}

/** Opens a separate connection until `giveBack`, which rolls back. */
export async function borrow(url: string) {
  const pool: Pool = createPool({ url, connections: 1, lost: () => {} });
  const lent = Promise.withResolvers<Session>();
  const ended = Promise.withResolvers<void>();
  const use = pool
    .use(async (session) => {
      lent.resolve(session);
      await ended.promise;
      // The error ends the use of the connection in any state of its transaction.
      throw new GivenBack();
    })
    .catch((error) => {
      if (!(error instanceof GivenBack)) lent.reject(error);
    });
  const session = await lent.promise.catch(async (error) => {
    await pool.close();
    throw error;
  });
  return {
    session,
    giveBack: async () => {
      ended.resolve();
      await use;
      await pool.close().catch(() => undefined);
    },
  };
}

class GivenBack extends Error {}
