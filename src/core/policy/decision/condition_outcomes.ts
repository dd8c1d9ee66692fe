// The outcomes of policy conditions for one request, remembered for the next request that reads the same.

import { createRecentCache } from '../../base/lru_cache.ts';
import { type ClauseOutcome, type Meter, newMeter } from '../language/clause.ts';
import {
  holds,
  isAboutSomethingElse,
  isFailure,
  isFalse,
  isNeverSkipped,
  isTrue,
} from '../language/clause_outcomes.ts';
import type { Scope } from '../language/values.ts';
import type { DecidingPolicy } from './deciding_policy.ts';

/**
 * Returns the outcome of each condition, in the order of the policies, on all parts of a request. Equal
 * keys have equal scopes; without one they come but once.
 */
export function conditionOutcomes(
  policies: readonly DecidingPolicy[],
  scopes: () => readonly Scope[],
  key: string | undefined,
  within?: Meter,
): readonly ClauseOutcome[] {
  const evaluated = () => {
    const meter = newMeter(within);
    const all = scopes();
    return policies.map((policy) => conditionOn(all, policy, meter));
  };
  if (key === undefined) return evaluated();
  const known = remembered.get(nameOf(policies, key));
  if (known !== undefined) return known;
  const outcomes = evaluated();
  rememberOutcomes(policies, key, outcomes);
  return outcomes;
}

/** Remembers the outcomes of these policies for requests of this key. */
export function rememberOutcomes(
  policies: readonly DecidingPolicy[],
  key: string,
  outcomes: readonly ClauseOutcome[],
): void {
  remembered.set(nameOf(policies, key), outcomes);
}

function nameOf(policies: readonly DecidingPolicy[], key: string): string {
  const number = numbers.getOrInsertComputed(policies, () => {
    lastNumber += 1;
    return lastNumber;
  });
  return `${number}/${key}`;
}

/** Requests of the same key with the same parameters come again and again. */
const maximumRememberedConditions = 2_000;
/** Holds outcomes only, so it does not retain removed policies. */
const remembered = createRecentCache<readonly ClauseOutcome[]>(maximumRememberedConditions);
const numbers = new WeakMap<readonly DecidingPolicy[], number>();
let lastNumber = 0;

/** The policy's condition on every part: an ALLOW needs each of them, a DENY one. */
function conditionOn(
  scopes: readonly Scope[],
  policy: DecidingPolicy,
  meter: Meter,
): ClauseOutcome {
  const { condition, effect } = policy;
  if (condition === undefined) return holds;
  const [only, ...more] = scopes;
  if (only === undefined) return holds;
  const first = condition.evaluate(only, meter);
  if (more.length === 0) return first;
  const outcomes = [first, ...more.map((scope) => condition.evaluate(scope, meter))];
  const failure =
    outcomes.find(isNeverSkipped) ??
    outcomes.find((outcome) => isFailure(outcome) && !isAboutSomethingElse(outcome)) ??
    outcomes.find(isFailure);
  const settling = outcomes.find((outcome) =>
    effect === 'EFFECT_DENY' ? isTrue(outcome) : isFalse(outcome),
  );
  return settling ?? failure ?? first;
}
