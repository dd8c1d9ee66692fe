// What the store needs of a SQLite connection, and what its errors mean.

import type { QueryName } from './queries.ts';
import { queries } from './queries.ts';
import type { Row } from './rows.ts';
import type { QueryValue } from './steps.ts';

export type SqliteStatement = {
  run(...values: QueryValue[]): { readonly changes: number | bigint };
  get(...values: QueryValue[]): Row | undefined;
  all(...values: QueryValue[]): Row[];
};

/** One connection; `DatabaseSync` of `node:sqlite` is one. */
export type SqliteDatabase = {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
};

export type Statements = Readonly<Record<QueryName, SqliteStatement>>;

export function prepareAll(database: SqliteDatabase): Statements {
  return preparedOf(queries, database);
}

/**
 * What an error of the database says about it. `change`: the statement was at fault, the database is
 * sound. `busy`: another process holds it just now. `broken`: it cannot be relied on any more (disk
 * full, input/output error, damaged file …). `other`: not an error of the database.
 */
export type Trouble = 'change' | 'busy' | 'broken' | 'other';

// Primary result codes, https://www.sqlite.org/rescode.html
const troubleOfCode: ReadonlyMap<number, Trouble> = new Map([
  [5, 'busy'], // SQLITE_BUSY
  [18, 'change'], // SQLITE_TOOBIG
  [19, 'change'], // SQLITE_CONSTRAINT
  [20, 'change'], // SQLITE_MISMATCH
  [25, 'change'], // SQLITE_RANGE
]);

export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) {
    return 'other';
  }
  // The low byte of an extended result code is the primary one.
  return troubleOfCode.get(error.errcode & 0xff) ?? 'broken';
}

function preparedOf<Name extends string>(
  texts: Readonly<Record<Name, string>>,
  database: SqliteDatabase,
): Readonly<Record<Name, SqliteStatement>> {
  const names = Object.keys(texts) as Name[];
  return Object.fromEntries(names.map((name) => [name, database.prepare(texts[name])])) as Record<
    Name,
    SqliteStatement
  >;
}
