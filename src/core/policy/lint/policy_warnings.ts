import { eip55 } from '../../address/ethereum.ts';
import type { Policy } from '../../organization/model.ts';
import type { OrganizationView } from '../../organization/state.ts';
import type { JsonObject } from '../../schema/json.ts';
import { type Clause, ExpressionError } from '../language/clause.ts';
import { policyClauses } from '../policy_clauses.ts';
import { type LintedPolicy, lintPolicies, lintPolicy, type Warning } from './lint.ts';

/**
 * Returns warnings about policies of the organization, by themselves and beside all others, as it
 * is sent. Only those of the given ids, where there are any.
 */
export function policyWarnings(
  organization: OrganizationView,
  ids?: readonly string[],
): readonly JsonObject[] {
  const policies = organization.list('policy');
  const linted = policies.map(lintedPolicy);
  const beside = lintPolicies(linted);
  return policies.flatMap((policy, i) => {
    const given = linted[i];
    if (given === undefined || (ids !== undefined && !ids.includes(policy.id))) return [];
    const warnings = [...lintPolicy(given, eip55), ...beside.filter(({ index }) => index === i)];
    return warnings.map((warning) => warningView(policy, warning));
  });
}

function warningView(
  { id, name }: Policy,
  { code, clause, position, message }: Warning,
): JsonObject {
  return { policyId: id, policyName: name, code: code.toUpperCase(), clause, position, message };
}

/** Saved texts were accepted; one that this version refuses has no warnings, it fails. */
function lintedPolicy(policy: Policy): LintedPolicy {
  const { condition, consensus, time } = policyClauses(policy);
  return {
    effect: policy.effect,
    condition: readable(condition),
    consensus: readable(consensus),
    time: readable(time),
  };
}

function readable(clause: Clause | ExpressionError | undefined): Clause | undefined {
  return clause instanceof ExpressionError ? undefined : clause;
}
