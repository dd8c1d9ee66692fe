// Replaces sealed bodies in a SQLite file that no service uses.

import { existsSync } from 'node:fs';
import { keyOf } from '../tables/copied_tables.ts';
import { type Rewriter, unchangedCondition } from '../tables/rewriter.ts';
import { UnusableDataError } from '../unusable_data_error.ts';
import { pagesOfDatabase, preparer } from './copy.ts';
import { openDatabase } from './sqlite.ts';

/** Number of steps between two checkpoints, so that the log stays small. */
const stepsOfCheckpoint = 32;

/** Opens a database file whose folder the caller owns. Raises UnusableDataError if there is no file. */
export function sqliteRewriter(file: string): Rewriter {
  if (!existsSync(file)) throw new UnusableDataError(`there is no database at ${file}`);
  const database = openDatabase({ file });
  // Overwrites replaced content with zeros.
  database.exec('PRAGMA secure_delete = ON');
  const prepared = preparer(database);
  let steps = 0;

  function inOneStep<Value>(run: () => Value): Value {
    database.exec('BEGIN IMMEDIATE');
    try {
      const value = run();
      database.exec('COMMIT');
      return value;
    } finally {
      if (database.isTransaction) database.exec('ROLLBACK');
      steps += 1;
      if (steps % stepsOfCheckpoint === 0) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    }
  }

  return {
    ...pagesOfDatabase(database),
    replace: async (table, column, bodies) => {
      const condition = unchangedCondition(table, column);
      const update = prepared(`UPDATE ${table.name} SET ${column} = ? WHERE ${condition}`);
      return inOneStep(() =>
        bodies.reduce((sum, { row, body }) => {
          const { changes } = update.run(body, ...keyOf(table, row), row[column] ?? null);
          return sum + Number(changes);
        }, 0),
      );
    },
    put: async ({ organizationId, version, guard, head }) => {
      const statement = prepared(
        version === 1
          ? 'INSERT INTO organizations (version, guard, head, id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'
          : 'UPDATE organizations SET version = ?, guard = ?, head = ? WHERE id = ? AND version = ?',
      );
      const values = [version, guard, head, organizationId];
      const before = version === 1 ? [] : [version - 1];
      return inOneStep(() => Number(statement.run(...values, ...before).changes) === 1);
    },
    compact: async () => {
      // A copy in memory would need as much memory as the database has bytes.
      database.exec('PRAGMA temp_store = FILE');
      database.exec('VACUUM');
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return true;
    },
    close: async () => {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
    },
  };
}
