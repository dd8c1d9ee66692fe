// Copies of the data in PostgreSQL: a snapshot while nodes write, and an empty database that is filled in one
// transaction.

import type { StoreLog } from '../store.ts';
import type { CopiedRow, CopiedTable, EmptyDatabase, Snapshot } from '../tables/copied_tables.ts';
import { copiedTables } from '../tables/copied_tables.ts';
import { UnusableDataError } from '../unusable_data_error.ts';
import { binaryArray, type Element } from './arrays.ts';
import { DatabaseError } from './errors.ts';
import { borrow, pagesOfSession, requireVersion } from './pages.ts';
import { openPostgresStore } from './postgres.ts';
import { plain } from './queries.ts';

/** Between two pages the destination of the copy is written, and its disk may be slow. */
const patience = plain("SET LOCAL idle_in_transaction_session_timeout = '120s'");

/** Opens a snapshot, read in bounded pages over one connection. */
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

/**
 * Opens an empty database, and creates missing tables.
 * @throws UnusableDataError if the database has any rows.
 */
export async function emptyPostgres(
  url: string,
  ports: { readonly log: StoreLog; readonly clock: () => number },
): Promise<EmptyDatabase> {
  // Opening creates the tables, and checks that commits are durable.
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

/** Another restore, or a service started on the empty database, has written to the same tables. */
function refuseOthers(error: unknown): never {
  const isOfOthers = error instanceof DatabaseError && ['raced', 'busy'].includes(error.kind);
  if (!isOfOthers) throw error;
  throw new UnusableDataError('another process writes to the database: nothing was restored');
}

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
