// The store's view of a SQLite connection, and the meaning of its errors.

import type { QueryName } from '../tables/queries.ts';
import { queries } from '../tables/queries.ts';
import type { Row } from '../tables/rows.ts';
import type { QueryValue } from '../tables/steps.ts';

export type SqliteStatement = {
  run(...values: QueryValue[]): { readonly changes: number | bigint };
  get(...values: QueryValue[]): Row | undefined;
  all(...values: QueryValue[]): Row[];
  /** Makes `all` return arrays of values instead of objects. */
  setReturnArrays(enabled: boolean): void;
};

/** One connection, for example a `DatabaseSync` of `node:sqlite`. */
export type SqliteDatabase = {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
};

export type Statements = Readonly<Record<QueryName, SqliteStatement>>;

/** Prepares all statements. Without `feedsLog`, written activities are not added to the queue of the log. */
export function prepareAll(database: SqliteDatabase, feedsLog: boolean): Statements {
  const prepared = preparedOf(queries, database);
  return feedsLog ? prepared : { ...prepared, putLogWaiting: noStatement };
}

const noStatement: SqliteStatement = {
  run: () => ({ changes: 0 }),
  get: () => undefined,
  all: () => [],
  setReturnArrays: () => undefined,
};

/**
 * The meaning of an error of the database. `change`: the statement was at fault, the database works. `busy`:
 * another process holds it for a moment. `broken`: it is no longer reliable (disk full, input/output error,
 * damaged file …). `other`: not an error of the database.
 */
type SqliteErrorKind = 'change' | 'busy' | 'broken' | 'other';

// Primary result codes, https://www.sqlite.org/rescode.html
const troubleOfCode: ReadonlyMap<number, SqliteErrorKind> = new Map([
  [5, 'busy'], // SQLITE_BUSY
  [18, 'change'], // SQLITE_TOOBIG
  [19, 'change'], // SQLITE_CONSTRAINT
  [20, 'change'], // SQLITE_MISMATCH
  [25, 'change'], // SQLITE_RANGE
]);

export function errorKindOf(error: unknown): SqliteErrorKind {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) {
    return 'other';
  }
  // The low byte of an extended result code is the primary one.
  return troubleOfCode.get(error.errcode & 0xff) ?? 'broken';
}

// The failed file operation: extended result codes, https://www.sqlite.org/rescode.html
const doingsOfCode: ReadonlyMap<number, string> = new Map([
  [11, 'reading it: the file is damaged, or the disk cannot read it'],
  [266, 'reading it'],
  [522, 'reading it: it is shorter than it was'],
  [778, 'writing it'],
  [1034, 'flushing it to the disk'],
  [1290, 'flushing its directory to the disk'],
  [1546, 'truncating it'],
  [1802, 'measuring it'],
  [2058, 'unlocking it'],
  [2570, 'deleting its log'],
  [3850, 'locking it'],
  [4618, 'opening its shared memory'],
  [4874, 'growing its shared memory'],
  [5386, 'mapping its shared memory'],
]);

/** Returns the fault for the operator: the message of the database and the failed operation. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
  const doing = code === undefined ? undefined : doingsOfCode.get(code);
  return doing === undefined ? error.message : `${error.message} while ${doing}`;
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
