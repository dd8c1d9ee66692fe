import type { PolicyEffect } from '../../base/enums.ts';
import { createRowIndex } from '../../organization/indexes/row_index.ts';
import type { Policy } from '../../organization/model.ts';
import type { MfaPolicy } from '../../organization/records/mfa_policy.ts';
import type { OrganizationView } from '../../organization/state.ts';
import {
  type ClauseName,
  type ClauseOutcome,
  ExpressionError,
  type Logic,
  mentions,
} from '../language/clause.ts';
import { compiledClause, compileInParts, forgottenClauses } from '../language/compiled_clauses.ts';
import { falseParts } from '../language/false_parts.ts';
import { plainCount, readsCredentials } from '../language/plain_count.ts';
import type { DecidingClause, DecidingPolicy } from './deciding_policy.ts';

/** Returns the policies of an organization for evaluation, in their order; built once per version. */
export const decidingPolicies = createRowIndex('policy', (policies): readonly DecidingPolicy[] =>
  [...policies].map(decidingPolicy),
);

type Rows = ReadonlyMap<string, Policy> | ReadonlyMap<string, MfaPolicy>;

/** The number of evicted clauses when the rows of a version were last compiled. */
const compiledAt = new WeakMap<Rows, number>();

/** Returns the rows with expressions that a decision reads: policies and MFA policies. */
function rowsOf({ rows }: Pick<OrganizationView, 'rows'>): readonly Rows[] {
  return [rows('policy'), rows('mfa_policy')];
}

/** Returns true if all clauses of the policies are compiled. */
export function areCompiled(organization: Pick<OrganizationView, 'rows'>): boolean {
  const forgotten = forgottenClauses();
  return rowsOf(organization).every(
    (rows) => rows.size === 0 || compiledAt.get(rows) === forgotten,
  );
}

/** Compiles the clauses of an organization's policies, with pauses between the parts. */
export async function compileDeciding(
  organization: Pick<OrganizationView, 'id' | 'rows'>,
  pause: () => Promise<void>,
): Promise<void> {
  for (const rows of rowsOf(organization)) {
    const before = forgottenClauses();
    await compileInParts(rows.values(), { owner: organization.id, pause });
    compiledAt.set(rows, before);
  }
}

/** Returns a policy whose clauses are compiled on first use. */
export function decidingPolicy(
  policy: Pick<Policy, 'id' | 'name' | 'effect' | ClauseName>,
): DecidingPolicy {
  const { id, name, effect, condition, consensus, time } = policy;
  const logic = logicOf(effect);
  return {
    id,
    name,
    effect,
    condition: decidingClause('condition', condition, logic),
    consensus: decidingClause('consensus', consensus, logic),
    time: decidingClause('time', time, logic),
  };
}

/** Returns the logic of an effect. An ALLOW fails if any part has no value; a DENY may still have a value. */
export function logicOf(effect: PolicyEffect): Logic {
  return effect === 'EFFECT_DENY' ? 'three_valued' : 'strict';
}

/** Texts are checked when they are saved. A text that this version cannot read always fails. */
function decidingClause(
  name: ClauseName,
  text: string | undefined,
  logic: Logic,
): DecidingClause | undefined {
  if (text === undefined) return undefined;
  return {
    evaluate: (scope, meter) => {
      const clause = compiledClause(name, text);
      if (clause instanceof ExpressionError) return failed(clause);
      return clause.evaluate(scope, meter, logic);
    },
    mentions: (scope, meter) => {
      const clause = compiledClause(name, text);
      return !(clause instanceof ExpressionError) && mentions(clause, scope, meter);
    },
    count: () => {
      const clause = compiledClause(name, text);
      const count = clause instanceof ExpressionError ? undefined : plainCount(clause.expression);
      if (count === undefined) return undefined;
      return {
        least: count.least,
        clauses: { [name]: count.ofOne },
        ofOne: (scope, meter) => {
          const one = compiledClause(name, count.ofOne);
          if (one instanceof ExpressionError) return failed(one);
          return one.evaluate(scope, meter, logic);
        },
      };
    },
    readsCredentials: () => {
      const clause = compiledClause(name, text);
      return !(clause instanceof ExpressionError) && readsCredentials(clause.expression);
    },
    because: (scope) => {
      const clause = compiledClause(name, text);
      return clause instanceof ExpressionError ? [] : falseParts(clause, scope, logic);
    },
  };
}

function failed({ position, message }: ExpressionError): ClauseOutcome {
  return { failure: { code: 'type_mismatch', position, message } };
}
