// Replaces sealed bodies of rows in place, for a rotation of the root key.

import type { StoredOrganization } from '../port.ts';
import type { CopiedTable, Snapshot } from './copied_tables.ts';
import type { SealedTable } from './sealed_columns.ts';
import type { ReadSealedPage, SealedRow } from './sealed_pages.ts';

/** A row as it was read, and its new sealed body. */
type ReplacedBody = { readonly row: SealedRow; readonly body: Uint8Array };

export type Rewriter = Pick<Snapshot, 'page'> & {
  readonly sealedPage: ReadSealedPage;
  /**
   * Replaces the bodies of rows in one durable step. Skips rows that have changed since they were read.
   * Returns the number of replaced rows.
   */
  replace(table: SealedTable, bodies: readonly ReplacedBody[]): Promise<number>;
  /**
   * Inserts version 1 of a row of the service itself, or replaces the version before, durably. Returns false
   * if the database has another version.
   */
  put(row: StoredOrganization): Promise<boolean>;
  count(table: CopiedTable): Promise<number>;
  /** Removes replaced content from the files of the database. Returns false if it cannot. */
  compact(): Promise<boolean>;
  close(): Promise<void>;
};
