// Which controls an expression reads.

import type { CheckedExpression } from './ast.ts';
import { type Clause, ExpressionError } from './clause.ts';
import { compiledClause } from './compiled_clauses.ts';
import { shownWords } from './lexer.ts';
import { childrenOf } from './shape.ts';

/** A control as an expression names it, and where. */
export type ControlRead = { readonly identifier: string; readonly position: number };

/** The controls that the condition of a policy reads, in the order of the text. */
export function controlsReadIn(expression: CheckedExpression): readonly ControlRead[] {
  if (expression.kind === 'member' && isControls(expression.target)) {
    return [{ identifier: expression.name, position: expression.position }];
  }
  return childrenOf(expression).flatMap(controlsReadIn);
}

/** The identifiers that a condition reads; none of what this version cannot read. */
export function identifiersIn(condition: string | undefined): readonly string[] {
  // Most conditions speak of no control: they need not be compiled to tell.
  if (condition === undefined || !condition.includes('controls')) return [];
  const clause = compiledClause('condition', condition);
  if (clause instanceof ExpressionError) return [];
  return controlsReadIn(clause.expression).map(({ identifier }) => identifier);
}

/** What is wrong with a condition that reads a control which is not among these, or undefined. */
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

/** No variable has this name, which the language reserves. */
function isControls(node: CheckedExpression): boolean {
  return node.kind === 'name' && node.name === 'controls';
}
