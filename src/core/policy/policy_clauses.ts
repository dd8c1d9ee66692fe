import type { Policy } from '../organization/model.ts';
import type { Clause, ClauseName, ExpressionError } from './language/clause.ts';
import { compiledClause } from './language/compiled_clauses.ts';

/** The clauses of a policy, each compiled or with its error. Undefined if the policy lacks it. */
type PolicyClauses = { readonly [Name in ClauseName]: Clause | ExpressionError | undefined };

/** The clauses currently in memory; not to be kept for longer than a request. */
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
