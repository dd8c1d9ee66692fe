// Pages of a list, and the checks of the store's answers.

import type { Page } from '../../operations/reader.ts';
import type { PageRequest } from '../../store/port.ts';
import type { RecordAddress } from '../keys/sealing.ts';
import { refuseRecord } from './record_codec.ts';

/**
 * Returns a page in list order. `after` and `before` are exclusive ids in that order. With only `before`, the
 * page ends just before it.
 */
export async function pageOf<Row>(
  page: Page,
  order: 'ascending' | 'descending',
  read: (request: PageRequest) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const ascending = order === 'ascending';
  const fromEnd = page.before !== undefined && page.after === undefined;
  const rows = await read({
    greaterThan: ascending ? page.after : page.before,
    lessThan: ascending ? page.before : page.after,
    ascending: ascending !== fromEnd,
    limit: page.limit,
  });
  return fromEnd ? rows.toReversed() : rows;
}

/** Rejects a page that is out of order, repeats a row, or exceeds the requested range. */
export function checkPage<Row>(
  rows: readonly Row[],
  page: Page,
  order: 'ascending' | 'descending',
  placeOf: (row: Row) => RecordAddress,
): void {
  const comesAfter = (id: string, other: string | undefined) =>
    other === undefined || (order === 'ascending' ? id > other : id < other);
  let previous = page.after;
  for (const [i, row] of rows.entries()) {
    const { id } = placeOf(row);
    const isBeforeEnd = page.before === undefined || comesAfter(page.before, id);
    if (i >= page.limit || !comesAfter(id, previous) || !isBeforeEnd) refuseRecord(placeOf(row));
    previous = id;
  }
}
