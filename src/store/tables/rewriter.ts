// Replaces sealed bodies of rows in place, for a rotation of the root key.

import type { StoredOrganization } from '../port.ts';
import type { CopiedRow, CopiedTable, Snapshot } from './copied_tables.ts';

/** A row as it was read, and its new sealed body. */
type ReplacedBody = { readonly row: CopiedRow; readonly body: Uint8Array };

export type Rewriter = Pick<Snapshot, 'page'> & {
  /** Reads rows in the order in which the database replaces them at the least cost. */
  readonly inOrder: Pick<Snapshot, 'page' | 'sizes'>;
  /**
   * Replaces the bodies of rows in one durable step. Skips rows that have changed since they were read.
   * Returns the number of replaced rows.
   */
  replace(table: CopiedTable, column: string, bodies: readonly ReplacedBody[]): Promise<number>;
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
