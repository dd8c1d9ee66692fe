// The tables of a database as values, and the two abilities of an attacker: to read all rows, and to
// replace them.

import { Buffer } from 'node:buffer';
import type { DatabaseSync } from 'node:sqlite';

export type Cell = string | number | bigint | null | Uint8Array;
export type TableRow = Readonly<Record<string, Cell>>;

export const tableNames = [
  'deployment',
  'organizations',
  'records',
  'lookups',
  'activities',
  'webhook_streams',
  'webhook_events',
] as const;
export type TableName = (typeof tableNames)[number];
export type Tables = { readonly [Name in TableName]: readonly TableRow[] };

export type TableAccess = {
  read(): Promise<Tables>;
  /** Replaces all rows by these. */
  write(tables: Tables): Promise<void>;
};

/** The unique constraints of each table: columns in which no two rows agree. */
export const uniqueColumns: { readonly [Name in TableName]: readonly (readonly string[])[] } = {
  deployment: [['id']],
  organizations: [['id']],
  records: [['organization_id', 'kind', 'id']],
  lookups: [['index_name', 'blind', 'organization_id', 'record_id']],
  activities: [
    ['organization_id', 'id'],
    ['bucket', 'fingerprint', 'organization_id'],
  ],
  webhook_streams: [['endpoint_id']],
  webhook_events: [
    ['endpoint_id', 'sequence'],
    ['endpoint_id', 'event_id'],
  ],
};

/** Tables with contents that only the enclave can create. */
export type SealedTable = Exclude<TableName, 'webhook_streams'>;

/** The sealed column of each table; look-ups have a keyed hash instead. */
export const sealedColumns: { readonly [Name in SealedTable]: string } = {
  deployment: 'body',
  organizations: 'head',
  records: 'body',
  lookups: 'blind',
  activities: 'body',
  webhook_events: 'body',
};

/** Accesses the tables over a SQLite connection, which the store may use at the same time. */
export function sqliteTables(database: DatabaseSync): TableAccess {
  return {
    read: async () => {
      const rows = (name: TableName) => database.prepare(`SELECT * FROM ${name}`).all();
      return tablesOf((name) => rows(name).map((row) => ({ ...row })) as TableRow[]);
    },
    write: async (tables) => {
      database.exec('BEGIN IMMEDIATE');
      for (const name of tableNames) {
        database.exec(`DELETE FROM ${name}`);
        const columns = Object.keys(tables[name][0] ?? {});
        if (columns.length === 0) continue;
        const marks = columns.map(() => '?').join(', ');
        const insert = database.prepare(
          `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${marks})`,
        );
        for (const row of tables[name]) insert.run(...columns.map((column) => cell(row, column)));
      }
      database.exec('COMMIT');
    },
  };
}

export function tablesOf(rows: (name: TableName) => readonly TableRow[]): Tables {
  return {
    deployment: rows('deployment'),
    organizations: rows('organizations'),
    records: rows('records'),
    lookups: rows('lookups'),
    activities: rows('activities'),
    webhook_streams: rows('webhook_streams'),
    webhook_events: rows('webhook_events'),
  };
}

/** Returns a cell of a row; null if the row lacks it. */
export function cell(row: TableRow, column: string): Cell {
  return row[column] ?? null;
}

/** Returns a text for comparisons, with bytes in hex. Cells of different types have different texts. */
export function cellText(value: Cell): string {
  if (value instanceof Uint8Array) return `x${Buffer.from(value).toString('hex')}`;
  return value === null ? 'null' : `${typeof value} ${value}`;
}

/** Returns a text that identifies a row in its table. */
export function keyOf(name: TableName, row: TableRow): string {
  const known = keys.get(row);
  if (known !== undefined) return known;
  const [primary = []] = uniqueColumns[name];
  const key = primary.map((column) => cellText(cell(row, column))).join('/');
  keys.set(row, key);
  return key;
}

/** Caches the keys of rows, because rows never change and each attack needs them again. */
const keys = new WeakMap<TableRow, string>();

/** Returns the rows of a table by `keyOf`. */
export function rowsByKey(tables: Tables, name: TableName): ReadonlyMap<string, TableRow> {
  const known = byKey.get(tables[name]);
  if (known !== undefined) return known;
  const rows = new Map(tables[name].map((row) => [keyOf(name, row), row]));
  byKey.set(tables[name], rows);
  return rows;
}

const byKey = new WeakMap<readonly TableRow[], ReadonlyMap<string, TableRow>>();

/** Returns rows without those that violate a constraint; the last of several rows stays. */
export function distinctRows(name: TableName, rows: readonly TableRow[]): readonly TableRow[] {
  return uniqueColumns[name].reduce<readonly TableRow[]>((kept, columns) => {
    const byKey = new Map<string, TableRow>();
    for (const row of kept) {
      byKey.set(columns.map((column) => cellText(cell(row, column))).join('/'), row);
    }
    return [...byKey.values()];
  }, rows);
}

export function sameRow(a: TableRow, b: TableRow): boolean {
  return a === b || Object.keys(a).every((column) => sameCell(cell(a, column), cell(b, column)));
}

function sameCell(a: Cell, b: Cell): boolean {
  return a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b;
}

/** The change of one row: deleted (`after` undefined), added (`before` undefined), or altered. */
export type RowChange = {
  readonly table: TableName;
  readonly before: TableRow | undefined;
  readonly after: TableRow | undefined;
};

export function changesBetween(before: Tables, after: Tables): readonly RowChange[] {
  return tableNames.flatMap((table): RowChange[] => {
    const old = rowsByKey(before, table);
    const now = rowsByKey(after, table);
    const gone = [...old].filter(([key]) => !now.has(key));
    const kept = [...now].flatMap(([key, row]): RowChange[] => {
      const was = old.get(key);
      return was !== undefined && sameRow(was, row) ? [] : [{ table, before: was, after: row }];
    });
    return [...gone.map(([, row]) => ({ table, before: row, after: undefined })), ...kept];
  });
}

/** Returns the id of the row's organization; undefined for the deployment. */
export function organizationOf(table: TableName, row: TableRow): string | undefined {
  const id = cell(row, table === 'organizations' ? 'id' : 'organization_id');
  return typeof id === 'string' && table !== 'deployment' ? id : undefined;
}
