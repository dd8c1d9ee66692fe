// The meaning of a clause's outcome.

import type { ClauseOutcome } from './clause.ts';

/** Outcome of an absent clause. */
export const holds: ClauseOutcome = { value: true };

export function isTrue(outcome: ClauseOutcome): boolean {
  return 'value' in outcome && outcome.value;
}

export function isFalse(outcome: ClauseOutcome): boolean {
  return 'value' in outcome && !outcome.value;
}

export function isFailure(outcome: ClauseOutcome): boolean {
  return 'failure' in outcome;
}

/** Returns true if it took too many steps. */
export function isUnfinished(outcome: ClauseOutcome): boolean {
  return 'failure' in outcome && outcome.failure.code === 'step_limit';
}

/** Returns true if the failed clause mentions a namespace that the activity does not have. */
export function isAboutSomethingElse(outcome: ClauseOutcome): boolean {
  return 'failure' in outcome && outcome.failure.code === 'namespace_absent';
}
