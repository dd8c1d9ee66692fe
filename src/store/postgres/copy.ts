// Copies of the data in PostgreSQL: a snapshot while nodes write, and an empty database that one transaction
// fills.

import { checkVersion } from '../sqlite/copy.ts';
import type { StoreLog } from '../store.ts';
import type { CopiedRow, CopiedTable, EmptyDatabase, Snapshot } from '../tables/copied_tables.ts';
import { copiedTables, keyOf, pageQuery, sizesQuery } from '../tables/copied_tables.ts';
import { integerOf, type Row } from '../tables/rows.ts';
import type { QueryValue } from '../tables/steps.ts';
import { UnusableDataError } from '../unusable_data_error.ts';
import { binaryArray, type Element } from './arrays.ts';
import { DatabaseError } from './errors.ts';
import { numbered } from './placeholders.ts';
import { openPostgresStore } from './postgres.ts';
import { plain, statementOfStep } from './queries.ts';
import type { Pool, Session } from './session.ts';
import { createPool } from './session.ts';

/** Between two pages the other side of the copy is written to, which a slow disk may hold up. */
const patience = plain("SET LOCAL idle_in_transaction_session_timeout = '120s'");
const name = 'the database';

/** A snapshot that is read in bounded pages, over one connection. */
export async function postgresSnapshot(url: string): Promise<Snapshot> {
  const borrowed = await borrow(url);
  const { session } = borrowed;
  try {
    await session.all([plain('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'), patience]);
    await requireVersion(session);
  } catch (error) {
    await borrowed.giveBack();
    throw error;
  }
  return { ...pagesOfSession(session), close: async () => borrowed.giveBack() };
}

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

/**
 * An empty database whose tables are made where they are missing.
 * @throws UnusableDataError when there is anything in it.
 */
export async function emptyPostgres(
  url: string,
  ports: { readonly log: StoreLog; readonly clock: () => number },
): Promise<EmptyDatabase> {
  // Opening makes sure of the tables, and that a commit is durable.
  await (await openPostgresStore({ url, ...ports })).close();
  const borrowed = await borrow(url);
  const { session } = borrowed;
  try {
    await session.all([plain('BEGIN'), patience]);
    for (const table of copiedTables) {
      const [rows = []] = await session.all([
        plain(`SELECT 1 AS found FROM ${table.name} LIMIT 1`),
      ]);
      if (rows.length > 0)
        throw new UnusableDataError('the database is not empty: nothing was restored');
    }
  } catch (error) {
    await borrowed.giveBack();
    throw error;
  }
  return {
    insert: async (table, rows) => {
      const values = arraysOf(table, rows);
      await session.all([{ name: '', text: insertInto(table), values }]).catch(refuseOthers);
    },
    commit: async () => {
      await session.all([plain('COMMIT')]);
      await borrowed.giveBack();
    },
    close: async () => borrowed.giveBack(),
  };
}

/** Another restore, or a service started on the empty database, wrote the same rows. */
function refuseOthers(error: unknown): never {
  const isOfOthers = error instanceof DatabaseError && ['raced', 'busy'].includes(error.kind);
  if (!isOfOthers) throw error;
  throw new UnusableDataError('another process writes to the database: nothing was restored');
}

/** A connection of its own until it is released; its end rolls back. */
export async function borrow(url: string) {
  const pool: Pool = createPool({ url, connections: 1, lost: () => {} });
  const lent = Promise.withResolvers<Session>();
  const ended = Promise.withResolvers<void>();
  const use = pool
    .use(async (session) => {
      lent.resolve(session);
      await ended.promise;
      // The error is dropped: the transaction is over in any case.
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

function insertInto({ name: table, columns }: CopiedTable): string {
  const names = Object.keys(columns).join(', ');
  const arrays = Object.values(columns).map((type, i) => `$${i + 1}::${type}[]`);
  return `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${arrays.join(', ')})`;
}

function arraysOf({ columns }: CopiedTable, rows: readonly CopiedRow[]): Buffer[] {
  return Object.entries(columns).map(([column, type]) =>
    binaryArray(
      type,
      rows.map((row): Element => row[column] ?? undefined),
    ),
  );
}
