import type { Policy } from '../../organization/model.ts';
import { createRowIndex } from '../../organization/row_index.ts';
import {
  type ClauseName,
  type ClauseOutcome,
  concerns,
  ExpressionError,
} from '../language/clause.ts';
import { compiledClause } from '../language/compiled_clauses.ts';
import type { DecidingClause, DecidingPolicy } from './decision.ts';

/** The policies of an organization ready to be evaluated, in their order; made once per version. */
export const decidingPolicies = createRowIndex('policy', (policies): readonly DecidingPolicy[] =>
  [...policies].map(decidingPolicy),
);

/** One policy; its clauses are compiled when they are asked for. */
export function decidingPolicy(
  policy: Pick<Policy, 'id' | 'name' | 'effect' | ClauseName>,
): DecidingPolicy {
  const { id, name, effect, condition, consensus, time } = policy;
  return {
    id,
    name,
    effect,
    condition: decidingClause('condition', condition),
    consensus: decidingClause('consensus', consensus),
    time: decidingClause('time', time),
  };
}

/** Texts are checked when they are saved; what this version cannot read all the same always fails. */
function decidingClause(name: ClauseName, text: string | undefined): DecidingClause | undefined {
  if (text === undefined) return undefined;
  return {
    evaluate: (scope, meter) => {
      const clause = compiledClause(name, text);
      return clause instanceof ExpressionError ? failed(clause) : clause.evaluate(scope, meter);
    },
    concerns: (scope, meter) => {
      const clause = compiledClause(name, text);
      return !(clause instanceof ExpressionError) && concerns(clause, scope, meter);
    },
  };
}

function failed({ position, message }: ExpressionError): ClauseOutcome {
  return { failure: { code: 'type_mismatch', position, message } };
}
