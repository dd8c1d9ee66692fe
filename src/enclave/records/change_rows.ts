// Combines the changes of several organizations into one change of the store.

import type { OrganizationChange } from './change_writer.ts';

/** Returns the rows of several organizations as one change. */
export function rowsOfAll(parts: readonly OrganizationChange[]): OrganizationChange['rows'] {
  const [own, ...others] = parts;
  if (own !== undefined && others.length === 0) return own.rows;
  return {
    organizations: parts.flatMap(({ rows }) => rows.organizations),
    records: parts.flatMap(({ rows }) => rows.records),
    deletedRecords: parts.flatMap(({ rows }) => rows.deletedRecords),
    lookups: parts.flatMap(({ rows }) => rows.lookups),
    deletedLookups: parts.flatMap(({ rows }) => rows.deletedLookups),
  };
}
