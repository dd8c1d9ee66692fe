import type { SmallKind, SmallRecords } from '../model.ts';
import type { OrganizationView } from '../state.ts';

/**
 * Creates an index of all rows of a kind. It is built once and reused until a row of the kind changes, so
 * that requests cost the same in organizations with many rows.
 */
export function createRowIndex<Kind extends SmallKind, Index>(
  kind: Kind,
  build: (rows: Iterable<SmallRecords[Kind]>) => Index,
): (organization: Pick<OrganizationView, 'rows'>) => Index {
  const made = new WeakMap<ReadonlyMap<string, SmallRecords[Kind]>, Index>();
  return (organization) =>
    made.getOrInsertComputed(organization.rows(kind), (rows) => build(rows.values()));
}
