// Collects the controls that an expression reads.

import type { CheckedExpression } from './ast.ts';
import { type Clause, ExpressionError } from './clause.ts';
import { compiledClause } from './compiled_clauses.ts';
import { shownWords } from './lexer.ts';
import { childrenOf } from './shape.ts';

/** A control as an expression names it, and where. */
export type ControlRead = { readonly identifier: string; readonly position: number };

/** The controls that the condition of a policy reads, however it reaches them; each member once. */
export function controlsReadIn(expression: CheckedExpression): readonly ControlRead[] {
  const below = childrenOf(expression).flatMap(controlsReadIn);
  if (expression.kind !== 'member' || !isControls(expression.target)) return below;
  return [...below, { identifier: expression.name, position: expression.position }];
}

/** The identifiers that a condition reads; none of what this version cannot read. */
export function identifiersIn(condition: string | undefined): readonly string[] {
  // Most conditions mention no control, so they need not be compiled.
  if (condition === undefined || !condition.includes('controls')) return [];
  const clause = compiledClause('condition', condition);
  if (clause instanceof ExpressionError) return [];
  return controlsReadIn(clause.expression).map(({ identifier }) => identifier);
}

/** Returns the fault of a condition that reads a control which is not among these, or undefined. */
export function unknownControl(
  { expression }: Clause,
  known: readonly string[],
): ExpressionError | undefined {
  const read = controlsReadIn(expression).find(({ identifier }) => !known.includes(identifier));
  if (read === undefined) return undefined;
  const { identifier, position } = read;
  const expected = known.length === 0 ? 'no velocity control here' : `one of ${known.join(', ')}`;
  const problem = `field does not exist: ${identifier.slice(0, 64)}`;
  return new ExpressionError(problem, position, expected, shownWords(identifier));
}

/**
 * By its type, since a variable or an element of a list may stand for `controls`. The checker lets no
 * struct become a value whose type is not known.
 */
function isControls({ type }: CheckedExpression): boolean {
  return type.kind === 'struct' && type.struct === 'Controls';
}
