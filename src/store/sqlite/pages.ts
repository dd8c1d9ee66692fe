// Reads pages of tables over a SQLite connection.

import {
  type CopiedRow,
  keyOf,
  pageQuery,
  type Snapshot,
  sizesQuery,
} from '../tables/copied_tables.ts';
import { integerOf } from '../tables/rows.ts';
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

/** Returns a function that prepares each statement once. */
export function preparer(database: SqliteDatabase): (sql: string) => SqliteStatement {
  const statements = new Map<string, SqliteStatement>();
  return (sql) => statements.getOrInsertComputed(sql, () => database.prepare(sql));
}
