// Finds the members with user-chosen names that an expression reads: velocity controls and address labels.

import type { CheckedExpression } from './ast.ts';
import { type Clause, ExpressionError } from './clause.ts';
import { compiledClause } from './compiled_clauses.ts';
import { shownWords } from './lexer.ts';
import { childrenOf } from './shape.ts';

/** Structs with user-named members, and the name of each struct in conditions. */
const roots = { Controls: 'controls', AddressBook: 'address_book' } as const;
type ChosenStruct = keyof typeof roots;

/** The existing member names of each struct. */
type ChosenNames = Readonly<Record<ChosenStruct, readonly string[]>>;
/** No names, for expressions that cannot read controls or labels. */
export const noChosenNames: ChosenNames = { Controls: [], AddressBook: [] };

/** A member that an expression reads, and its position. */
type ChosenRead = {
  readonly struct: ChosenStruct;
  readonly identifier: string;
  readonly position: number;
};

/** Returns the members with user-chosen names that an expression reads, including nested expressions. */
function chosenReadsIn(expression: CheckedExpression): readonly ChosenRead[] {
  const found: ChosenRead[] = [];
  const visit = (node: CheckedExpression): void => {
    for (const child of childrenOf(node)) visit(child);
    if (node.kind !== 'member') return;
    const struct = chosenStruct(node.target);
    if (struct !== undefined)
      found.push({ struct, identifier: node.name, position: node.position });
  };
  visit(expression);
  return found;
}

/** Returns the identifiers that a condition reads; empty if this version cannot compile the condition. */
export function identifiersIn(
  condition: string | undefined,
  struct: ChosenStruct = 'Controls',
): readonly string[] {
  // Most conditions do not mention the struct, so skip compiling them.
  if (condition === undefined || !condition.includes(roots[struct])) return [];
  const clause = compiledClause('condition', condition);
  if (clause instanceof ExpressionError) return [];
  const reads = chosenReadsIn(clause.expression).filter((read) => read.struct === struct);
  return reads.map(({ identifier }) => identifier);
}

/** Returns an error if a condition reads a control or label that is not in `names`; otherwise undefined. */
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

/** Reserved words of the language. */
const words = ['true', 'false', 'in'];

/** Returns true if a policy can read a member of this name. */
export function isChosenName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !words.includes(name);
}

/**
 * Returns the struct by its type, since a variable or a list element may also be `controls`. The checker
 * never lets a struct become `dynamic`.
 */
function chosenStruct({ type }: CheckedExpression): ChosenStruct | undefined {
  if (type.kind !== 'struct') return undefined;
  return type.struct === 'Controls' || type.struct === 'AddressBook' ? type.struct : undefined;
}
