// All tables of the data in a copy: columns in order, and the key for reads. Both databases share one
// description, so a copy of either can be restored into either.

import type { QueryValue } from './steps.ts';

type ColumnType = 'TEXT' | 'BIGINT' | 'BYTEA';

export type CopiedTable = {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The columns of its primary key. */
  readonly key: readonly string[];
};

const [text, integer, bytes] = ['TEXT', 'BIGINT', 'BYTEA'] as const;

export const copiedTables: readonly CopiedTable[] = [
  { name: 'deployment', columns: { id: integer, body: bytes }, key: ['id'] },
  {
    name: 'organizations',
    columns: { id: text, parent_id: text, version: integer, guard: integer, head: bytes },
    key: ['id'],
  },
  {
    name: 'records',
    columns: {
      organization_id: text,
      kind: text,
      id: text,
      group_id: text,
      version: integer,
      body: bytes,
    },
    key: ['organization_id', 'kind', 'id'],
  },
  {
    name: 'lookups',
    columns: { index_name: text, blind: bytes, organization_id: text, record_id: text },
    key: ['index_name', 'blind', 'organization_id', 'record_id'],
  },
  {
    name: 'activities',
    columns: {
      organization_id: text,
      id: text,
      type: text,
      status: text,
      bucket: integer,
      fingerprint: bytes,
      created_at_ms: integer,
      updated_at_ms: integer,
      version: integer,
      body: bytes,
    },
    key: ['organization_id', 'id'],
  },
  {
    name: 'log_waiting',
    columns: { organization_id: text, activity_id: text, version: integer },
    key: ['organization_id', 'activity_id', 'version'],
  },
  {
    name: 'webhook_streams',
    columns: {
      endpoint_id: text,
      last_sequence: integer,
      due_at_ms: integer,
      paused_until_ms: integer,
      failures: integer,
      failing_since_ms: integer,
      lease_owner: text,
      lease_until_ms: integer,
    },
    key: ['endpoint_id'],
  },
  {
    name: 'webhook_events',
    columns: {
      endpoint_id: text,
      sequence: integer,
      organization_id: text,
      event_id: text,
      created_at_ms: integer,
      body: bytes,
      state: text,
      since_ms: integer,
      due_at_ms: integer,
      attempts: integer,
      failures: integer,
    },
    key: ['endpoint_id', 'sequence'],
  },
  {
    name: 'webhook_attempts',
    columns: {
      endpoint_id: text,
      sequence: integer,
      attempt: integer,
      at_ms: integer,
      duration_ms: integer,
      outcome: text,
      status: integer,
    },
    key: ['endpoint_id', 'sequence', 'attempt'],
  },
];

/** Returns the query of a page, by a limit and (except for the first page) the previous row's key. */
export function pageQuery({ columns, ...table }: CopiedTable, isFirst: boolean): string {
  return pageOf(Object.keys(columns).join(', '), table, isFirst);
}

/** Returns the query of the row sizes in that page, as `size`, without reading bodies. */
export function sizesQuery({ columns, ...table }: CopiedTable, isFirst: boolean): string {
  const lengths = Object.entries(columns).map(([column, type]) =>
    type === 'BYTEA' ? `coalesce(length(${column}), 0)` : '16',
  );
  return pageOf(`${lengths.join(' + ')} AS size`, table, isFirst);
}

function pageOf(
  selected: string,
  { name, key }: Pick<CopiedTable, 'name' | 'key'>,
  isFirst: boolean,
): string {
  const places = key.map(() => '?').join(', ');
  const after = isFirst ? '' : ` WHERE (${key.join(', ')}) > (${places})`;
  return `SELECT ${selected} FROM ${name}${after} ORDER BY ${key.join(', ')} LIMIT ?`;
}

export type CopiedRow = Readonly<Record<string, QueryValue>>;

/** Returns the key of a row as parameters of a query; empty without a row. */
export function keyOf({ key }: CopiedTable, row: CopiedRow | undefined): QueryValue[] {
  return row === undefined ? [] : key.map((column) => row[column] ?? null);
}

/** A snapshot of a database, unaffected by writers. */
export type Snapshot = {
  /** Returns the rows after a key, in the order of keys; `limit` is at least 1. */
  page(table: CopiedTable, after: CopiedRow | undefined, limit: number): Promise<CopiedRow[]>;
  /** Returns the bytes of each row that `page` would return. */
  sizes(
    table: CopiedTable,
    after: CopiedRow | undefined,
    limit: number,
  ): Promise<readonly number[]>;
  close(): Promise<void>;
};

/** Inserts rows of all tables into an empty database; they become visible at `commit`. */
export type EmptyDatabase = {
  insert(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  commit(): Promise<void>;
  /** Discards all inserted rows unless they were committed. */
  close(): Promise<void>;
};

const maximumRows = 512;
/** Maximum size of a page, unless one row is larger: far below the bound of a message to an enclave. */
const maximumPageBytes = 8 * 1024 * 1024;

/** Yields the rows of a table in pages of bounded size. */
export async function* pagesOf(
  snapshot: Pick<Snapshot, 'page' | 'sizes'>,
  table: CopiedTable,
): AsyncGenerator<CopiedRow[]> {
  let last: CopiedRow | undefined;
  for (;;) {
    const sizes = await snapshot.sizes(table, last, maximumRows);
    for (const limit of limitsOf(sizes)) {
      const rows = await snapshot.page(table, last, limit);
      yield rows;
      last = rows.at(-1);
    }
    if (sizes.length < maximumRows) return;
  }
}

/** Yields the number of rows in each page: as many as fit, at least one. */
function* limitsOf(sizes: readonly number[]): Generator<number> {
  let rows = 0;
  let bytes = 0;
  for (const size of sizes) {
    if (rows > 0 && bytes + size > maximumPageBytes) {
      yield rows;
      rows = 0;
      bytes = 0;
    }
    rows += 1;
    bytes += size;
  }
  if (rows > 0) yield rows;
}

export type RowCounts = Readonly<Record<string, number>>;

/** Copies all tables; returns the number of rows of each. Calls `copied` for each page. */
export async function copyTables(
  from: Snapshot,
  to: Pick<EmptyDatabase, 'insert'>,
  copied: (rows: number) => void,
): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const table of copiedTables) {
    counts[table.name] = 0;
    for await (const rows of pagesOf(from, table)) {
      await to.insert(table, rows);
      counts[table.name] = (counts[table.name] ?? 0) + rows.length;
      copied(rows.length);
    }
  }
  return counts;
}
