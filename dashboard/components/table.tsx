// Tables with a name. The first cell of a row identifies it, and further pages load on demand.

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { t } from '../messages/text.ts';
import { Button } from './button.tsx';

export type Column<Row> = {
  readonly heading: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Figures stand at the end of their cell. */
  readonly isNumber?: boolean;
};

type TableProps<Row> = {
  readonly name: string;
  readonly keyOf: (row: Row) => string;
  /** The first column names the row. */
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  /** Loads further rows. */
  readonly onMore?: (() => void) | undefined;
  readonly isLoadingMore?: boolean;
};

export function Table<Row>({
  rows,
  ...props
}: TableProps<Row> & { readonly rows: readonly Row[] }) {
  return <PagedTable {...props} pages={[rows]} />;
}

/** Pages that stay the same array, of columns that stay the same, are not made again. */
export function PagedTable<Row>(
  props: TableProps<Row> & { readonly pages: readonly (readonly Row[])[] },
) {
  const { name, pages, keyOf, columns, onMore, isLoadingMore = false } = props;
  return (
    <>
      {/* On a narrow page each row is a block of its own: nothing scrolls sideways. */}
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
          // New rows come before the others.
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
