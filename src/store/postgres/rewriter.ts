// Replaces sealed bodies in PostgreSQL.

import { assert } from '../../core/errors/errors.ts';
import type { CopiedTable } from '../tables/copied_tables.ts';
import type { Rewriter } from '../tables/rewriter.ts';
import { integerOf } from '../tables/rows.ts';
import { sealedPageReader } from '../tables/sealed_pages.ts';
import type { QueryValue } from '../tables/steps.ts';
import { binaryArray, type Element } from './arrays.ts';
import { borrow, pagesOfSession, requireVersion } from './pages.ts';
import { numbered } from './placeholders.ts';
import { plain } from './queries.ts';

/** Opens a database over one connection. Raises UnusableDataError for the tables of another release. */
export async function postgresRewriter(url: string): Promise<Rewriter> {
  const borrowed = await borrow(url);
  const { session } = borrowed;
  try {
    await requireVersion(session);
  } catch (error) {
    await borrowed.giveBack();
    throw error;
  }

  async function changedRows(
    text: string,
    values: readonly (QueryValue | Buffer)[],
  ): Promise<number> {
    const [rows = []] = await session.all([{ name: '', text, values: [...values] }]);
    return rows.length;
  }

  return {
    page: pagesOfSession(session).page,
    sealedPage: sealedPageReader({
      placeColumns: ({ key }) => key,
      ask: async (columns, query, values) => {
        const statement = { name: '', text: numbered(query), values: [...values] };
        const [rows = []] = await session.all([statement]);
        return rows.map((row) => columns.map((column) => row[column]));
      },
    }),
    replace: ({ table, column }, bodies) =>
      changedRows(replacement(table, column), [
        ...table.key.map((name, i) =>
          binaryArray(
            typeOf(table, name),
            bodies.map(({ row }): Element => row.place[i] ?? undefined),
          ),
        ),
        binaryArray(
          'BYTEA',
          bodies.map(({ row }) => row.body),
        ),
        binaryArray(
          'BYTEA',
          bodies.map(({ body }) => body),
        ),
      ]),
    put: async ({ organizationId, version, guard, head }) => {
      const values = [version, guard, head, organizationId];
      const changed =
        version === 1
          ? await changedRows(
              numbered(
                'INSERT INTO organizations (version, guard, head, id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1',
              ),
              values,
            )
          : await changedRows(
              numbered(
                'UPDATE organizations SET version = ?, guard = ?, head = ? WHERE id = ? AND version = ? RETURNING 1',
              ),
              [...values, version - 1],
            );
      return changed === 1;
    },
    count: async ({ name }) => {
      const [[row] = []] = await session.all([plain(`SELECT count(*) AS rows FROM ${name}`)]);
      return integerOf(row?.['rows'] ?? 0);
    },
    // VACUUM FULL needs the rights of an owner and more time than the statement timeout.
    compact: async () => false,
    close: () => borrowed.giveBack(),
  };
}

function typeOf({ columns }: CopiedTable, name: string) {
  const type = columns[name];
  assert(type !== undefined, 'a column of the table has a type');
  return type;
}

function replacement(table: CopiedTable, column: string): string {
  const names = [...table.key, column];
  const arrays = [...names.map((name) => typeOf(table, name)), 'BYTEA'].map(
    (type, i) => `$${i + 1}::${type}[]`,
  );
  const conditions = names.map((name) => `stored.${name} = given.${name}`);
  return `UPDATE ${table.name} AS stored SET ${column} = given.new_body
    FROM unnest(${arrays.join(', ')}) AS given (${names.join(', ')}, new_body)
    WHERE ${conditions.join(' AND ')} RETURNING 1`;
}
