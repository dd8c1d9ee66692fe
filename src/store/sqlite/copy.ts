// Copies of the data in SQLite: a snapshot of a database while its service writes to it, and a new file for a
// copy.

import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { CopiedTable, EmptyDatabase, Snapshot } from '../tables/copied_tables.ts';
import { migrations } from '../tables/migrations.ts';
import { queries } from '../tables/queries.ts';
import { UnusableDataError } from '../unusable_data_error.ts';
import { pagesOfDatabase, preparer } from './pages.ts';
import { openDatabase } from './sqlite.ts';

/** A service that checkpoints its log locks the file for moments. */
const busyTimeoutMs = 10_000;

/**
 * Opens a snapshot of a database file while another process may write to it. The writer is not blocked; its
 * log grows until the snapshot is closed. `readOnly` is for a file without writers.
 * @throws UnusableDataError if the file is missing, or belongs to another release.
 */
export function sqliteSnapshot(
  file: string,
  { readOnly = false }: { readonly readOnly?: boolean } = {},
): Snapshot {
  if (!existsSync(file)) throw new UnusableDataError(`there is no database at ${file}`);
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly });
  try {
    database.exec('PRAGMA query_only = ON');
    database.exec('BEGIN');
    // The first read starts the snapshot.
    checkVersion(database.prepare(queries.schemaVersion).get()?.['version'], file);
  } catch (error) {
    database.close();
    throw error;
  }
  return { ...pagesOfDatabase(database), close: async () => database.close() };
}

/** Throws UnusableDataError unless the version of the schema is that of this release. */
export function checkVersion(version: unknown, database: string): void {
  if (version === migrations.length) return;
  const isNewer = typeof version === 'number' && version > migrations.length;
  throw new UnusableDataError(
    isNewer
      ? `${database} was written by a newer release: use that one`
      : `${database} was written by an older release: start this one on it once`,
  );
}

/**
 * Creates a file (0600) for a copy. Before `commit` it is unusable, and no other process may open it;
 * afterwards it is complete and durable, without a log.
 */
export function newSqliteFile(file: string): EmptyDatabase {
  const database = openDatabase({ file });
  // A broken copy is discarded, so it needs no rollback and no durability before the last flush.
  for (const setting of ['journal_mode = DELETE', 'journal_mode = OFF', 'synchronous = OFF']) {
    database.exec(`PRAGMA ${setting}`);
  }
  database.exec('BEGIN');
  const prepared = preparer(database);
  return {
    insert: async (table, rows) => {
      const statement = prepared(insertInto(table));
      const columns = Object.keys(table.columns);
      for (const row of rows) statement.run(...columns.map((name) => row[name] ?? null));
    },
    commit: async () => {
      database.exec('COMMIT');
      database.close();
      syncFile(file);
    },
    close: async () => {
      if (!database.isOpen) return;
      database.close();
      for (const suffix of ['', '-journal', '-wal', '-shm'])
        rmSync(`${file}${suffix}`, { force: true });
    },
  };
}

/** Syncs the content of a file. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Replaces the row of an organization in a file that no process has open. */
export function replaceHead(
  file: string,
  {
    id,
    version,
    guard,
    head,
  }: {
    readonly id: string;
    readonly version: number;
    readonly guard: number;
    readonly head: Uint8Array;
  },
): void {
  const database = new DatabaseSync(file);
  try {
    const replace = database.prepare(
      'UPDATE organizations SET version = ?, guard = ?, head = ? WHERE id = ?',
    );
    replace.run(version, guard, head, id);
  } finally {
    database.close();
  }
  syncFile(file);
}

function insertInto({ name, columns }: CopiedTable): string {
  const names = Object.keys(columns);
  return `INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}
