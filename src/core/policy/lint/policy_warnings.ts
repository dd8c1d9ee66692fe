import { eip55 } from '../../address/ethereum.ts';
import type { Policy } from '../../organization/model.ts';
import type { OrganizationView } from '../../organization/state.ts';
import type { JsonObject } from '../../schema/json.ts';
import { type Clause, ExpressionError } from '../language/clause.ts';
import { compileInParts } from '../language/compiled_clauses.ts';
import { policyClauses } from '../policy_clauses.ts';
import { type LintedPolicy, lintPoliciesInParts, lintPolicyInParts, type Warning } from './lint.ts';

/**
 * Returns warnings about an organization's policies, individually and in combination, with pauses between the
 * parts. With IDs, returns only the warnings about those policies.
 */
export async function policyWarnings(
  organization: OrganizationView,
  pause: () => Promise<void>,
  ids?: readonly string[],
): Promise<readonly JsonObject[]> {
  const policies = organization.list('policy');
  await compileInParts(policies, { owner: organization.id, pause });
  const linted: LintedPolicy[] = [];
  for (const policy of policies) {
    linted.push(lintedPolicy(policy));
    await pause();
  }
  const beside = await lintPoliciesInParts(linted, pause);
  const views: JsonObject[] = [];
  for (const [i, policy] of policies.entries()) {
    const given = linted[i];
    if (given === undefined || (ids !== undefined && !ids.includes(policy.id))) continue;
    await pause();
    const own = await lintPolicyInParts(given, eip55, pause);
    const warnings = [...own, ...beside.filter(({ index }) => index === i)];
    views.push(...warnings.map((warning) => warningView(policy, warning)));
  }
  return views;
}

function warningView(
  { id, name }: Policy,
  { code, clause, position, message }: Warning,
): JsonObject {
  return { policyId: id, policyName: name, code: code.toUpperCase(), clause, position, message };
}

/** Returns a saved policy for the linter, without the clauses that this version cannot compile. */
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
