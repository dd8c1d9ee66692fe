// Reads that take more than one query are written once, as generators: they yield what they ask of
// the database and are given its rows. One database answers at once, the other has to be waited for.

import type { QueryName } from './queries.ts';
import type { Row } from './rows.ts';

export type QueryValue = string | number | Uint8Array | null;

/** A query with its parameters. Where `each` is given, it runs for each of these last parameters. */
export type QueryStep = {
  readonly query: QueryName;
  readonly values: readonly QueryValue[];
  /** Not one value twice; the rows come in any order. */
  readonly each?: readonly (string | Uint8Array)[];
};

/** Yields a step and is given its rows; or several that do not rest on each other, and is given all rows. */
export type Steps<Result> = Generator<QueryStep | readonly QueryStep[], Result, readonly Row[]>;

/** Runs to the end on a database that answers at once. */
export function runSteps<Result>(
  steps: Steps<Result>,
  rowsOf: (step: QueryStep) => readonly Row[],
): Result {
  let next = steps.next();
  while (next.done !== true) next = steps.next([next.value].flat().flatMap(rowsOf));
  return next.value;
}

/** Runs to the end on a database that has to be waited for. */
export async function awaitSteps<Result>(
  steps: Steps<Result>,
  rowsOf: (steps: readonly QueryStep[]) => Promise<readonly Row[]>,
): Promise<Result> {
  let next = steps.next();
  while (next.done !== true) next = steps.next(await rowsOf([next.value].flat()));
  return next.value;
}
