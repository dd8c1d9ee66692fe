// Pages of activities filtered by status and type, without reading the others. In the index (organization,
// status, type, id) the activities of one status and one type are in id order. A filtered page is therefore
// the merge of a few ranges. Each range is read for at most one page, and only while it can still change the
// page. For an open filter, the existing names are found by one index seek for each name.

import { assert } from '../../core/errors/errors.ts';
import type { PageRequest } from '../port.ts';
import { boundsOf, maximumNames, textOf } from '../tables/rows.ts';
import type { Steps } from '../tables/steps.ts';

type ActivityFilter = {
  readonly organizationId: string;
  readonly statuses: readonly string[];
  readonly types: readonly string[];
  readonly page: PageRequest;
};

/** Yields the ids of the page, in its order. */
export function* filteredActivityIds(filter: ActivityFilter): Steps<string[]> {
  const { organizationId, page } = filter;
  assert(filter.statuses.length <= maximumNames.statuses, 'a filter names a few statuses');
  assert(filter.types.length <= maximumNames.types, 'a filter names a few types');
  const query = page.ascending ? 'filteredActivitiesAscending' : 'filteredActivitiesDescending';

  let ids: string[] = [];
  let rest = page;
  for (const status of yield* statusesOf(filter)) {
    for (const type of yield* typesOf(filter, status)) {
      const found = yield { query, values: [organizationId, status, type, ...boundsOf(rest)] };
      if (found.length === 0) continue;
      ids = [...ids, ...found.map((row) => textOf(row['id']))].sort(inOrder(page.ascending));
      ids = ids.slice(0, page.limit);
      if (ids.length === page.limit) rest = boundedBy(page, ids.at(-1));
    }
  }
  return ids;
}

/** Restricts the page to ids before the last one of a full page. */
function boundedBy(page: PageRequest, last: string | undefined): PageRequest {
  return page.ascending ? { ...page, lessThan: last } : { ...page, greaterThan: last };
}

function inOrder(ascending: boolean): (a: string, b: string) => number {
  return ascending ? (a, b) => (a < b ? -1 : 1) : (a, b) => (a < b ? 1 : -1);
}

function* statusesOf({ organizationId, statuses }: ActivityFilter): Steps<Iterable<string>> {
  if (statuses.length > 0) return new Set(statuses);
  return yield* namesFrom('nextStatus', [organizationId]);
}

function* typesOf(
  { organizationId, types }: ActivityFilter,
  status: string,
): Steps<Iterable<string>> {
  if (types.length > 0) return new Set(types);
  return yield* namesFrom('nextType', [organizationId, status]);
}

/** Finds all existing names. The statuses and types of the service are a closed list, so they are few. */
function* namesFrom(query: 'nextStatus' | 'nextType', values: readonly string[]): Steps<string[]> {
  const names: string[] = [];
  for (;;) {
    const [row] = yield { query, values: [...values, names.at(-1) ?? ''] };
    if (row === undefined) return names;
    names.push(textOf(row['name']));
  }
}
