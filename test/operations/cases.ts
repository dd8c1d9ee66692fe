// The cases of all operations: each file that ends in `.case.ts`.

import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ActivityCase, activityCase, QueryCase, queryCase } from './case.ts';

const cases = await Promise.all(
  globSync('*/*.case.ts', { cwd: import.meta.dirname })
    .sort()
    .map(async (file) => {
      const path = join(import.meta.dirname, file);
      const { default: read } = (await import(path)) as Module;
      return [basename(file, '.case.ts'), read] as const;
    }),
);

type Module = {
  readonly default: ReturnType<typeof activityCase> | ReturnType<typeof queryCase>;
};

/** The cases of activities, by the name of the operation. */
export const activityCases: Readonly<Record<string, ActivityCase>> = Object.fromEntries(
  cases.flatMap(([name, read]) => (read.kind === 'activity' ? [[name, read]] : [])),
);

/** The cases of queries, by the name of the operation. */
export const queryCases: Readonly<Record<string, QueryCase>> = Object.fromEntries(
  cases.flatMap(([name, read]) => (read.kind === 'query' ? [[name, read]] : [])),
);
