// Reads from the service: a cache keyed by names, and hooks that follow it.

import { QueryClient, QueryObserver, type QueryObserverResult } from '@tanstack/query-core';
import { useEffect, useState } from 'preact/hooks';

/** The client retries requests itself, so this cache does not. Screens show the final error. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      // Live events invalidate the data earlier.
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
  },
});

export type Read<T> = QueryObserverResult<T, Error>;

/** The part of a read that screens use. */
export type Reading<T> = {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
};

/**
 * Combines reads. The result has data once every read has data, and an error if a read without data failed.
 */
export function together<T extends readonly unknown[]>(
  ...reads: { readonly [I in keyof T]: Reading<T[I]> }
): Reading<T> {
  const missing = reads.filter(({ data }) => data === undefined);
  return {
    data: missing.length > 0 ? undefined : (reads.map(({ data }) => data) as unknown as T),
    error: missing.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all(missing.map((read) => read.refetch())),
  };
}

/**
 * Follows the result of `read`, cached by a name that includes its arguments. With `keepsPrevious`, the
 * previous data shows until data of a new name arrives; use it only to load more rows of the same list.
 */
export function useRead<T>(
  name: readonly unknown[],
  read: (signal: AbortSignal) => Promise<T>,
  { keepsPrevious = false }: { readonly keepsPrevious?: boolean } = {},
): Read<T> {
  const options = queries.defaultQueryOptions<unknown>({
    queryKey: name,
    queryFn: ({ signal }) => read(signal),
    ...(keepsPrevious ? { placeholderData: (previous: unknown) => previous } : {}),
  });
  const [observer] = useState(() => new QueryObserver<unknown>(queries, options));
  const [, setTurn] = useState(0);
  useEffect(() => observer.subscribe(() => setTurn((turn) => turn + 1)), [observer]);
  const key = JSON.stringify(name);
  // The options depend only on the name.
  useEffect(() => observer.setOptions(options), [observer, key]);
  return observer.getOptimisticResult(options) as Read<T>;
}

/**
 * Reads of chain nodes begin with this name. A change of the organization does not repeat them, because each
 * read costs a request to a node.
 */
export const ofNodes = 'of nodes';

/** The number of refreshes. */
let refreshes = 0;

/** Reads all visible data again, and other cached data when a screen shows it. */
export function readAgain(): Promise<void> {
  refreshes += 1;
  return queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== ofNodes });
}

/**
 * Shares one read among all callers until the next refresh. The name contains the refresh, because a read
 * that began before a change must not answer a caller after it.
 */
export async function sharedRead<T>(name: string, read: () => Promise<T>): Promise<T> {
  // The cache rejects undefined, so it holds the result in a list.
  const queryFn = async () => [await read()] as const;
  return (await queries.fetchQuery({ queryKey: [name, refreshes], queryFn }))[0];
}
