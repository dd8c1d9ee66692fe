// The sealed column of each table, and the names from which an enclave derives the address of each row.

import { auditStreamId } from '../port.ts';
import { type CopiedRow, type CopiedTable, copiedTables } from './copied_tables.ts';
import { bytesOf, integerOf, textOf } from './rows.ts';

/** The names of a sealed row, empty if its table lacks them. */
type SealedRowName = {
  readonly table: string;
  readonly organizationId: string;
  /** The kind of a record, or the endpoint of an event. */
  readonly kind: string;
  readonly id: string;
  readonly version: number;
};

export type SealedTable = {
  readonly table: CopiedTable;
  readonly column: string;
  /** Returns the names of a row; undefined for a row that is not sealed with the keys of records. */
  readonly nameOf: (row: CopiedRow) => SealedRowName | undefined;
};

type Named = Omit<SealedRowName, 'table'>;

const sealed: Readonly<
  Record<string, { readonly column: string; readonly named: (row: CopiedRow) => Named | undefined }>
> = {
  deployment: {
    column: 'body',
    named: () => ({ organizationId: '', kind: '', id: '', version: 0 }),
  },
  organizations: {
    column: 'head',
    // Used tokens have no body.
    named: (row) =>
      bytesOf(row['head']).length === 0
        ? undefined
        : {
            organizationId: textOf(row['id']),
            kind: '',
            id: textOf(row['id']),
            version: integerOf(row['version']),
          },
  },
  records: {
    column: 'body',
    named: (row) => ({
      organizationId: textOf(row['organization_id']),
      kind: textOf(row['kind']),
      id: textOf(row['id']),
      version: integerOf(row['version']),
    }),
  },
  activities: {
    column: 'body',
    named: (row) => ({
      organizationId: textOf(row['organization_id']),
      kind: '',
      id: textOf(row['id']),
      version: integerOf(row['version']),
    }),
  },
  webhook_events: {
    column: 'body',
    named: (row) => {
      const endpointId = textOf(row['endpoint_id']);
      if (endpointId === auditStreamId) return undefined;
      return {
        organizationId: textOf(row['organization_id']),
        kind: endpointId,
        id: textOf(row['event_id']),
        version: 0,
      };
    },
  },
};

/** The tables with sealed rows, in the order in which they are rewritten. */
export const sealedTables: readonly SealedTable[] = copiedTables.flatMap((table) => {
  const found = sealed[table.name];
  if (found === undefined) return [];
  const { column, named } = found;
  return [
    {
      table,
      column,
      nameOf: (row) => {
        const name = named(row);
        return name && { table: table.name, ...name };
      },
    },
  ];
});
