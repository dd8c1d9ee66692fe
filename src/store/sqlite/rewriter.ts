// Replaces sealed bodies in a SQLite file that no service uses.

import { existsSync } from 'node:fs';
import type { Rewriter } from '../tables/rewriter.ts';
import { UnusableDataError } from '../unusable_data_error.ts';
import { checkpoints, rewriterOf } from './connection_rewriter.ts';
import { openDatabase } from './sqlite.ts';

/** Opens a database file whose folder the caller owns. Raises UnusableDataError if there is no file. */
export function sqliteRewriter(file: string): Rewriter {
  if (!existsSync(file)) throw new UnusableDataError(`there is no database at ${file}`);
  const database = openDatabase({ file });
  return {
    ...rewriterOf(database, checkpoints.alone),
    close: async () => {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
    },
  };
}
