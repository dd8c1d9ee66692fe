import type { Policy } from '../organization/model.ts';
import type { Clause, ClauseName, ExpressionError } from './language/clause.ts';
import { compiledClause } from './language/compiled_clauses.ts';

/** The compiled clauses of a policy, or their errors. Undefined for absent clauses. */
type PolicyClauses = { readonly [Name in ClauseName]: Clause | ExpressionError | undefined };

/** Returns the clauses from the cache. Keep them only during a request. */
export function policyClauses(policy: Pick<Policy, ClauseName>): PolicyClauses {
  const clauseOf = (name: ClauseName) => {
    const text = policy[name];
    return text === undefined ? undefined : compiledClause(name, text);
  };
  return {
    condition: clauseOf('condition'),
    consensus: clauseOf('consensus'),
    time: clauseOf('time'),
  };
}
