// Collects the members with chosen names that an expression reads: velocity controls and address labels.

import type { CheckedExpression } from './ast.ts';
import { type Clause, ExpressionError } from './clause.ts';
import { compiledClause } from './compiled_clauses.ts';
import { shownWords } from './lexer.ts';
import { childrenOf } from './shape.ts';

/** Structs with chosen names, and the name under which a condition reads them. */
const roots = { Controls: 'controls', AddressBook: 'address_book' } as const;
type ChosenStruct = keyof typeof roots;

/** The chosen names that exist, for each struct. */
type ChosenNames = Readonly<Record<ChosenStruct, readonly string[]>>;
/** For expressions that may read neither. */
export const noChosenNames: ChosenNames = { Controls: [], AddressBook: [] };

/** A member as an expression names it, and where. */
type ChosenRead = {
  readonly struct: ChosenStruct;
  readonly identifier: string;
  readonly position: number;
};

/** The chosen names that the condition of a policy reads, however it reaches them; each member once. */
function chosenReadsIn(expression: CheckedExpression): readonly ChosenRead[] {
  const below = childrenOf(expression).flatMap(chosenReadsIn);
  if (expression.kind !== 'member') return below;
  const struct = chosenStruct(expression.target);
  if (struct === undefined) return below;
  return [...below, { struct, identifier: expression.name, position: expression.position }];
}

/** The identifiers that a condition reads; none of what this version cannot read. */
export function identifiersIn(
  condition: string | undefined,
  struct: ChosenStruct = 'Controls',
): readonly string[] {
  // Most conditions mention neither, so they need not be compiled.
  if (condition === undefined || !condition.includes(roots[struct])) return [];
  const clause = compiledClause('condition', condition);
  if (clause instanceof ExpressionError) return [];
  const reads = chosenReadsIn(clause.expression).filter((read) => read.struct === struct);
  return reads.map(({ identifier }) => identifier);
}

/** Returns the fault of a condition that reads a control or label which is not among these, or undefined. */
export function unknownChosenName(
  { expression }: Clause,
  names: ChosenNames,
): ExpressionError | undefined {
  const read = chosenReadsIn(expression).find(
    ({ struct, identifier }) => !names[struct].includes(identifier),
  );
  if (read === undefined) return undefined;
  const { identifier, position, struct } = read;
  const known = names[struct];
  const none = struct === 'Controls' ? 'no velocity control here' : 'no address label here';
  const expected = known.length === 0 ? none : `one of ${known.join(', ')}`;
  const problem = `field does not exist: ${identifier.slice(0, 64)}`;
  return new ExpressionError(problem, position, expected, shownWords(identifier));
}

/** Names that the language reads as something else. */
const words = ['true', 'false', 'in'];

/** Returns true if a policy can read a member of this name. */
export function isChosenName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !words.includes(name);
}

/**
 * By its type, since a variable or an element of a list may stand for `controls`. The checker lets no
 * struct become a value whose type is not known.
 */
function chosenStruct({ type }: CheckedExpression): ChosenStruct | undefined {
  if (type.kind !== 'struct') return undefined;
  return type.struct === 'Controls' || type.struct === 'AddressBook' ? type.struct : undefined;
}
