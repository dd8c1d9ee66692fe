// Generators of requests: for each operation, parameters that suit the current state of the organization,
// and sometimes an earlier one.

import { activityCases, queryCases } from '../operations/cases.ts';
import { codeRequests } from './code_requests.ts';
import type { Generate, Generator } from './request_parts.ts';

function generators<Of>(
  cases: Readonly<Record<string, { readonly generate?: Of }>>,
): Readonly<Record<string, Of>> {
  return Object.fromEntries(
    Object.entries(cases).flatMap(([name, { generate }]) =>
      generate === undefined ? [] : [[name, generate]],
    ),
  );
}

/** Generators of activities, by the name of the operation. */
export const activityRequests: Readonly<Record<string, Generator>> = {
  ...codeRequests,
  ...generators(activityCases),
};

/** Generators of queries, by the name of the operation. */
export const queryRequests: Readonly<Record<string, Generate>> = generators(queryCases);
