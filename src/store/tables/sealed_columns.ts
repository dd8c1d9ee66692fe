// The sealed column of each table, and the names from which an enclave derives the address of each row.

import { auditStreamId } from '../port.ts';
import { type CopiedRow, type CopiedTable, copiedTables } from './copied_tables.ts';
import { bytesOf, integerOf, textOf } from './rows.ts';

/** The names of a sealed row, empty if its table lacks them. */
export type SealedRowName = {
  readonly organizationId: string;
  /** The kind of a record, or the endpoint of an event. */
  readonly kind: string;
  readonly id: string;
  readonly version: number;
};

export type SealedTable = {
  readonly table: CopiedTable;
  readonly column: string;
  /** The column of each name. A name without a column is empty. */
  readonly names: { readonly [Name in keyof SealedRowName]?: string };
  /** The condition that a row is sealed with the keys of records; undefined if all rows are. */
  readonly condition: string | undefined;
  /** Returns the names of a row; undefined for a row that is not sealed with the keys of records. */
  readonly nameOf: (row: CopiedRow) => SealedRowName | undefined;
};

type Sealed = Pick<SealedTable, 'column' | 'names'> & {
  /** The SQL condition of `SealedTable`, and an equivalent function for a row. */
  readonly only?: { readonly condition: string; readonly matches: (row: CopiedRow) => boolean };
};

const sealed: Readonly<Record<string, Sealed>> = {
  deployment: { column: 'body', names: {} },
  organizations: {
    column: 'head',
    names: { organizationId: 'id', id: 'id', version: 'version' },
    // Used tokens have no body.
    only: {
      condition: 'length(head) > 0',
      matches: (row) => bytesOf(row['head']).length > 0,
    },
  },
  records: {
    column: 'body',
    names: { organizationId: 'organization_id', kind: 'kind', id: 'id', version: 'version' },
  },
  activities: {
    column: 'body',
    names: { organizationId: 'organization_id', id: 'id', version: 'version' },
  },
  webhook_events: {
    column: 'body',
    names: { organizationId: 'organization_id', kind: 'endpoint_id', id: 'event_id' },
    only: {
      condition: `endpoint_id <> '${auditStreamId}'`,
      matches: (row) => row['endpoint_id'] !== auditStreamId,
    },
  },
};

/** The tables with sealed rows, in the order in which they are rewritten. */
export const sealedTables: readonly SealedTable[] = copiedTables.flatMap((table) => {
  const found = sealed[table.name];
  if (found === undefined) return [];
  const { column, names, only } = found;
  const text = (row: CopiedRow, name: string | undefined) => (name ? textOf(row[name]) : '');
  return [
    {
      table,
      column,
      names,
      condition: only?.condition,
      nameOf: (row) =>
        only?.matches(row) === false
          ? undefined
          : {
              organizationId: text(row, names.organizationId),
              kind: text(row, names.kind),
              id: text(row, names.id),
              version: names.version ? integerOf(row[names.version]) : 0,
            },
    },
  ];
});
