// Replaces sealed bodies of rows in place, for a rotation of the root key.

import type { StoredOrganization } from '../port.ts';
import type { CopiedRow, CopiedTable, Snapshot } from './copied_tables.ts';

/** A row as it was read, and the sealed body that replaces its own. */
type ReplacedBody = { readonly row: CopiedRow; readonly body: Uint8Array };

export type Rewriter = Pick<Snapshot, 'page' | 'sizes'> & {
  /**
   * Replaces the bodies of rows in one durable step. Returns the number of rows that had not changed since
   * they were read; the others are not replaced.
   */
  replace(table: CopiedTable, column: string, bodies: readonly ReplacedBody[]): Promise<number>;
  /**
   * Inserts version 1 of a row of the service itself, or replaces the version before, durably. Returns false
   * if the database has another version.
   */
  put(row: StoredOrganization): Promise<boolean>;
  count(table: CopiedTable): Promise<number>;
  /** Removes what replaced bodies left in the files of the database. Returns false if it cannot. */
  compact(): Promise<boolean>;
  close(): Promise<void>;
};

/** The condition of a replacement: the row has its key, and the body that was read. */
export function unchangedCondition({ key }: CopiedTable, column: string): string {
  return [...key, column].map((name) => `${name} = ?`).join(' AND ');
}
