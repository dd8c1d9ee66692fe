import type { SmallKind, SmallRecords } from '../model.ts';
import type { OrganizationView } from '../state.ts';

/**
 * Something found from all rows of a kind, made once for as long as none of them changes: what every
 * request asks for must not cost more in an organization with more rows.
 */
export function createRowIndex<Kind extends SmallKind, Index>(
  kind: Kind,
  build: (rows: Iterable<SmallRecords[Kind]>) => Index,
): (organization: Pick<OrganizationView, 'rows'>) => Index {
  const made = new WeakMap<ReadonlyMap<string, SmallRecords[Kind]>, Index>();
  return (organization) =>
    made.getOrInsertComputed(organization.rows(kind), (rows) => build(rows.values()));
}
