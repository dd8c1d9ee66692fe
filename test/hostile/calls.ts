// The calls of every operation, from the cases next to the tests of the operations.

import { activityOperations, voteOperations } from '../../src/operations/index.ts';
import type { Call } from '../operations/case.ts';
import { activityCases, queryCases } from '../operations/cases.ts';

export type { Call } from '../operations/case.ts';

const callsOf = (cases: Readonly<Record<string, { readonly calls: readonly Call[] }>>) =>
  Object.fromEntries(Object.entries(cases).map(([name, { calls }]) => [name, calls]));

/** By the last segment of the path. */
export const activityCalls: Readonly<Record<string, readonly Call[]>> = callsOf(activityCases);

const pending: readonly Call[] = [
  { parameters: ({ pendingFingerprint }) => ({ fingerprint: pendingFingerprint }) },
];

/** All submitted calls: activities, and votes on a waiting one. */
export const submitCalls: Readonly<Record<string, readonly Call[]>> = {
  ...activityCalls,
  approve_activity: pending,
  reject_activity: pending,
};

/** The newest type of each submitted operation, by its name. */
export const submitTypes: ReadonlyMap<string, string> = new Map([
  ...Object.entries(activityOperations).map(([name, { wire }]) => [name, wire.type] as const),
  ...Object.entries(voteOperations).map(([name, { type }]) => [name, type] as const),
]);

/** By the last segment of the path; the parameters besides `organizationId`. */
export const queryCalls: Readonly<Record<string, readonly Call[]>> = callsOf(queryCases);
