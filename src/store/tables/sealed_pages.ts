// Reads the sealed rows of a table in pages of bounded size. The order makes it cheapest for the database to
// replace them. A page reads only the columns that a rotation of the root key needs.

import {
  carriedBytes,
  epochBytes,
  maximumEpoch,
  sealedForms,
} from '../../core/custody/sealed_form.ts';
import { assert } from '../../core/errors/errors.ts';
import type { CopiedTable } from './copied_tables.ts';
import { bytesOf, integerOf, textOf } from './rows.ts';
import type { SealedRowName, SealedTable } from './sealed_columns.ts';
import type { QueryValue } from './steps.ts';

/** The place of a row in the order of the pages. */
type RowPlace = readonly QueryValue[];

/** A sealed row as it was read. */
export type SealedRow = SealedRowName & { readonly place: RowPlace; readonly body: Uint8Array };

type SealedPage = {
  readonly rows: readonly SealedRow[];
  /** Number of rows of the table on this page, including unwanted rows. */
  readonly seen: number;
  /** The place of the last row; undefined at the end of the table. */
  readonly last: RowPlace | undefined;
};

/**
 * Reads the page after a place. With an epoch, the page has the rows of earlier epochs, and possibly others,
 * because the query compares only the length and the first bytes of a body.
 */
export type ReadSealedPage = (
  table: SealedTable,
  after: RowPlace | undefined,
  before: number | undefined,
) => Promise<SealedPage>;

type Database = {
  /** Returns the columns by which the database orders the rows of a table. */
  readonly placeColumns: (table: CopiedTable) => readonly string[];
  /** Runs a query. Returns the values of the named columns in each row. */
  readonly ask: (
    columns: readonly string[],
    query: string,
    values: readonly QueryValue[],
  ) => Promise<readonly (readonly unknown[])[]>;
};

const maximumRows = 512;
/** Maximum size of a page, unless one row is larger: far below the bound of a message to an enclave. */
const maximumPageBytes = 8 * 1024 * 1024;

/** Yields the pages of a table. */
export async function* sealedPagesOf(
  read: ReadSealedPage,
  table: SealedTable,
  before?: number,
): AsyncGenerator<SealedPage> {
  let after: RowPlace | undefined;
  do {
    const page = await read(table, after, before);
    yield page;
    after = page.last;
  } while (after !== undefined);
}

/** Returns a function that reads pages of a database. */
export function sealedPageReader(database: Database): ReadSealedPage {
  return async (table, after, before) => {
    const shape = shapeOf(table, database.placeColumns(table.table), before);
    for (let rows = maximumRows; ; rows = Math.ceil(rows / 2)) {
      const [last] = await database.ask(shape.place, ...endOf(shape, after, rows));
      const range = { after, last: last as RowPlace | undefined };
      const [measured] = await database.ask(measures, ...sizeOf(shape, range));
      assert(measured !== undefined, 'a measure is one row');
      const [seen = 0, wanted = 0, bytes = 0] = measured.map(integerOf);
      if (bytes > maximumPageBytes && rows > 1) continue;
      const found = wanted === 0 ? [] : await database.ask(shape.columns, ...rowsOf(shape, range));
      return { rows: found.map((values) => rowOf(values, shape)), seen, last: range.last };
    }
  };
}

type Shape = {
  readonly table: string;
  readonly body: string;
  readonly place: readonly string[];
  readonly columns: readonly string[];
  /** Positions of the names among the columns; −1 for a name without a column. */
  readonly at: { readonly [Name in keyof SealedRowName]: number };
  readonly wanted: readonly Condition[];
};

type Condition = { readonly text: string; readonly values: readonly QueryValue[] };
type Range = { readonly after: RowPlace | undefined; readonly last: RowPlace | undefined };
type Query = readonly [query: string, values: readonly QueryValue[]];

const measures = ['seen', 'wanted', 'bytes'];

function shapeOf(
  { table: { name }, column: body, names, condition }: SealedTable,
  place: readonly string[],
  before: number | undefined,
): Shape {
  const columns = [...new Set([...place, ...Object.values(names), body])];
  const position = (column: string | undefined) =>
    column === undefined ? -1 : columns.indexOf(column);
  const wanted: Condition[] = condition === undefined ? [] : [{ text: condition, values: [] }];
  if (before !== undefined) wanted.push(sealedBefore(body, before));
  return {
    table: name,
    body,
    place,
    columns,
    at: {
      organizationId: position(names.organizationId),
      kind: position(names.kind),
      id: position(names.id),
      version: position(names.version),
    },
    wanted,
  };
}

/** Returns the condition for bodies that may be of an earlier epoch: see core/custody/sealed_form.ts. */
function sealedBefore(column: string, epoch: number): Condition {
  const bytesOfEpoch = (value: number) => {
    const bytes = Buffer.alloc(epochBytes);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  return {
    text: `NOT (length(${column}) >= ${carriedBytes} AND substr(${column}, 1, 1) IN (?, ?)
      AND substr(${column}, 2, ${epochBytes}) BETWEEN ? AND ?)`,
    values: [
      Buffer.of(sealedForms.ofEpoch),
      Buffer.of(sealedForms.carried),
      bytesOfEpoch(epoch),
      bytesOfEpoch(maximumEpoch),
    ],
  };
}

/** Returns the query for the place of the last row on a page with this number of rows. */
function endOf({ table, place }: Shape, after: RowPlace | undefined, rows: number): Query {
  const { text, values } = joined(within(place, { after, last: undefined }));
  const order = place.join(', ');
  return [
    `SELECT ${order} FROM ${table} WHERE ${text} ORDER BY ${order} LIMIT 1 OFFSET ?`,
    [...values, rows - 1],
  ];
}

/** Returns the query that counts the rows in a range, and the bytes of the wanted rows. */
function sizeOf({ table, body, place, wanted }: Shape, range: Range): Query {
  const [isWanted, inside] = [joined(wanted), joined(within(place, range))];
  return [
    `SELECT count(*) AS seen, coalesce(sum(wanted), 0) AS wanted, coalesce(sum(wanted * size), 0) AS bytes
      FROM (SELECT CASE WHEN ${isWanted.text} THEN 1 ELSE 0 END AS wanted, length(${body}) AS size
        FROM ${table} WHERE ${inside.text}) AS rows`,
    [...isWanted.values, ...inside.values],
  ];
}

/** Returns the query for the wanted rows in a range. */
function rowsOf({ table, columns, place, wanted }: Shape, range: Range): Query {
  const { text, values } = joined([...within(place, range), ...wanted]);
  return [
    `SELECT ${columns.join(', ')} FROM ${table} WHERE ${text} ORDER BY ${place.join(', ')}`,
    values,
  ];
}

function within(place: readonly string[], { after, last }: Range): readonly Condition[] {
  const compared = (operator: string, values: RowPlace): Condition => ({
    text: `(${place.join(', ')}) ${operator} (${place.map(() => '?').join(', ')})`,
    values,
  });
  return [
    ...(after === undefined ? [] : [compared('>', after)]),
    ...(last === undefined ? [] : [compared('<=', last)]),
  ];
}

function joined(conditions: readonly Condition[]): Condition {
  return {
    text: ['1 = 1', ...conditions.map(({ text }) => text)].join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

function rowOf(values: readonly unknown[], { place, at, columns }: Shape): SealedRow {
  return {
    organizationId: at.organizationId === -1 ? '' : textOf(values[at.organizationId]),
    kind: at.kind === -1 ? '' : textOf(values[at.kind]),
    id: at.id === -1 ? '' : textOf(values[at.id]),
    version: at.version === -1 ? 0 : integerOf(values[at.version]),
    place: values.slice(0, place.length) as RowPlace,
    body: bytesOf(values[columns.length - 1]),
  };
}
