// The database of a backup as a store that is only read.

import { DatabaseSync } from 'node:sqlite';
import { createSqliteStore } from '../../store/sqlite/store.ts';
import type { Store } from '../../store/store.ts';

export function storeOfFile(file: string): Store {
  return createSqliteStore(new DatabaseSync(file, { readOnly: true }));
}
