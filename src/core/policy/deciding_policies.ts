import type { Policy } from '../model.ts';
import { createRowIndex } from '../row_index.ts';
import type { DecidingClause, DecidingPolicy } from './decision.ts';
import { type ClauseName, compileClause, concerns, ExpressionError } from './language/clause.ts';

/** The policies of an organization ready to be evaluated, in their order; made once per version. */
export const decidingPolicies = createRowIndex('policy', (policies): readonly DecidingPolicy[] =>
  [...policies].map(decidingPolicy),
);

/** One policy, compiled. */
export function decidingPolicy(
  policy: Pick<Policy, 'id' | 'name' | 'effect' | ClauseName>,
): DecidingPolicy {
  const { id, name, effect } = policy;
  return {
    id,
    name,
    effect,
    condition: clauseOf('condition', policy.condition),
    consensus: clauseOf('consensus', policy.consensus),
    time: clauseOf('time', policy.time),
  };
}

function clauseOf(name: ClauseName, text: string | undefined): DecidingClause | undefined {
  if (text === undefined) return undefined;
  try {
    const clause = compileClause(name, text);
    return {
      evaluate: (scope) => clause.evaluate(scope),
      concerns: (scope) => concerns(clause, scope),
    };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return unreadableClause(error);
  }
}

/** Texts are checked when they are saved; what this version cannot read all the same always fails. */
function unreadableClause({ position, message }: ExpressionError): DecidingClause {
  const failure = { code: 'type_mismatch', position, message } as const;
  return { evaluate: () => ({ failure }), concerns: () => false };
}
