// Requests of people: for each operation of the service, parameters that make sense in the
// organization as it is, and now and then ones that made sense earlier.

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

/** Parameters of each activity, by the name of the operation. */
export const activityRequests: Readonly<Record<string, Generator>> = {
  ...codeRequests,
  ...generators(activityCases),
};

/** Bodies of queries, by the name of the operation. */
export const queryRequests: Readonly<Record<string, Generate>> = generators(queryCases);
