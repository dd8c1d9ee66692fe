// A read-only store over the database of a backup.

import { DatabaseSync } from 'node:sqlite';
import { createSqliteStore } from '../../store/sqlite/store.ts';
import type { Store } from '../../store/store.ts';

export function storeOfFile(file: string): Store {
  return createSqliteStore(new DatabaseSync(file, { readOnly: true }));
}
