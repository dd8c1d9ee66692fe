// Named tables. The first cell of a row is its header, and further pages load on demand.

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { t } from '../messages/text.ts';
import { Button } from './button.tsx';

export type Column<Row> = {
  readonly heading: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Aligns numbers to the end of the cell. */
  readonly isNumber?: boolean;
};

type TableProps<Row> = {
  readonly name: string;
  readonly keyOf: (row: Row) => string;
  /** The first column contains the row headers. */
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  /** Loads more rows. */
  readonly onMore?: (() => void) | undefined;
  readonly isLoadingMore?: boolean;
};

export function Table<Row>({
  rows,
  ...props
}: TableProps<Row> & { readonly rows: readonly Row[] }) {
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
            {columns.map(({ heading, isNumber }) => (
              <th key={heading} scope="col" class={isNumber ? 'number' : undefined}>
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
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
}) {
  const { rows, keyOf, columns } = props;
  const [first, ...others] = columns;
  return useMemo(
    () => (
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            <th scope="row" data-heading={first.heading}>
              {first.cell(row)}
            </th>
            {others.map(({ heading, cell, isNumber }) => (
              <td key={heading} data-heading={heading} class={isNumber ? 'number' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    ),
    [rows, columns],
  );
}
