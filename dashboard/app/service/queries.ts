// The data read from the service, by name, and how a component follows it.

import { QueryClient, QueryObserver, type QueryObserverResult } from '@tanstack/query-core';
import { useEffect, useState } from 'preact/hooks';

/** The client tries again by itself; what it gave up is shown, and tried again when the service is back. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      // The live list of activities says what has changed.
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
  },
});

export type Read<T> = QueryObserverResult<T, Error>;

/** A read as a screen shows it. */
export type Reading<T> = {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
};

/** Several reads as one: what rests on all of them is shown once all are there, and fails with any. */
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
 * Follows what a function reads, by a name that changes with its arguments. `keeps`: what is shown stays
 * until what follows it is there; only for more of the same.
 */
export function useRead<T>(
  name: readonly unknown[],
  read: (signal: AbortSignal) => Promise<T>,
  { keeps = false }: { readonly keeps?: boolean } = {},
): Read<T> {
  const options = queries.defaultQueryOptions<unknown>({
    queryKey: name,
    queryFn: ({ signal }) => read(signal),
    ...(keeps ? { placeholderData: (previous: unknown) => previous } : {}),
  });
  const [observer] = useState(() => new QueryObserver<unknown>(queries, options));
  const [, setTurn] = useState(0);
  useEffect(() => observer.subscribe(() => setTurn((turn) => turn + 1)), [observer]);
  const key = JSON.stringify(name);
  // The name says what is read.
  useEffect(() => observer.setOptions(options), [observer, key]);
  return observer.getOptimisticResult(options) as Read<T>;
}

/**
 * Reads of chain nodes begin with this name. A change of the organization does not repeat them, since each
 * one asks a node.
 */
export const ofNodes = 'of nodes';

/** Has everything that is on the screen read again, and the rest when it is shown. */
export const readAgain = (): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== ofNodes });
