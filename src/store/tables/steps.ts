// Reads of more than one query, written once as generators: they yield queries and receive rows. SQLite
// answers synchronously, PostgreSQL asynchronously.

import type { QueryName } from './queries.ts';
import type { Row } from './rows.ts';

export type QueryValue = string | number | Uint8Array | null;

/** A query with its parameters. With `each`, it runs once for each of these last parameters. */
export type QueryStep = {
  readonly query: QueryName;
  readonly values: readonly QueryValue[];
  /** Distinct values; their rows come in any order. */
  readonly each?: readonly (string | Uint8Array)[];
};

/** Yields a query and receives its rows, or yields independent queries and receives the rows of all. */
export type Steps<Result> = Generator<QueryStep | readonly QueryStep[], Result, readonly Row[]>;

/** Runs the steps on a synchronous database. */
export function runSteps<Result>(
  steps: Steps<Result>,
  rowsOf: (step: QueryStep) => readonly Row[],
): Result {
  let next = steps.next();
  while (next.done !== true) next = steps.next([next.value].flat().flatMap(rowsOf));
  return next.value;
}

/** Runs the steps on an asynchronous database. */
export async function awaitSteps<Result>(
  steps: Steps<Result>,
  rowsOf: (steps: readonly QueryStep[]) => Promise<readonly Row[]>,
): Promise<Result> {
  let next = steps.next();
  while (next.done !== true) next = steps.next(await rowsOf([next.value].flat()));
  return next.value;
}
