import type { Policy } from '../model.ts';
import { createRowIndex } from '../row_index.ts';
import type { DecidingClause, DecidingPolicy } from './decision.ts';
import { type Clause, type ClauseName, concerns, ExpressionError } from './language/clause.ts';
import { policyClauses } from './policy_clauses.ts';

/** The policies of an organization ready to be evaluated, in their order; made once per version. */
export const decidingPolicies = createRowIndex('policy', (policies): readonly DecidingPolicy[] =>
  [...policies].map(decidingPolicy),
);

/** One policy, compiled. */
export function decidingPolicy(
  policy: Pick<Policy, 'id' | 'name' | 'effect' | ClauseName>,
): DecidingPolicy {
  const { id, name, effect } = policy;
  const { condition, consensus, time } = policyClauses(policy);
  return {
    id,
    name,
    effect,
    condition: condition && decidingClause(condition),
    consensus: consensus && decidingClause(consensus),
    time: time && decidingClause(time),
  };
}

/** Texts are checked when they are saved; what this version cannot read all the same always fails. */
function decidingClause(clause: Clause | ExpressionError): DecidingClause {
  if (clause instanceof ExpressionError) {
    const { position, message } = clause;
    const failure = { code: 'type_mismatch', position, message } as const;
    return { evaluate: () => ({ failure }), concerns: () => false };
  }
  return {
    evaluate: (scope, meter) => clause.evaluate(scope, meter),
    concerns: (scope, meter) => concerns(clause, scope, meter),
  };
}
