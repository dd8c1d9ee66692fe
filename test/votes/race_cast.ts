// The users of a race, and its possible policy rules: each as a policy text and as an independent function.

import { keyPairs, rootKeyPair } from '../simulation/key_pairs.ts';

/** A user as rules see it. */
export type Person = { readonly id: string; readonly isTagged: boolean };

export type Rule = {
  readonly text: string;
  readonly holds: (approvers: readonly Person[]) => boolean;
  /** Returns true if the rule mentions this user, who may then vote. */
  readonly concerns: (person: Person) => boolean;
};

/** The voters; the first three are the initial root quorum, the last two have the tag. */
export const names = ['ada', 'bob', 'cyd', 'dee', 'eve'] as const;

/** Carries out all unvoted changes; never deleted, and never in the root quorum. */
export const adminPair = rootKeyPair;

const signingPairs = (curve: string) =>
  keyPairs.filter((pair) => pair !== adminPair && pair.curve === curve);

/** Returns two key pairs for each voter. */
export const pairsOf = (i: number) =>
  [signingPairs('API_KEY_CURVE_ED25519')[i], signingPairs('API_KEY_CURVE_P256')[i]].filter(
    (pair) => pair !== undefined,
  );

/** Returns the key pairs of a voter, in the form of `userWithKeys`. */
export const keysOf = (userName: string, i: number) =>
  pairsOf(i).map(({ publicKey, curve: curveType }, k) => ({
    name: `${userName} ${k}`,
    publicKey,
    curveType,
  }));

/** The condition of requests that are voted on, besides those of the root quorum. */
export const gateText = "activity.kind == 'CREATE_USER_TAG' || activity.kind == 'SIGN_RAW_PAYLOAD'";

/** The condition of the admin's own rights. */
export const adminText =
  "activity.kind in ['DELETE_USERS', 'CREATE_USERS', 'CREATE_API_KEYS', 'DELETE_API_KEYS', 'CREATE_POLICY', 'UPDATE_POLICY', 'DELETE_POLICY', 'UPDATE_USER_TAG']";

/** The activity types that `gateText` covers. */
export const gatedTypes: readonly string[] = [
  'ACTIVITY_TYPE_CREATE_USER_TAG',
  'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
];

/** The activity types that only the root quorum may approve. */
export const rootTypes: readonly string[] = [
  'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
  'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM',
];

/** Returns the rules of policies that allow the gated requests. */
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

/** Returns the rules of policies that deny them. */
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

/** Returns the rule that one user approves. */
export const ruleOfUser = (id: string): Rule => ({
  text: `approvers.any(user, user.id == '${id}')`,
  holds: (approvers) => approvers.some((person) => person.id === id),
  concerns: (person) => person.id === id,
});

const everybody = () => true;
