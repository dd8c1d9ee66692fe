// Reads pages of tables over a SQLite connection.

import {
  type CopiedRow,
  type CopiedTable,
  keyOf,
  pageQuery,
  type Snapshot,
  sizesQuery,
} from '../tables/copied_tables.ts';
import { integerOf } from '../tables/rows.ts';
import { type ReadSealedPage, sealedPageReader } from '../tables/sealed_pages.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';

/** Returns the reads of pages on a connection. */
export function pagesOfDatabase(database: SqliteDatabase): Pick<Snapshot, 'page' | 'sizes'> {
  const prepared = preparer(database);
  return {
    page: async (table, after, limit) =>
      prepared(pageQuery(table, after === undefined)).all(
        ...keyOf(table, after),
        limit,
      ) as CopiedRow[],
    sizes: async (table, after, limit) =>
      prepared(sizesQuery(table, after === undefined))
        .all(...keyOf(table, after), limit)
        .map(({ size }) => integerOf(size)),
  };
}

/** Returns the column by which SQLite stores the rows of a table with bodies. */
export function placeOf({ columns, key: [first = ''] }: CopiedTable): string {
  return columns[first] === 'BIGINT' ? first : 'rowid';
}

/**
 * Returns a function that reads sealed rows in their stored order. Rows with neighbouring keys are usually on
 * different pages of the file, and a write would copy each of these pages.
 */
export function sealedPagesOfDatabase(database: SqliteDatabase): ReadSealedPage {
  const prepared = preparer(database);
  return sealedPageReader({
    placeColumns: (table) => [placeOf(table)],
    ask: async (_, query, values) => {
      const statement = prepared(query);
      statement.setReturnArrays(true);
      return statement.all(...values) as unknown as readonly (readonly unknown[])[];
    },
  });
}

/** Returns a function that prepares each statement once. */
export function preparer(database: SqliteDatabase): (sql: string) => SqliteStatement {
  const statements = new Map<string, SqliteStatement>();
  return (sql) => statements.getOrInsertComputed(sql, () => database.prepare(sql));
}
