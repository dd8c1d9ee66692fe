// Reads paged lists to their end.

import { Failure } from './failures.ts';

const maximumRows = 100_000;

/**
 * Returns all rows of a list. Throws `not_verified` above the maximum number of rows, because a hostile
 * service could repeat pages.
 */
export async function allRows<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const row of rows) {
    if (all.length === maximumRows) throw listWithoutEnd(`${maximumRows} rows`);
    all.push(row);
  }
  return all;
}

/** Returns the failure for a list that is longer than commands read. */
export const listWithoutEnd = (length: string): Failure =>
  new Failure({
    exit: 'not_verified',
    code: 'list_without_end',
    message: `The service lists more than ${length}, and does not end.`,
    next: 'Read the list page by page: keywright api, with paginationOptions.',
  });
