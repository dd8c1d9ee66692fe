// Counts the given and the needed approvals of a waiting activity. The counts are only displayed.

import { newMeter } from '../language/clause.ts';
import { isFailure, isFalse, isTrue } from '../language/clause_outcomes.ts';
import type { VoterCount } from './deciding_policy.ts';
import type { DecisionInput } from './decision.ts';
import { consensusScope, type Voter } from './voters.ts';

/** A rule that allows the activity after enough approvals of the users that it counts. */
type CountingRule = {
  readonly needed: number;
  /** Returns whether the rule counts a user; undefined if the rule fails for the user. */
  readonly counts: (voter: Voter) => boolean | undefined;
};

/** The rules that can allow an activity by further approvals. */
type CountingRules = {
  readonly policy?: CountingRule & Pick<VoterCount, 'clauses'>;
  readonly rootQuorum: CountingRule;
};

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
  /** Number of approvals still needed after the approval of a user, by user ID. */
  readonly neededAfter: ReadonlyMap<string, number>;
};

/**
 * Returns the rules that count approvals: the root quorum, and the one open policy if it only counts users.
 * Returns undefined if other approvals could decide: of several open policies, of a policy with another
 * consensus, or of the owner of a credential.
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
  // The owner of a credential may need no other approval.
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
  // The users share the steps of one decision, because one decision evaluates all their approvals.
  const meter = newMeter(within);
  const counts = (voter: Voter) => {
    const outcome = count.ofOne(consensusScope([voter]), meter);
    return isFailure(outcome) ? undefined : isTrue(outcome);
  };
  return { policy: { needed: count.least, clauses: count.clauses, counts }, rootQuorum };
}

/**
 * Returns whether each rule counts a user. Undefined if the policy fails for the user, because it would then
 * allow nothing.
 */
export function countedUser(
  { policy, rootQuorum }: CountingRules,
  voter: Voter,
  given: boolean,
): CountedUser | undefined {
  const byPolicy = policy === undefined ? false : policy.counts(voter);
  if (byPolicy === undefined) return undefined;
  const byRootQuorum = rootQuorum.counts(voter) === true;
  return { userId: voter.userId, given, byPolicy, byRootQuorum };
}

/**
 * Counts under the policy if the users can meet it, else under the root quorum. Returns undefined if several
 * members of the root quorum could allow the activity by fewer approvals than the policy needs, and for a
 * rule that is met already.
 */
export function approvalCount(
  { policy, rootQuorum }: CountingRules,
  users: readonly CountedUser[],
): ApprovalCount | undefined {
  const ofPolicy = policy && wayOf(policy.needed, users, ({ byPolicy }) => byPolicy);
  const ofRoot = wayOf(rootQuorum.needed, users, ({ byRootQuorum }) => byRootQuorum);
  const shown = ofPolicy ?? ofRoot;
  // A rule may be met because policies or the quorum changed; the next vote decides.
  const isMet = [ofPolicy, ofRoot].some((way) => way !== undefined && way.missing < 1);
  if (shown === undefined || isMet) return undefined;
  const other = shown === ofRoot ? undefined : ofRoot;
  const isShorter = other !== undefined && other.missing < shown.missing;
  // If a single approval of a root quorum member suffices, `neededAfter` of that member is 0.
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
