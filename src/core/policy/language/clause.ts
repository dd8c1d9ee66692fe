// The interface of the policy language: compiles text to a checked clause, which evaluates facts.

import { finish, finishInParts, type Steps } from '../../base/steps.ts';
import { assert } from '../../errors/errors.ts';
import type { CheckedExpression } from './ast.ts';
import { maximumDecisionSteps, maximumSteps } from './bounds.ts';
import { type ClauseName, checkInSteps } from './checker.ts';
import { compileInSteps } from './compiler.ts';
import {
  type Evaluate,
  type EvaluationFailure,
  type Frame,
  failureAt,
  type Logic,
  newFrame,
} from './frame.ts';
import { parseInSteps } from './parser.ts';
import { weightInSteps } from './shape.ts';
import type { Scope } from './values.ts';

export type { ClauseName } from './checker.ts';
export { ExpressionError } from './expression_error.ts';
export type { EvaluationFailureCode, Logic } from './frame.ts';

export type ClauseOutcome = { readonly value: boolean } | { readonly failure: EvaluationFailure };

/** A checked expression of type bool. */
export type Clause = {
  readonly clause: ClauseName;
  readonly text: string;
  readonly expression: CheckedExpression;
  /**
   * Never throws, always ends, and is deterministic while the meter lasts; with an empty meter it fails.
   * Without a meter only its own length is bounded. ALLOW clauses use strict logic, the default; DENY clauses
   * use three-valued logic.
   */
  evaluate(scope: Scope, meter?: Meter, logic?: Logic): ClauseOutcome;
};

/** The clauses of one policy. Absent clauses hold. */
export type Clauses<Prepared = Clause> = { readonly [Name in ClauseName]: Prepared | undefined };

/**
 * A budget of steps for several evaluations. Steps are also taken from the outer meter `within`, which may
 * become negative; callers that continue check it.
 */
export type Meter = { steps: number; readonly within?: Meter | undefined };

/** Returns the meter of one decision, optionally inside another meter. */
export const newMeter = (within?: Meter): Meter => ({ steps: maximumDecisionSteps, within });

/** Takes steps from a meter and its outer meter. */
export function take(meter: Meter | undefined, steps: number): void {
  if (meter === undefined) return;
  meter.steps -= steps;
  take(meter.within, steps);
}

/** Parses, checks and compiles a clause; raises `ExpressionError`. */
export function compileClause(clause: ClauseName, text: string): Clause {
  return finish(clauseInSteps(clause, text));
}

/** Maximum length of a text that is compiled without pauses, which takes at most a millisecond. */
const charactersInOnePart = 2_000;

/** Like `compileClause`, with pauses between the parts of a long text. */
export async function compileClauseInParts(
  clause: ClauseName,
  text: string,
  pause: () => Promise<void>,
): Promise<Clause> {
  if (text.length <= charactersInOnePart) return compileClause(clause, text);
  return await finishInParts(clauseInSteps(clause, text), pause);
}

function* clauseInSteps(clause: ClauseName, text: string): Steps<Clause> {
  const expression = yield* checkInSteps(clause, yield* parseInSteps(text));
  const evaluate = yield* compileInSteps(clause, expression);
  const weight = yield* weightInSteps(expression);
  return clauseOf(clause, text, expression, { evaluate, weight });
}

function clauseOf(
  clause: ClauseName,
  text: string,
  expression: CheckedExpression,
  compiled: Compiled,
): Clause {
  // Most failures repeat, because the same namespace is absent.
  let failed: { readonly failure: EvaluationFailure } | undefined;
  const made: Clause = {
    clause,
    text,
    expression,
    evaluate: (scope, meter, logic = 'strict') => {
      if (isEmpty(meter)) return unfinished;
      const frame = frameOn(scope, meter, logic);
      const value = compiled.evaluate(frame);
      charge(meter, frame, compiled);
      if (value !== undefined && frame.exhaustion === undefined) return value ? holds : doesNotHold;
      const failure = frame.exhaustion ?? frame.failure;
      assert(failure !== undefined, 'what has no value has failed');
      if (failed?.failure !== failure) failed = { failure };
      return failed;
    },
  };
  compilations.set(made, compiled);
  return made;
}

/**
 * Returns true if the votes in this scope matter to a consensus: a predicate over `approvers` or
 * `credentials` holds for a vote, or votes are counted without a predicate.
 */
export function mentions(clause: Clause, scope: Scope, meter?: Meter): boolean {
  const compiled = compilations.get(clause);
  if (compiled === undefined || isEmpty(meter)) return false;
  const frame = frameOn(scope, meter, 'strict');
  compiled.evaluate(frame);
  charge(meter, frame, compiled);
  return frame.isConcerned;
}

type Compiled = {
  readonly evaluate: Evaluate<boolean>;
  /** Number of nodes: the minimum steps of an evaluation. */
  readonly weight: number;
};
const compilations = new WeakMap<Clause, Compiled>();

function isEmpty(meter: Meter | undefined): boolean {
  return meter !== undefined && meter.steps <= 0;
}

function frameOn(scope: Scope, meter: Meter | undefined, logic: Logic): Frame {
  const steps = meter === undefined ? maximumSteps : Math.min(meter.steps, maximumSteps);
  return newFrame(scope, steps, logic);
}

function charge(meter: Meter | undefined, { steps }: Frame, { weight }: Compiled): void {
  take(meter, steps + weight);
}

const holds: ClauseOutcome = Object.freeze({ value: true });
const doesNotHold: ClauseOutcome = Object.freeze({ value: false });
const unfinished: ClauseOutcome = Object.freeze({
  failure: failureAt(0, 'step_limit', 'the decision takes too many steps'),
});
