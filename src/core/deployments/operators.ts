// Rules of operators, and of sets in which a threshold of them must act together.

import type { Context } from '../base/context.ts';
import { assert, failField } from '../errors/errors.ts';
import { checkLimit } from '../organization/limits.ts';
import type { TvcOperator, TvcOperatorSet } from '../organization/records/deployments.ts';
import { failNotFound, requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { distinctIds } from '../schema/distinct_ids.ts';
import { parseKeyPair, pointsOf } from './operator_keys.ts';

/** Maximum number of members of a set. */
export const maximumMembers = 50;

/** Parameters of a set. */
export type OperatorSetParameters = {
  readonly name: string;
  readonly newOperators?: readonly { readonly name: string; readonly publicKey: string }[];
  readonly existingOperatorIds?: readonly string[];
  readonly threshold: number;
};

/** Names a set of operators: by ID, or by its members. */
type OperatorSetChoice = {
  readonly id: string | undefined;
  readonly parameters: OperatorSetParameters | undefined;
  /** Paths of these members in the request. */
  readonly idField: string;
  readonly parametersField: string;
  readonly minimumThreshold: number;
};

/**
 * Returns the set that a request names or describes. Reuses a set with the same name, threshold and members,
 * and an operator with the same name and key. Raises `field_invalid`, `resource_not_found` and
 * `limit_exceeded`.
 */
export function chooseOperatorSet(
  choice: OperatorSetChoice,
  organization: OrganizationDraft,
  context: Context,
): TvcOperatorSet {
  const { id, parameters, idField, parametersField, minimumThreshold } = choice;
  if ((id === undefined) === (parameters === undefined)) {
    const found = id === undefined ? 'neither' : 'both';
    failField(idField, `expected either it or \`${parametersField}\`, got ${found}`);
  }
  const threshold = `at least ${minimumThreshold}`;
  if (parameters === undefined) {
    const known = requireOperatorSet(organization, id ?? '');
    if (known.threshold >= minimumThreshold) return known;
    return failField(
      idField,
      `expected a threshold of ${threshold}, this one's is ${known.threshold}`,
    );
  }
  if (parameters.threshold < minimumThreshold) {
    failField(`${parametersField}.threshold`, `expected ${threshold}`);
  }
  return describedSet(parameters, parametersField, organization, context);
}

/** Returns the members of a set, in its order. */
export function operatorsOf(set: TvcOperatorSet, organization: OrganizationView): TvcOperator[] {
  return set.operatorIds.map((id) => storedOperator(organization, id));
}

/** Returns the operator of a record. */
export function storedOperator(organization: OrganizationView, id: string): TvcOperator {
  const operator = organization.get('tvc_operator', id);
  assert(operator !== undefined, 'the members of a set are there');
  return operator;
}

/** Stores an operator. Raises `limit_exceeded`. */
export function createOperator(
  described: Pick<TvcOperator, 'name' | 'publicKey' | 'keySource'>,
  organization: OrganizationDraft,
  { now, newId }: Context,
): TvcOperator {
  checkLimit('tvcOperators', organization.rows('tvc_operator').size + 1, organization);
  const times = { createdAtMs: now, updatedAtMs: now };
  const operator: TvcOperator = { id: newId(), ...described, ...times };
  organization.put('tvc_operator', operator);
  return operator;
}

const requireOperatorSet = requiredRecord('tvc_operator_set', 'operator set');

function requireOperator(organization: OrganizationView, id: string): TvcOperator {
  const operator = organization.get('tvc_operator', id);
  if (operator !== undefined) return operator;
  return failNotFound('operator', id, organization);
}

function describedSet(
  parameters: OperatorSetParameters,
  field: string,
  organization: OrganizationDraft,
  context: Context,
): TvcOperatorSet {
  const { name, threshold, newOperators = [], existingOperatorIds = [] } = parameters;
  const existing = distinctIds(existingOperatorIds, `${field}.existingOperatorIds`).map((id) =>
    requireOperator(organization, id),
  );
  const count = existing.length + newOperators.length;
  if (count < 1 || count > maximumMembers) {
    failField(field, `expected 1 to ${maximumMembers} operators, got ${count}`);
  }
  if (threshold > count) {
    failField(`${field}.threshold`, `expected at most ${count}, as many as there are operators`);
  }
  const described = newOperators.map((operator, i) => ({
    name: operator.name,
    publicKey: parseKeyPair(operator.publicKey, `${field}.newOperators.${i}.publicKey`),
  }));
  refuseLikeMembers([...existing, ...described], field);

  const members = [
    ...existing,
    ...described.map(
      (operator) =>
        organization.list('tvc_operator').find((known) => isSame(known, operator)) ??
        createOperator({ ...operator, keySource: 'EXTERNAL_KEY' }, organization, context),
    ),
  ];
  const operatorIds = members.map((operator) => operator.id);
  const same = organization
    .list('tvc_operator_set')
    .find(
      (set) =>
        set.name === name &&
        set.threshold === threshold &&
        set.operatorIds.length === operatorIds.length &&
        operatorIds.every((id) => set.operatorIds.includes(id)),
    );
  if (same !== undefined) return same;

  checkLimit('tvcOperatorSets', organization.rows('tvc_operator_set').size + 1, organization);
  const times = { createdAtMs: context.now, updatedAtMs: context.now };
  const set: TvcOperatorSet = { id: context.newId(), name, operatorIds, threshold, ...times };
  organization.put('tvc_operator_set', set);
  return set;
}

type Described = Pick<TvcOperator, 'name' | 'publicKey'>;

const isSame = (known: Described, described: Described): boolean =>
  known.name === described.name && known.publicKey === described.publicKey;

/** Rejects members that share a name or a key, as enclaves do: one party would be two members. */
function refuseLikeMembers(members: readonly Described[], field: string): void {
  const seen = new Set<string>();
  for (const { name, publicKey } of members) {
    const { encrypt, sign } = pointsOf(publicKey);
    for (const [what, value] of [
      ['name', name],
      ['key of encryption', encrypt],
      ['key of signing', sign],
    ] as const) {
      const key = `${what}/${value}`;
      if (seen.has(key)) failField(field, `two operators have one ${what}: \`${value}\``);
      seen.add(key);
    }
  }
}
