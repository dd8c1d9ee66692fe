// Caches the outcomes of policy conditions for requests with the same facts.

import { createRecentCache } from '../../base/lru_cache.ts';
import type { Steps } from '../../base/steps.ts';
import { stepsOfPiece } from '../language/bounds.ts';
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
 * Returns the outcome of each condition on all parts of a request, in the order of the policies. A step ends
 * after an evaluation once it has used many steps of the meter. Equal keys mean equal scopes; outcomes
 * without a key are not cached.
 */
export function* conditionOutcomes(
  policies: readonly DecidingPolicy[],
  scopes: () => readonly Scope[],
  key: string | undefined,
  within?: Meter,
): Steps<readonly ClauseOutcome[]> {
  const known = key === undefined ? undefined : remembered.get(nameOf(policies, key));
  if (known !== undefined) return known;
  const piece = newPiece(newMeter(within));
  const all = scopes();
  const outcomes: ClauseOutcome[] = [];
  for (const policy of policies) {
    outcomes.push(
      all.length > 1 ? yield* conditionOnAll(all, policy, piece) : conditionOn(all, policy, piece),
    );
    if (endsPiece(piece)) yield;
  }
  if (key !== undefined) rememberOutcomes(policies, key, outcomes);
  return outcomes;
}

/** A meter, and its steps at the start of the current step of work. */
type Piece = { readonly meter: Meter; atStart: number };
const newPiece = (meter: Meter): Piece => ({ meter, atStart: meter.steps });

/** Returns true once a piece has used many steps of its meter. The next piece then begins. */
function endsPiece(piece: Piece): boolean {
  const { steps } = piece.meter;
  if (piece.atStart - steps < stepsOfPiece) return false;
  piece.atStart = steps;
  return true;
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

/** Returns the outcome of a policy's condition on the only part. */
function conditionOn(
  [only]: readonly Scope[],
  { condition }: DecidingPolicy,
  { meter }: Piece,
): ClauseOutcome {
  if (condition === undefined) return holds;
  if (only === undefined) return holds;
  return condition.evaluate(only, meter);
}

/** Returns the outcome of a policy's condition: an ALLOW must hold for every part, a DENY for one part. */
function* conditionOnAll(
  scopes: readonly Scope[],
  { condition, effect }: DecidingPolicy,
  piece: Piece,
): Steps<ClauseOutcome> {
  if (condition === undefined) return holds;
  const outcomes: ClauseOutcome[] = [];
  for (const scope of scopes) {
    outcomes.push(condition.evaluate(scope, piece.meter));
    if (endsPiece(piece)) yield;
  }
  const failure =
    outcomes.find(isNeverSkipped) ??
    outcomes.find((outcome) => isFailure(outcome) && !isAboutSomethingElse(outcome)) ??
    outcomes.find(isFailure);
  const settling = outcomes.find((outcome) =>
    effect === 'EFFECT_DENY' ? isTrue(outcome) : isFalse(outcome),
  );
  return settling ?? failure ?? outcomes[0] ?? holds;
}
