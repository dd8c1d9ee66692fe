// The tables of a PostgreSQL database, which the attacker accesses over a separate connection.

import { Buffer } from 'node:buffer';
import pg from 'pg';
import {
  type Cell,
  type TableAccess,
  type TableRow,
  tableNames,
  tablesOf,
  uniqueColumns,
} from './tables.ts';

/** Table access to the database or schema at an address. */
export async function postgresTables(
  url: string,
): Promise<TableAccess & { close(): Promise<void> }> {
  const client = new pg.Client({
    connectionString: url,
    types: { getTypeParser: (oid: number) => parsers.get(oid) ?? String },
  });
  await client.connect();
  return {
    read: async () => {
      const rows = new Map<string, TableRow[]>();
      for (const name of tableNames) {
        const [key = []] = uniqueColumns[name];
        const found = await client.query(`SELECT * FROM ${name} ORDER BY ${key.join(', ')}`);
        rows.set(name, found.rows);
      }
      return tablesOf((name) => rows.get(name) ?? []);
    },
    write: async (tables) => {
      await client.query('BEGIN');
      for (const name of tableNames) {
        await client.query(`DELETE FROM ${name}`);
        // The server converts each text to the type of its column.
        await client.query(
          `INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, $1)`,
          [`[${tables[name].map(jsonOf).join()}]`],
        );
      }
      await client.query('COMMIT');
    },
    close: () => client.end(),
  };
}

const parsers: ReadonlyMap<number, (text: string) => Cell> = new Map<
  number,
  (text: string) => Cell
>([
  [17, (text) => Uint8Array.fromHex(text.slice(2))],
  [20, (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text))],
]);

/** Caches the JSON of rows, because rows never change and each attack writes nearly all of them again. */
const texts = new WeakMap<TableRow, string>();

function jsonOf(row: TableRow): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const columns = Object.entries(row).map(([column, value]) => [column, textOf(value)] as const);
  const text = JSON.stringify(Object.fromEntries(columns));
  texts.set(row, text);
  return text;
}

function textOf(value: Cell): string | null {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return value === null ? null : String(value);
}
