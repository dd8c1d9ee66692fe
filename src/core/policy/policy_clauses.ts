import type { Policy } from '../model.ts';
import { type Clause, type ClauseName, compileClause, ExpressionError } from './language/clause.ts';

/** The clauses of a policy, each compiled or with what is wrong about it; undefined where absent. */
export type PolicyClauses = { readonly [Name in ClauseName]: Clause | ExpressionError | undefined };

const known = new WeakMap<Pick<Policy, ClauseName>, PolicyClauses>();

/** Compiles a policy once: a row never changes, and is the same from its draft to its last use. */
export function policyClauses(policy: Pick<Policy, ClauseName>): PolicyClauses {
  let clauses = known.get(policy);
  if (clauses === undefined) {
    clauses = {
      condition: compiled('condition', policy.condition),
      consensus: compiled('consensus', policy.consensus),
      time: compiled('time', policy.time),
    };
    known.set(policy, clauses);
  }
  return clauses;
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
