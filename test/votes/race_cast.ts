// Who takes part in a race, and the rules that its policies can have: each as a text of the policy
// language and once more as plain functions.

import { keyPairs, rootKeyPair } from '../simulation/key_pairs.ts';

/** A user as rules see it. */
export type Person = { readonly id: string; readonly isTagged: boolean };

export type Rule = {
  readonly text: string;
  readonly holds: (approvers: readonly Person[]) => boolean;
  /** True if the rule speaks of this user, who may vote then. */
  readonly concerns: (person: Person) => boolean;
};

/** The voters; the first three are the root quorum at the beginning, the last two have the tag. */
export const names = ['ada', 'bob', 'cyd', 'dee', 'eve'] as const;

/** Runs everything but what is voted on; never removed, and never of the root quorum. */
export const adminPair = rootKeyPair;

const signingPairs = (curve: string) =>
  keyPairs.filter((pair) => pair !== adminPair && pair.curve === curve);

/** Two key pairs for each voter. */
export const pairsOf = (i: number) =>
  [signingPairs('API_KEY_CURVE_ED25519')[i], signingPairs('API_KEY_CURVE_P256')[i]].filter(
    (pair) => pair !== undefined,
  );

/** The key pairs of a voter, in the form of `userWithKeys`. */
export const keysOf = (userName: string, i: number) =>
  pairsOf(i).map(({ publicKey, curve: curveType }, k) => ({
    name: `${userName} ${k}`,
    publicKey,
    curveType,
  }));

/** The requests that are voted on, besides those of the root quorum alone. */
export const gateText = "activity.kind == 'CREATE_USER_TAG' || activity.kind == 'SIGN_RAW_PAYLOAD'";

/** The admin's own power. */
export const adminText =
  "activity.kind in ['DELETE_USERS', 'CREATE_USERS', 'CREATE_API_KEYS', 'DELETE_API_KEYS', 'CREATE_POLICY', 'UPDATE_POLICY', 'DELETE_POLICY', 'UPDATE_USER_TAG']";

/** The kinds of activities that `gateText` holds for. */
export const gatedTypes: readonly string[] = [
  'ACTIVITY_TYPE_CREATE_USER_TAG',
  'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
];

/** The requests of the root quorum alone. */
export const rootTypes: readonly string[] = [
  'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
  'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM',
];

/** Rules of the policies that allow what is gated. */
export function allowRules(tagId: string, ids: readonly string[]): readonly Rule[] {
  const tagged = `approvers.any(user, user.tags.contains('${tagId}'))`;
  const isTagged = (person: Person) => person.isTagged;
  const atLeast = (count: number): Rule => ({
    text: `approvers.count() >= ${count}`,
    holds: (approvers) => approvers.length >= count,
    concerns: everybody,
  });
  return [
    atLeast(2),
    atLeast(3),
    {
      text: `${tagged} && approvers.count() >= 2`,
      holds: (approvers) => approvers.some(isTagged) && approvers.length >= 2,
      concerns: everybody,
    },
    {
      text: `approvers.filter(user, user.tags.contains('${tagId}')).count() >= 2`,
      holds: (approvers) => approvers.filter(isTagged).length >= 2,
      concerns: isTagged,
    },
    ...ids.slice(2).map(ruleOfUser),
  ];
}

/** Rules of the policies that deny it. */
export function denyRules(ids: readonly string[]): readonly Rule[] {
  return [
    {
      text: 'approvers.count() < 3',
      holds: (approvers) => approvers.length < 3,
      concerns: everybody,
    },
    ...ids.slice(3).map(ruleOfUser),
  ];
}

/** The rule that one user approves. */
export const ruleOfUser = (id: string): Rule => ({
  text: `approvers.any(user, user.id == '${id}')`,
  holds: (approvers) => approvers.some((person) => person.id === id),
  concerns: (person) => person.id === id,
});

const everybody = () => true;
