// Pages of activities, newest first, with cursors. A live event updates only the rows of its activity; a new
// read loads only the first page.

import { useState } from 'preact/hooks';
import { type About, aboutOf } from '../../../src/core/transactions/headline/activity_about.ts';
import { useSession } from '../session/context.ts';
import { type State, stateOf, submitterName } from './activity_text.ts';
import { queries, type Read, useRead } from './queries.ts';
import { type Activity, waitingStatuses } from './reads.ts';

export type ActivityRow = Pick<Activity, 'id' | 'type' | 'status' | 'createdAt'> & {
  readonly by: string;
  readonly about: About;
};

export const rowOf = (activity: Activity): ActivityRow => {
  const { id, type, status, createdAt } = activity;
  return { id, type, status, createdAt, by: submitterName(activity), about: aboutOf(activity) };
};

export const filters = {
  all: [],
  waiting: waitingStatuses,
  done: ['ACTIVITY_STATUS_COMPLETED'],
  refused: ['ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED'],
} as const;

export type Filter = keyof typeof filters;

/** An unchanged page stays the same array, so its table part does not render again. */
type Pages = {
  readonly pages: readonly (readonly ActivityRow[])[];
  readonly hasMore: boolean;
};

/** Number of rows of the first page and of each later page. */
const [firstSize, nextSize] = [50, 100];
const name = 'activity pages';
const narrowedName = 'narrowed activity pages';

type ActivityPages = {
  readonly read: Read<Pages>;
  readonly more: () => Promise<void>;
  readonly isLoadingMore: boolean;
  /** The error of the last "Load more". */
  readonly error: Error | undefined;
};

/** Filters besides the state. An absent member does not filter. */
export type Narrowing = {
  readonly filterByType?: readonly string[];
  readonly filterByUser?: string;
  /** Id or address, for example of a wallet, a policy or a user. */
  readonly filterByResource?: string;
  readonly filterByTime?: { readonly sinceMs: string };
};

export function useActivityPages(filter: Filter, narrowing: Narrowing = {}): ActivityPages {
  const { client } = useSession();
  const isNarrowed = Object.keys(narrowing).length > 0;
  const key = isNarrowed ? [narrowedName, filter, narrowing] : [name, filter];
  const [state, setState] = useState<{ isLoadingMore: boolean; error?: Error }>({
    isLoadingMore: false,
  });
  const page = async (after: string | undefined, signal?: AbortSignal) => {
    const limit = after === undefined ? firstSize : nextSize;
    const { activities, truncated = false } = await client.query(
      'list_activities',
      {
        filterByStatus: filters[filter],
        ...narrowing,
        paginationOptions: { limit: String(limit), ...(after === undefined ? {} : { after }) },
      },
      { signal },
    );
    return { rows: activities.map(rowOf), hasMore: truncated || activities.length === limit };
  };
  const read = useRead<Pages>(key, async (signal) => {
    const { rows, hasMore } = await page(undefined, signal);
    return withNewest(queries.getQueryData<Pages>(key), rows, hasMore);
  });
  const more = async () => {
    const last = read.data?.pages.at(-1)?.at(-1);
    if (last === undefined || state.isLoadingMore) return;
    setState({ isLoadingMore: true });
    try {
      const { rows, hasMore } = await page(last.id);
      setState({ isLoadingMore: false });
      queries.setQueryData<Pages>(key, (known) => known && withOlder(known, rows, hasMore));
    } catch (failure) {
      const error = failure instanceof Error ? failure : new Error(String(failure));
      setState({ isLoadingMore: false, error });
    }
  };
  return { read, more, isLoadingMore: state.isLoadingMore, error: state.error };
}

/** Adds a new or changed activity to the cached lists. */
export function noteActivity(activity: Activity): void {
  // Only the service can apply these filters, so these lists are read again.
  void queries.invalidateQueries({ queryKey: [narrowedName] });
  for (const filter of Object.keys(filters) as Filter[]) {
    queries.setQueryData<Pages>(
      [name, filter],
      (known) => known && withRow(known, rowOf(activity), isOf(filter, activity.status)),
    );
  }
}

const isOf = (filter: Filter, status: string): boolean =>
  filter === 'all' || stateOf(status) === (filter satisfies State);

/** Merges the newest rows into the pages. Drops the older pages if rows between them may be missing. */
function withNewest(
  known: Pages | undefined,
  rows: readonly ActivityRow[],
  hasMore: boolean,
): Pages {
  const oldest = rows.at(-1);
  const isJoined =
    hasMore && known?.pages[0]?.some(({ id }) => oldest !== undefined && id >= oldest.id) === true;
  if (known === undefined || oldest === undefined || !isJoined) return { pages: [rows], hasMore };
  const older = known.pages.map((page) => {
    const left = page.filter(({ id }) => id < oldest.id);
    return left.length === page.length ? page : left;
  });
  return { pages: pagesOf([rows, ...older]), hasMore: known.hasMore };
}

function withOlder(known: Pages, rows: readonly ActivityRow[], hasMore: boolean): Pages {
  const last = known.pages.at(-1)?.at(-1)?.id;
  const older = rows.filter(({ id }) => last === undefined || id < last);
  return { pages: pagesOf([...known.pages, older]), hasMore };
}

/** Inserts, replaces or removes a row. Ignores a row that belongs to a page not loaded yet. */
function withRow(known: Pages, row: ActivityRow, isWanted: boolean): Pages {
  const at = known.pages.findIndex((page) => (page.at(-1)?.id ?? '') <= row.id);
  const place = at === -1 && !known.hasMore ? known.pages.length - 1 : at;
  const page = known.pages[place];
  if (page === undefined) return known;
  const others = page.filter(({ id }) => id !== row.id);
  if (!isWanted && others.length === page.length) return known;
  const next = isWanted ? [...others, row].sort((a, b) => (a.id < b.id ? 1 : -1)) : others;
  return { ...known, pages: pagesOf(known.pages.with(place, next)) };
}

/** Removes empty pages, and splits a page with more rows than two pages. */
function pagesOf(pages: Pages['pages']): Pages['pages'] {
  const found = pages.flatMap((page) => {
    if (page.length <= 2 * nextSize) return page.length === 0 ? [] : [page];
    return [page.slice(0, nextSize), page.slice(nextSize)];
  });
  return found.length === 0 ? [[]] : found;
}
