// Predicates over the outcome of a clause.

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

/** Returns true for a failure with which a DENY always denies: too many steps, or a withheld value. */
export function isNeverSkipped(outcome: ClauseOutcome): boolean {
  if (!('failure' in outcome)) return false;
  const { code } = outcome.failure;
  return code === 'step_limit' || code === 'value_withheld';
}

/** Returns true if the failed clause mentions a namespace that the activity does not have. */
export function isAboutSomethingElse(outcome: ClauseOutcome): boolean {
  return 'failure' in outcome && outcome.failure.code === 'namespace_absent';
}
