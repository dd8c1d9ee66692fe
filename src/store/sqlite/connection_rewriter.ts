// Replaces sealed bodies over a SQLite connection.

import type { Rewriter } from '../tables/rewriter.ts';
import { integerOf } from '../tables/rows.ts';
import type { SqliteDatabase } from './database.ts';
import { pagesOfDatabase, placeOf, preparer, sealedPagesOfDatabase } from './pages.ts';

/**
 * Number of steps between two checkpoints, which keep the log small. During service the steps are short, and
 * the checkpoints do not wait for readers.
 */
export const checkpoints = {
  alone: { steps: 32, mode: 'TRUNCATE' },
  besideService: { steps: 4, mode: 'PASSIVE' },
} as const;

/** Replaces bodies over a connection, which stays open. */
export function rewriterOf(
  database: SqliteDatabase,
  checkpoint: (typeof checkpoints)[keyof typeof checkpoints],
): Rewriter {
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
      if (steps % checkpoint.steps === 0) {
        database.exec(`PRAGMA wal_checkpoint(${checkpoint.mode})`);
      }
    }
  }

  return {
    page: pagesOfDatabase(database).page,
    sealedPage: sealedPagesOfDatabase(database),
    replace: async ({ table, column }, bodies) => {
      // No two bodies are equal, so the place and the body identify the row.
      const update = prepared(
        `UPDATE ${table.name} SET ${column} = ? WHERE ${placeOf(table)} = ? AND ${column} = ?`,
      );
      return inOneStep(() => {
        let changed = 0;
        for (const { row, body } of bodies) {
          changed += Number(update.run(body, ...row.place, row.body).changes);
        }
        return changed;
      });
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
      // VACUUM in memory would need as much memory as the database has bytes.
      database.exec('PRAGMA temp_store = FILE');
      database.exec('VACUUM');
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return true;
    },
    count: async ({ name }) => {
      const row = prepared(`SELECT count(*) AS rows FROM ${name}`).get();
      return integerOf(row?.['rows'] ?? 0);
    },
    close: async () => {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      database.exec('PRAGMA secure_delete = OFF');
    },
  };
}
