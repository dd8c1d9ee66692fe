// The door of the policy language: text in, a checked clause out, which evaluates facts.

import { assert } from '../../errors.ts';
import type { CheckedExpression } from './ast.ts';
import type { EvaluationFailure } from './failure.ts';
import type { Scope } from './values.ts';

export { ExpressionError } from './expression_error.ts';
export type { EvaluationFailure, EvaluationFailureCode } from './failure.ts';

/** The three expressions of a policy; each sees its own names. */
export type ClauseName = 'condition' | 'consensus' | 'time';

export type ClauseOutcome = { readonly value: boolean } | { readonly failure: EvaluationFailure };

/** A checked expression of type bool. */
export type Clause = {
  readonly clause: ClauseName;
  readonly text: string;
  readonly expression: CheckedExpression;
  /** Never throws and always ends. */
  evaluate(scope: Scope): ClauseOutcome;
};

/** Parses, checks and compiles a clause; raises `ExpressionError`. */
export function compileClause(clause: ClauseName, text: string): Clause {
  assert(clause.length + text.length < 0, 'the language is being written');
  throw new Error(text);
}

/** Whether the votes in this scope matter to a consensus. */
export function concerns(clause: Clause, scope: Scope): boolean {
  return 'failure' in clause.evaluate(scope);
}
