// The embedded store: opens the database file, sets its durability, and updates its tables.

import { DatabaseSync } from 'node:sqlite';
import { createEmptyPrivately } from '../data_directory/data_directory.ts';
import type { BatchBegins, Store, StoreLog } from '../store.ts';
import type { Migration } from '../tables/migrations.ts';
import { nextMigration } from '../tables/migrations.ts';
import { requirePresentTables } from '../tables/present_tables.ts';
import { queries } from '../tables/queries.ts';
import { integerOf } from '../tables/rows.ts';
import { dialects, schemaVersionTable } from '../tables/schema.ts';
import { UnusableDataError } from '../unusable_data_error.ts';
import type { SqliteDatabase } from './database.ts';
import { errorKindOf, reasonOf } from './database.ts';
import { createSqliteStore } from './store.ts';

const inMemory = ':memory:';
// Only the owner of the data directory uses it, so another connection can only be a short use of an
// operator's tool.
const busyTimeoutMs = 100;

/**
 * Opens the store in a file (created with 0600 if it is missing; the caller owns its directory, see
 * `openDataDirectory`) or, for tests, in `:memory:`.
 * @throws UnusableDataError if the file is not a database, is in use, or belongs to a newer release.
 */
export function openSqliteStore({
  file,
  log = () => {},
  batchBegins,
  feedsLog = true,
}: {
  readonly file: string;
  readonly log?: StoreLog;
  readonly batchBegins?: BatchBegins | undefined;
  /** Adds each written activity to the queue of the log. */
  readonly feedsLog?: boolean;
}): Store {
  const sentence = 'database failure, refusing further writes: check the disk and restart';
  const failed = (reason: string) => log('error', sentence, { file, reason });
  return createSqliteStore(openDatabase({ file }), failed, batchBegins, feedsLog);
}

/** Opens the connection of a store, and updates its tables. */
export function openDatabase({
  file,
  migrations,
}: {
  readonly file: string;
  readonly migrations?: readonly Migration[];
}): DatabaseSync {
  const database = new DatabaseSync(file, { open: false, timeout: busyTimeoutMs });
  try {
    if (file !== inMemory) createEmptyPrivately(file);
    database.open();
    configure(database, file);
    migrate(database, migrations);
    return database;
  } catch (error) {
    if (database.isOpen) database.close();
    throw explained(error, file);
  }
}

const settings = [
  // Holds two to three activities; applies only to a new file.
  'PRAGMA page_size = 8192',
  // Write-ahead log with a flush at every commit.
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  // Without it, a flush on macOS stops at the drive's cache; no effect elsewhere.
  'PRAGMA fullfsync = ON',
  'PRAGMA checkpoint_fullfsync = ON',
  // The store makes its own checkpoints. This one flushes the log of an earlier process once more before it
  // is used, because that process may have ended at a failed flush.
  'PRAGMA wal_autocheckpoint = 0',
  'PRAGMA wal_checkpoint(TRUNCATE)',
  'PRAGMA journal_size_limit = 67108864',
  'PRAGMA cache_size = -65536',
  'PRAGMA temp_store = MEMORY',
  'PRAGMA trusted_schema = OFF',
];

function configure(database: DatabaseSync, file: string): void {
  for (const setting of settings) database.exec(setting);
  // SQLite does not report a setting that it cannot apply.
  expectSetting(database, file, 'journal_mode', file === inMemory ? 'memory' : 'wal');
  expectSetting(database, file, 'synchronous', 2);
}

function expectSetting(
  database: DatabaseSync,
  file: string,
  setting: string,
  expected: string | number,
): void {
  const got = database.prepare(`PRAGMA ${setting}`).get()?.[setting];
  if (got !== expected) {
    throw new UnusableDataError(
      `the database ${file} refuses to be durable: ${setting} is ${got}, expected ${expected}`,
    );
  }
}

/** Applies missing steps, each in its own transaction with the record that it was applied. */
function migrate(database: SqliteDatabase, migrations: readonly Migration[] | undefined): void {
  let isBehind = true;
  while (isBehind) isBehind = migrateOnce(database, migrations);
  if (migrations === undefined) requireColumns(database);
}

/** Raises UnusableDataError for tables from a version before the first release. */
function requireColumns(database: SqliteDatabase): void {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)');
  requirePresentTables((table) => new Set(columns.all(table).map(({ name }) => name)));
}

function migrateOnce(
  database: SqliteDatabase,
  migrations: readonly Migration[] | undefined,
): boolean {
  const dialect = dialects.sqlite;
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(schemaVersionTable(dialect));
    const row = database.prepare(queries.schemaVersion).get();
    const step = nextMigration(integerOf(row?.['version'] ?? 0), migrations);
    if (step !== undefined) {
      for (const statement of step.statements(dialect)) database.exec(statement);
      database.prepare(queries.insertSchemaVersion).run(step.version, step.name);
    }
    database.exec('COMMIT');
    return step !== undefined;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function explained(error: unknown, file: string): unknown {
  const isOfSystem = error instanceof Error && 'syscall' in error;
  if (errorKindOf(error) === 'other' && !isOfSystem) return error;
  const reason = reasonOf(error);
  return new UnusableDataError(
    errorKindOf(error) === 'busy'
      ? `the database ${file} is in use by another process`
      : `the database ${file} cannot be used: ${reason}`,
  );
}
