// Caches the outcomes of policy conditions for requests with the same facts.

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
 * Returns the outcome of each condition on all parts of a request, in the order of the policies. Equal keys
 * mean equal scopes; outcomes without a key are not cached.
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

/** Caches the outcomes of these policies for requests with this key. */
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

/** Clients often repeat requests with the same key and parameters. */
const maximumRememberedConditions = 2_000;
/** Contains only outcomes, so it does not retain removed policies. */
const remembered = createRecentCache<readonly ClauseOutcome[]>(maximumRememberedConditions);
const numbers = new WeakMap<readonly DecidingPolicy[], number>();
let lastNumber = 0;

/** Returns the outcome of a policy's condition: an ALLOW must hold for every part, a DENY for one part. */
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
