// Counts the given and the needed approvals of a waiting activity. The counts are only displayed.

import { newMeter } from '../language/clause.ts';
import { isFalse, isTrue } from '../language/clause_outcomes.ts';
import type { DecisionInput } from './decision.ts';
import { consensusScope, type Voter } from './voters.ts';

/** A rule that allows the activity after enough approvals of the users that it counts. */
type CountingRule = {
  readonly needed: number;
  readonly counts: (voter: Voter) => boolean;
};

/** The rules under which further approvals can allow an activity. */
type CountingRules = { readonly policy?: CountingRule; readonly rootQuorum: CountingRule };

/** A user whose approval counts (`given`), or who may still approve. */
export type CountedUser = {
  readonly userId: string;
  readonly given: boolean;
  readonly byPolicy: boolean;
  readonly byRootQuorum: boolean;
};

/** The approvals under the rule that decides. */
export type ApprovalCount = {
  readonly given: number;
  readonly needed: number;
  /** By user id: the number of approvals still needed after an approval of that user. */
  readonly neededAfter: ReadonlyMap<string, number>;
};

/**
 * Returns the rules if at most one policy waits for approvals and only counts users. Returns undefined
 * otherwise.
 */
export function countingRules(
  input: DecisionInput,
  given: readonly Voter[],
): CountingRules | undefined {
  const { rule, ownUserId, within } = input;
  const { threshold, userIds } = input.rootQuorum;
  const rootQuorum: CountingRule = {
    needed: threshold,
    counts: ({ userId }) => userIds.includes(userId),
  };
  if (rule !== 'policy') return { rootQuorum };
  // The approval of the owner of a credential may suffice without any policy.
  const isOwnerGiven = given.some(({ userId }) => userId === ownUserId);
  if (ownUserId !== undefined && !isOwnerGiven) return undefined;
  const [open, ...others] = input
    .partialVerdicts()
    .filter(({ verdict, time }) => verdict === undefined && !isFalse(time));
  if (open === undefined) return { rootQuorum };
  const { policy, condition, time } = open;
  const count = policy.consensus?.count?.();
  const isPlain = policy.effect === 'EFFECT_ALLOW' && isTrue(condition) && isTrue(time);
  if (others.length > 0 || !isPlain || count === undefined) return undefined;
  const counts = (voter: Voter): boolean =>
    isTrue(count.ofOne(consensusScope([voter]), newMeter(within)));
  return { policy: { needed: count.least, counts }, rootQuorum };
}

/** Returns a user with the rules that count it. */
export const countedUser = (
  { policy, rootQuorum }: CountingRules,
  voter: Voter,
  given: boolean,
): CountedUser => ({
  userId: voter.userId,
  given,
  byPolicy: policy?.counts(voter) === true,
  byRootQuorum: rootQuorum.counts(voter),
});

/**
 * Counts approvals under the policy if the users can meet it, else under the root quorum. Returns undefined
 * if several members of the root quorum could allow the activity with fewer approvals than the policy needs.
 */
export function approvalCount(
  { policy, rootQuorum }: CountingRules,
  users: readonly CountedUser[],
): ApprovalCount | undefined {
  const ofPolicy = policy && wayOf(policy.needed, users, ({ byPolicy }) => byPolicy);
  const ofRoot = wayOf(rootQuorum.needed, users, ({ byRootQuorum }) => byRootQuorum);
  const shown = ofPolicy ?? ofRoot;
  if (shown === undefined) return undefined;
  const other = shown === ofRoot ? undefined : ofRoot;
  const isShorter = other !== undefined && other.missing < shown.missing;
  // One approval of a member of the root quorum may suffice: `neededAfter` is then 0 for that member.
  if (isShorter && other.missing > 1) return undefined;
  const ways = other === undefined || isShorter ? [shown] : [shown, other];
  const neededAfter = users.flatMap((user) => {
    if (user.given) return [];
    if (isShorter && user.byRootQuorum) return [[user.userId, 0] as const];
    const after = ways.map(({ missing, counts }) => missing - (counts(user) ? 1 : 0));
    return [[user.userId, Math.min(...after)] as const];
  });
  return { given: shown.given, needed: shown.needed, neededAfter: new Map(neededAfter) };
}

/** Returns undefined if these users cannot give enough approvals. */
function wayOf(
  needed: number,
  users: readonly CountedUser[],
  counts: (user: CountedUser) => boolean,
) {
  // A threshold of zero is an unset quorum.
  if (needed < 1) return undefined;
  const counted = users.filter(counts);
  const given = counted.filter((user) => user.given).length;
  return counted.length < needed ? undefined : { given, needed, missing: needed - given, counts };
}
