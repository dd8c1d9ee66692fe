// Rejects tables from before the first release. Their migration steps used the numbers of the released steps.

import { UnusableDataError } from '../unusable_data_error.ts';
import { copiedTables } from './copied_tables.ts';

/** Raises UnusableDataError if a table lacks a column of this release. `columnsOf` returns its columns. */
export function requirePresentTables(columnsOf: (table: string) => ReadonlySet<unknown>): void {
  for (const { name, columns: expected } of copiedTables) {
    const found = columnsOf(name);
    const missing = Object.keys(expected).find((column) => !found.has(column));
    if (missing === undefined) continue;
    throw new UnusableDataError(
      `the database was written by a version before release 0.1.0 that this release cannot upgrade (the table ${name} has no column ${missing}): ` +
        'start the version that wrote it, or begin anew with another folder or database; keywright dev --fresh deletes the data of a demo',
    );
  }
}
