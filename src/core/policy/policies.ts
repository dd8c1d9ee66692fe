// Rules of policy records: which policies may be saved, and the set of current policies.

import type { Context } from '../base/context.ts';
import type { PolicyEffect } from '../base/enums.ts';
import { fail } from '../errors/errors.ts';
import { checkLimit } from '../organization/limits.ts';
import type { Policy } from '../organization/model.ts';
import { requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { type ClauseName, ExpressionError } from './language/clause.ts';
import { type ClauseTexts, clauseNames, compileInParts } from './language/compiled_clauses.ts';
import { unknownChosenName } from './language/controls_read.ts';
import { policyClauses } from './policy_clauses.ts';
import { writePolicySet } from './sets/policy_set.ts';

/**
 * Maximum UTF-16 units of an organization's policies as JSON. The store returns them with the organization in
 * one answer, which must stay below 8 MiB.
 */
export const maximumPolicyUnits = 524_288;

/** Parameters of a policy. */
export type PolicyParameters = {
  readonly policyName: string;
  readonly effect: PolicyEffect;
  readonly condition?: string;
  readonly consensus?: string;
  readonly time?: string;
  readonly notes?: string;
};

/** The changed members of an update; undefined members stay. */
type PolicyChanges = {
  readonly policyName?: string;
  readonly policyEffect?: PolicyEffect;
  readonly policyCondition?: string;
  readonly policyConsensus?: string;
  readonly policyNotes?: string;
  readonly time?: string;
};

/** Finds a policy by its ID in any letter case. Raises `resource_not_found`. */
export const requirePolicy = requiredRecord('policy', 'policy');

/**
 * Creates policies, all or none. `fieldOf` returns the path of each in the request. Raises
 * `label_not_unique`, `policy_expression_invalid` and `limit_exceeded`.
 */
export function createPolicies(
  described: readonly PolicyParameters[],
  organization: OrganizationDraft,
  context: Context,
  fieldOf: (index: number) => string,
): Policy[] {
  checkLimit('policies', organization.list('policy').length + described.length, organization);
  const names = new Set(organization.list('policy').map(({ name }) => name));
  const created = described.map((parameters): Policy => {
    const { policyName: name, effect, notes = '' } = parameters;
    if (names.has(name)) failNameTaken(name);
    names.add(name);
    const times = { createdAtMs: context.now, updatedAtMs: context.now };
    return { id: context.newId(), name, effect, ...clausesOf(parameters), notes, ...times };
  });
  for (const policy of created) organization.put('policy', policy);
  checkSize(organization);
  for (const [i, policy] of created.entries()) {
    const field = fieldOf(i);
    for (const clause of clauseNames) {
      checkClause(policy, clause, `${field}.${clause}`, organization);
    }
  }
  writePolicySet(organization, context);
  return created;
}

/**
 * Changes a policy. An empty `time` removes it; the other expressions are never empty. `path` is the path of
 * the changes in the request. Raises `resource_not_found`, `label_not_unique`, `policy_expression_invalid`
 * and `limit_exceeded`.
 */
export function updatePolicy(
  id: string,
  changes: PolicyChanges,
  organization: OrganizationDraft,
  context: Context,
  path = 'parameters',
): Policy {
  const before = requirePolicy(organization, id);
  const { policyName: name = before.name } = changes;
  const isTaken = (other: Policy): boolean => other.name === name && other.id !== before.id;
  if (organization.list('policy').some(isTaken)) failNameTaken(name);
  const policy: Policy = {
    id: before.id,
    name,
    effect: changes.policyEffect ?? before.effect,
    ...clausesOf({
      condition: changes.policyCondition ?? before.condition,
      consensus: changes.policyConsensus ?? before.consensus,
      time: changes.time ?? before.time,
    }),
    notes: changes.policyNotes ?? before.notes,
    createdAtMs: before.createdAtMs,
    updatedAtMs: context.now,
  };
  organization.put('policy', policy);
  checkSize(organization);
  for (const clause of clauseNames) {
    const field = updateFields[clause];
    if (changes[field] !== undefined) {
      checkClause(policy, clause, `${path}.${field}`, organization);
    }
  }
  writePolicySet(organization, context);
  return policy;
}

/**
 * Compiles the clauses of a request before it is applied, with pauses between the parts. Skips clauses whose
 * total length exceeds the bound of an organization, because the request is rejected later. Raises nothing; a
 * later check finds invalid clauses.
 */
export async function compilePolicies(
  described: readonly ClauseTexts[],
  organization: Pick<OrganizationView, 'id'>,
  pause: () => Promise<void>,
): Promise<void> {
  if (charactersOf(described) > maximumPolicyUnits) return;
  await compileInParts(described, { owner: organization.id, pause });
}

/** Returns the clauses that an update changes. */
export function clausesOfUpdate(changes: PolicyChanges): ClauseTexts {
  const { policyCondition: condition, policyConsensus: consensus, time = '' } = changes;
  return { condition, consensus, ...(time === '' ? {} : { time }) };
}

/** Rejects clauses whose total length exceeds the bound of an organization. Raises `limit_exceeded`. */
export function checkClauseSize(described: readonly ClauseTexts[]): void {
  if (charactersOf(described) <= maximumPolicyUnits) return;
  const resource = 'characters of policies';
  fail('limit_exceeded', { owner: 'request', resource, limit: maximumPolicyUnits });
}

function charactersOf(described: readonly ClauseTexts[]): number {
  return described.reduce((sum, { condition = '', consensus = '', time = '' }) => {
    return sum + condition.length + consensus.length + time.length;
  }, 0);
}

/** Deletes policies, all or none. Raises `resource_not_found`. */
export function deletePolicies(
  ids: readonly string[],
  organization: OrganizationDraft,
  context: Context,
): void {
  for (const id of ids) organization.remove('policy', requirePolicy(organization, id).id);
  writePolicySet(organization, context);
}

/** Members of an update that contain the clauses. */
const updateFields = {
  condition: 'policyCondition',
  consensus: 'policyConsensus',
  time: 'time',
} as const satisfies Record<ClauseName, keyof PolicyChanges>;

/** Returns the present clauses; an empty `time` counts as absent. */
function clausesOf(given: { readonly [Name in ClauseName]?: string | undefined }) {
  const { condition, consensus, time = '' } = given;
  return {
    ...(condition === undefined ? {} : { condition }),
    ...(consensus === undefined ? {} : { consensus }),
    ...(time === '' ? {} : { time }),
  };
}

function checkClause(
  policy: Policy,
  clause: ClauseName,
  field: string,
  organization: OrganizationView,
): void {
  const compiled = policyClauses(policy)[clause];
  if (compiled === undefined) return;
  const names = {
    Controls: organization.list('velocity_control').map(({ identifier }) => identifier),
    AddressBook: organization.list('address_label').map(({ label }) => label),
  };
  const problem =
    compiled instanceof ExpressionError ? compiled : unknownChosenName(compiled, names);
  if (problem === undefined) return;
  const reason = problem.message;
  fail('policy_expression_invalid', { clause, reason }, [{ field, description: reason }]);
}

function checkSize(organization: OrganizationView): void {
  const units = organization
    .list('policy')
    .reduce((sum, { name, condition, consensus, time, notes }) => {
      return sum + JSON.stringify([name, condition, consensus, time, notes]).length;
    }, 0);
  if (units <= maximumPolicyUnits) return;
  const resource = 'characters of policies';
  fail('limit_exceeded', { owner: 'organization', resource, limit: maximumPolicyUnits });
}

function failNameTaken(label: string): never {
  return fail('label_not_unique', { resource: 'policy', label });
}
