import type { SmallKind, SmallRecords } from '../model.ts';
import type { OrganizationView } from '../state.ts';

/**
 * An index of all rows of a kind. It is made once and kept while none of them changes, so that a request
 * costs the same in an organization with many rows.
 */
export function createRowIndex<Kind extends SmallKind, Index>(
  kind: Kind,
  build: (rows: Iterable<SmallRecords[Kind]>) => Index,
): (organization: Pick<OrganizationView, 'rows'>) => Index {
  const made = new WeakMap<ReadonlyMap<string, SmallRecords[Kind]>, Index>();
  return (organization) =>
    made.getOrInsertComputed(organization.rows(kind), (rows) => build(rows.values()));
}
