// Reads policies from a file in the format of `policy test`, and compares them with the stored ones.

import type { Client } from '../../client/connect.ts';
import { readFileBounded } from '../files/files.ts';
import { usage } from '../words/failures.ts';

/** The editable members of a policy. A missing clause is an empty text. */
export type PolicyText = {
  readonly policyName: string;
  readonly effect: 'EFFECT_ALLOW' | 'EFFECT_DENY';
  readonly condition: string;
  readonly consensus: string;
  readonly time: string;
  readonly notes: string;
};

type StoredPolicy = PolicyText & { readonly policyId: string };

/** A difference between a file and the stored policies. */
export type PolicyChange =
  | { readonly kind: 'create'; readonly desired: PolicyText }
  | { readonly kind: 'update'; readonly stored: StoredPolicy; readonly desired: PolicyText }
  | { readonly kind: 'delete'; readonly stored: StoredPolicy };

const clauses = ['effect', 'condition', 'consensus', 'time', 'notes'] as const;

/** Returns the policies of a file. Throws `usage` with the invalid member. */
export async function readPolicyFile(path: string): Promise<readonly PolicyText[]> {
  const text = new TextDecoder().decode(await readFileBounded(path));
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw usage(`${path} is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
  const rows = objectOf(file)?.['policies'];
  if (!Array.isArray(rows)) throw usage(`${path}: policies is not a list`);
  const policies = rows.map((row, place) => policyOf(row, `${path}: policies[${place}]`));
  const names = policies.map(({ policyName }) => policyName);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw usage(`${path}: two policies are named ${twice}`);
  return policies;
}

function policyOf(value: unknown, place: string): PolicyText {
  const row = objectOf(value);
  if (row === undefined) throw usage(`${place} is not an object`);
  const text = (name: string, absent?: string): string => {
    const member = row[name] ?? absent;
    if (typeof member !== 'string') throw usage(`${place}.${name} is not text`);
    return member;
  };
  const effect = text('effect');
  if (effect !== 'EFFECT_ALLOW' && effect !== 'EFFECT_DENY') {
    throw usage(`${place}.effect is neither EFFECT_ALLOW nor EFFECT_DENY`);
  }
  return {
    policyName: text('policyName'),
    effect,
    condition: text('condition', ''),
    consensus: text('consensus', ''),
    time: text('time', ''),
    notes: text('notes', ''),
  };
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;

/** Returns the policies of the organization, oldest first. */
export async function storedPolicies(client: Client): Promise<readonly StoredPolicy[]> {
  const { policies } = await client.query('list_policies');
  return policies.map(({ policyId, policyName, effect, condition, consensus, time, notes }) => ({
    policyId,
    policyName,
    effect,
    condition,
    consensus,
    time: time ?? '',
    notes,
  }));
}

/**
 * Returns the changes that make the stored policies equal to the file, matched by name. `deletes`: also
 * delete policies that the file lacks.
 */
export function policyChanges(
  desired: readonly PolicyText[],
  stored: readonly StoredPolicy[],
  { deletes }: { readonly deletes: boolean },
): readonly PolicyChange[] {
  const byName = new Map(stored.map((policy) => [policy.policyName, policy]));
  const names = new Set(desired.map(({ policyName }) => policyName));
  return [
    ...desired.flatMap((policy): readonly PolicyChange[] => {
      const present = byName.get(policy.policyName);
      if (present === undefined) return [{ kind: 'create', desired: policy }];
      const isSame = clauses.every((clause) => present[clause] === policy[clause]);
      return isSame ? [] : [{ kind: 'update', stored: present, desired: policy }];
    }),
    ...stored
      .filter(({ policyName }) => deletes && !names.has(policyName))
      .map((policy): PolicyChange => ({ kind: 'delete', stored: policy })),
  ];
}

/** Returns the lines of a change: a sign, the name, and each clause that differs. */
export function changeLines(change: PolicyChange): readonly string[] {
  if (change.kind === 'create') return [`+ ${change.desired.policyName}`];
  if (change.kind === 'delete') return [`- ${change.stored.policyName}`];
  const { stored, desired } = change;
  const differing = clauses.filter((clause) => stored[clause] !== desired[clause]);
  return [
    `~ ${desired.policyName}`,
    ...differing.flatMap((clause) => [
      `    - ${clause}: ${stored[clause]}`,
      `    + ${clause}: ${desired[clause]}`,
    ]),
  ];
}

/** Returns the parameters of a new policy. Omits empty clauses. */
export function newPolicy({ policyName, effect, notes, ...texts }: PolicyText) {
  const { condition, consensus, time } = texts;
  return {
    policyName,
    effect,
    notes,
    ...(condition === '' ? {} : { condition }),
    ...(consensus === '' ? {} : { consensus }),
    ...(time === '' ? {} : { time }),
  };
}

/** Returns the parameters of an update, with every clause of the file. */
export function policyUpdate({
  stored,
  desired,
}: Extract<PolicyChange, { readonly kind: 'update' }>) {
  const { effect, condition, consensus, time, notes } = desired;
  return {
    policyId: stored.policyId,
    policyEffect: effect,
    policyCondition: condition,
    policyConsensus: consensus,
    policyNotes: notes,
    time,
  };
}
