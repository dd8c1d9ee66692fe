import { numberOf } from '../core/schema/schema.ts';
import type { Page } from './reader.ts';

/** Returns a page of rows in ID order: the first, or the last if only `before` is given. */
export function rowsOfPage<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { limit, before, after }: Page,
): readonly Row[] {
  const within = rows.filter(
    ({ id }) => (after === undefined || id > after) && (before === undefined || id < before),
  );
  return isFromEnd({ before, after }) ? within.slice(-limit) : within.slice(0, limit);
}

/** Returns true if a page ends just before its cursor. */
export const isFromEnd = ({ before, after }: Pick<Page, 'before' | 'after'>): boolean =>
  before !== undefined && after === undefined;

/** Returns the cursors of a page; none for an empty page. */
export function pageInfoOf(
  rows: readonly { readonly id: string }[],
  all: readonly { readonly id: string }[],
) {
  const [startCursor, endCursor] = [rows[0]?.id, rows.at(-1)?.id];
  return {
    hasNextPage: endCursor !== undefined && endCursor !== all.at(-1)?.id,
    hasPreviousPage: startCursor !== undefined && startCursor !== all[0]?.id,
    ...(startCursor === undefined || endCursor === undefined ? {} : { startCursor, endCursor }),
  };
}

const defaultLimit = 10;

/** Returns the page that the `paginationOptions` of a request select. */
export function pageOf(
  options:
    | { readonly limit?: string | number; readonly before?: string; readonly after?: string }
    | undefined,
): Page {
  return {
    limit: options?.limit === undefined ? defaultLimit : numberOf(options.limit),
    before: options?.before?.toLowerCase(),
    after: options?.after?.toLowerCase(),
  };
}
