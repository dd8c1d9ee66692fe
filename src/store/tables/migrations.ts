// The steps from an empty database to the current tables. A released step never changes; later changes are
// new steps.

import { UnusableDataError } from '../unusable_data_error.ts';
import type { Dialect } from './schema.ts';
import { firstTables, logTables, webhookTables } from './schema.ts';

export type Migration = {
  /** 1, 2, 3 … without a gap. */
  readonly version: number;
  readonly name: string;
  readonly statements: (dialect: Dialect) => readonly string[];
};

export const migrations: readonly Migration[] = [
  { version: 1, name: 'first tables', statements: firstTables },
  { version: 2, name: 'webhooks', statements: webhookTables },
  { version: 3, name: 'log', statements: logTables },
];

/**
 * Returns the next step for a database at `version` (0: empty); undefined if it is up to date.
 * @throws UnusableDataError if a newer release has written the database.
 */
export function nextMigration(
  version: number,
  known: readonly Migration[] = migrations,
): Migration | undefined {
  if (version > known.length) {
    throw new UnusableDataError(
      `the database has schema version ${version}, this release knows up to ${known.length}: start a newer release, or restore a backup made by this one`,
    );
  }
  return known[version];
}
