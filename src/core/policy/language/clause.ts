// The door of the policy language: text in, a checked clause out, which evaluates facts.

import { assert } from '../../errors.ts';
import type { CheckedExpression } from './ast.ts';
import { type ClauseName, check } from './checker.ts';
import { compile } from './compiler.ts';
import { type Evaluate, type EvaluationFailure, newFrame } from './frame.ts';
import { parse } from './parser.ts';
import { print } from './printer.ts';
import type { Scope } from './values.ts';

export type { ClauseName } from './checker.ts';
export { ExpressionError } from './expression_error.ts';
export type { EvaluationFailure, EvaluationFailureCode } from './frame.ts';

export type ClauseOutcome = { readonly value: boolean } | { readonly failure: EvaluationFailure };

/** A checked expression of type bool. */
export type Clause = {
  readonly clause: ClauseName;
  readonly text: string;
  readonly expression: CheckedExpression;
  /** Never throws, always ends, and gives the same for the same facts. */
  evaluate(scope: Scope): ClauseOutcome;
};

/** Parses, checks and compiles a clause; raises `ExpressionError`. */
export function compileClause(clause: ClauseName, text: string): Clause {
  const expression = check(clause, parse(text));
  const evaluate = compile(clause, expression);
  // Most failures of a clause are the same one again and again: of a namespace that is not there.
  let failed: { readonly failure: EvaluationFailure } | undefined;
  const compiled: Clause = {
    clause,
    text,
    expression,
    evaluate: (scope) => {
      const frame = newFrame(scope);
      const value = evaluate(frame);
      if (value !== undefined) return value ? holds : doesNotHold;
      assert(frame.failure !== undefined, 'what has no value has failed');
      if (failed?.failure !== frame.failure) failed = { failure: frame.failure };
      return failed;
    },
  };
  closures.set(compiled, evaluate);
  return compiled;
}

/**
 * Whether the votes in this scope matter to a consensus: a predicate over `approvers` or
 * `credentials` holds for one of them, or they are counted without a predicate.
 */
export function concerns(clause: Clause, scope: Scope): boolean {
  const frame = newFrame(scope);
  closures.get(clause)?.(frame);
  return frame.isConcerned;
}

/** The clause in one spelling: single blanks, and no parentheses that change nothing. */
export function canonicalText(clause: Clause): string {
  return print(clause.expression);
}

const closures = new WeakMap<Clause, Evaluate<boolean>>();

const holds: ClauseOutcome = Object.freeze({ value: true });
const doesNotHold: ClauseOutcome = Object.freeze({ value: false });
