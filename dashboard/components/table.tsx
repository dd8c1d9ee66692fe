// Named tables. The first cell of a row is its header, and further pages load on demand.

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { t } from '../messages/text.ts';
import { Button } from './button.tsx';

type Cell<Row> = (row: Row) => ComponentChildren;

/** The cells of each column, by its heading. `number` aligns cells to the end. */
export type Columns<Row> = Readonly<Record<string, Cell<Row> | { readonly number: Cell<Row> }>>;

type TableProps<Row> = {
  readonly name: string;
  readonly keyOf: (row: Row) => string;
  /** The first column contains the row headers. */
  readonly columns: Columns<Row>;
  readonly onMore?: (() => void) | undefined;
  readonly isLoadingMore?: boolean;
};

/** Shows `empty` in place of a table without rows. */
export function Table<Row>({
  rows,
  empty,
  ...props
}: TableProps<Row> & { readonly rows: readonly Row[]; readonly empty?: ComponentChildren }) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return <PagedTable {...props} pages={[rows]} />;
}

/**
 * Shows a table with one `tbody` for each page. A page renders again only if its array or the columns change.
 */
export function PagedTable<Row>(
  props: TableProps<Row> & { readonly pages: readonly (readonly Row[])[] },
) {
  const { name, pages, keyOf, columns, onMore, isLoadingMore = false } = props;
  return (
    <>
      {/* On a narrow page each row becomes a block, so nothing scrolls sideways. */}
      <table aria-label={name}>
        <thead>
          <tr>
            {Object.entries(columns).map(([heading, cell]) => (
              <th key={heading} scope="col" class={classOf(cell)}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        {pages.map((rows) => {
          // New rows are added at the start of a page, so its last row identifies the page.
          const last = rows.at(-1);
          return (
            <Rows
              key={last === undefined ? '' : keyOf(last)}
              rows={rows}
              keyOf={keyOf}
              columns={columns}
            />
          );
        })}
      </table>
      {onMore && (
        <p>
          <Button onClick={onMore} isBusy={isLoadingMore}>
            {t('state.loadMore')}
          </Button>
        </p>
      )}
    </>
  );
}

function Rows<Row>(props: {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: Columns<Row>;
}) {
  const { rows, keyOf, columns } = props;
  const cells = Object.entries(columns);
  return useMemo(
    () => (
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {cells.map(([heading, cell], place) => {
              const content = typeof cell === 'function' ? cell(row) : cell.number(row);
              return place === 0 ? (
                <th key={heading} scope="row" data-heading={heading}>
                  {content}
                </th>
              ) : (
                <td key={heading} data-heading={heading} class={classOf(cell)}>
                  {content}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    ),
    [rows, columns],
  );
}

const classOf = (cell: Columns<never>[string]): string | undefined =>
  typeof cell === 'function' ? undefined : 'number';
