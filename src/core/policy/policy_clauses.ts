import type { Policy } from '../model.ts';
import { type Clause, type ClauseName, compileClause, ExpressionError } from './language/clause.ts';

/** The clauses of a policy, each compiled or with what is wrong about it; undefined where absent. */
export type PolicyClauses = { readonly [Name in ClauseName]: Clause | ExpressionError | undefined };

const known = new WeakMap<Pick<Policy, ClauseName>, PolicyClauses>();

/** Compiles a policy once: a row never changes, and is the same from its draft to its last use. */
export function policyClauses(policy: Pick<Policy, ClauseName>): PolicyClauses {
  return known.getOrInsertComputed(policy, ({ condition, consensus, time }) => ({
    condition: compiled('condition', condition),
    consensus: compiled('consensus', consensus),
    time: compiled('time', time),
  }));
}

function compiled(name: ClauseName, text: string | undefined) {
  if (text === undefined) return undefined;
  try {
    return compileClause(name, text);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
}
