// Decides an activity: first the root quorum, then policies that deny, policies that allow, and rights over
// own credentials. Also finds out whether further votes could allow it. docs/policy-language.md, "How it is
// decided", describes this file.

import type { PolicyEffect } from '../../base/enums.ts';
import { finish, type Steps } from '../../base/steps.ts';
import { assert } from '../../errors/errors.ts';
import type { MfaStatus } from '../../mfa/mfa.ts';
import type { FailedDenyMode, RootQuorum } from '../../organization/model.ts';
import { type ClauseOutcome, type Meter, newMeter } from '../language/clause.ts';
import {
  holds,
  isAboutSomethingElse,
  isFailure,
  isFalse,
  isNeverSkipped,
  isTrue,
} from '../language/clause_outcomes.ts';
import type { Scope } from '../language/values.ts';
import { conditionOutcomes, rememberOutcomes } from './condition_outcomes.ts';
import type { DecidingPolicy } from './deciding_policy.ts';
import { consensusScope, type Voter } from './voters.ts';

/** The input of a decision that does not depend on votes. */
export type DecisionInput = {
  /** `other_member`: changes a credential or contact of a root quorum member other than the submitter. */
  readonly rule: 'policy' | 'root_quorum' | 'other_member';
  readonly rootQuorum: RootQuorum;
  readonly failedDeny: FailedDenyMode;
  /** The user whose credentials the request manages. */
  readonly ownUserId: string | undefined;
  /** Counts the steps of all evaluations with this input. */
  readonly within: Meter | undefined;
  /**
   * One for each policy, in their order; empty if policies do not decide. Evaluated lazily, since the root
   * quorum decides without them.
   */
  readonly partialVerdicts: () => readonly PartialVerdict[];
  /** Evaluates the conditions and times in advance, in steps. */
  readonly evaluateInSteps: () => Steps<readonly PartialVerdict[]>;
  /** Caches the outcomes of the conditions for requests with this key, if they were evaluated. */
  readonly remember: (key: string) => void;
};

/** The outcome of a policy before its consensus. */
export type PartialVerdict = {
  readonly policy: DecidingPolicy;
  readonly condition: ClauseOutcome;
  readonly time: ClauseOutcome;
  /** The verdict that holds for all votes; undefined if it depends on the votes. */
  readonly verdict: PolicyVerdict | undefined;
};

export type PolicyVerdict = {
  readonly policy: DecidingPolicy;
  readonly outcome: PolicyOutcome;
  readonly condition: ClauseOutcome;
  /** Undefined if the condition decides for all votes. */
  readonly consensus: ClauseOutcome | undefined;
  readonly time: ClauseOutcome;
};

/** Outcomes of policies, with their letters in stored evaluations. */
export const policyOutcomes = {
  OUTCOME_ALLOW: 'A',
  OUTCOME_DENY_EXPLICIT: 'D',
  OUTCOME_DENY_IMPLICIT: 'I',
  OUTCOME_REQUIRES_CONSENSUS: 'C',
  OUTCOME_REJECTED: 'R',
  OUTCOME_ERROR: 'E',
  OUTCOME_REQUIRES_AUTHENTICATORS: 'M',
  OUTCOME_TIME_INACTIVE: 'T',
} as const;
export type PolicyOutcome = keyof typeof policyOutcomes;

/** Reasons why an activity is allowed, waits or is refused: stable codes with their outcomes. */
export const decisionReasons = {
  root_quorum_met: 'allow',
  policy_allows: 'allow',
  own_credential: 'allow',
  awaits_policy_votes: 'wait',
  awaits_root_quorum: 'wait',
  policy_denies: 'refuse',
  root_quorum_required: 'refuse',
  root_member_protected: 'refuse',
  no_policy_allows: 'refuse',
} as const;
export type DecisionReason = keyof typeof decisionReasons;

export type Decision = {
  readonly outcome: (typeof decisionReasons)[DecisionReason];
  readonly reason: DecisionReason;
  /** One verdict for each evaluated policy, in their order. */
  readonly verdicts: readonly PolicyVerdict[];
  /** Policies that denied, by their clauses or by a failed clause. */
  readonly denying: readonly DecidingPolicy[];
  /** The users whose approvals were counted. */
  readonly voterIds: readonly string[];
  /** The factors that users must show first: until then the activity waits. */
  readonly missing?: readonly MfaStatus[];
};

/** Bounds the search for pairs of allowing voters. */
const maximumPairedVoters = 20;

/** Returns the input that does not depend on votes. Evaluates conditions and times lazily. */
export function decisionInputOf(input: {
  readonly rule: DecisionInput['rule'];
  readonly rootQuorum: RootQuorum;
  readonly failedDeny: FailedDenyMode | undefined;
  readonly ownUserId: string | undefined;
  readonly policies: readonly DecidingPolicy[];
  /** Evaluated only when policies decide. */
  readonly scopes: () => readonly Scope[];
  /** Equal keys mean equal scopes. Default: the outcomes are not cached. */
  readonly scopeKey?: () => string | undefined;
  readonly timeScope: Scope;
  /** Meter that several decisions of a query share. */
  readonly within?: Meter | undefined;
}): DecisionInput {
  const { rule, rootQuorum, ownUserId, policies, timeScope, within } = input;
  const hasPolicies = rule === 'policy' && policies.length > 0;
  let partial: readonly PartialVerdict[] | undefined = hasPolicies ? undefined : [];
  let outcomes: readonly ClauseOutcome[] | undefined;
  function* evaluateInSteps(): Steps<readonly PartialVerdict[]> {
    if (partial !== undefined) return partial;
    const key = input.scopeKey?.();
    outcomes = yield* conditionOutcomes(policies, input.scopes, key, within);
    partial = atTime(beforeTime(policies, outcomes, key), policies, timeScope, within);
    return partial;
  }
  return {
    rule,
    rootQuorum,
    ownUserId,
    within,
    failedDeny: input.failedDeny ?? 'FAILED_DENY_REFUSES',
    partialVerdicts: () => finish(evaluateInSteps()),
    evaluateInSteps,
    remember: (key) => {
      if (outcomes !== undefined) rememberOutcomes(policies, key, outcomes);
    },
  };
}

/** Returns true if these voters reach the root quorum. */
export function meetsRootQuorum(
  { threshold, userIds }: RootQuorum,
  voters: readonly Pick<Voter, 'userId'>[],
): boolean {
  // A threshold of zero is an unset quorum, which no votes reach.
  if (threshold < 1) return false;
  let votes = 0;
  for (const id of userIds) if (voters.some(({ userId }) => userId === id)) votes += 1;
  return votes >= threshold;
}

/**
 * Decides on an activity by the counted votes. `submitterId` is its submitter; `others` returns the users
 * without a counted vote, and is called only when further votes matter.
 */
export function decideActivity(
  input: DecisionInput,
  voters: readonly Voter[],
  submitterId: string,
  others: () => readonly Voter[],
): Decision {
  const { rootQuorum } = input;
  if (meetsRootQuorum(rootQuorum, voters)) return decided('root_quorum_met', voters);
  const hasRootVoter = voters.some(({ userId }) => rootQuorum.userIds.includes(userId));
  if (input.rule !== 'policy') {
    if (hasRootVoter) return decided('awaits_root_quorum', voters);
    const isOfMember = input.rule === 'other_member';
    return decided(isOfMember ? 'root_member_protected' : 'root_quorum_required', voters);
  }

  const meter = newMeter(input.within);
  const judged = judge(input, voters, meter);
  if (judged.allows) return decided('policy_allows', voters, judged);
  if (couldBeAllowed(input, voters, submitterId, others, meter)) {
    return decided('awaits_policy_votes', voters, judged);
  }
  const isDenied = judged.denying.length > 0;
  if (!isDenied && isOwn(input, voters) && !judged.lacksConsensus) {
    return decided('own_credential', voters, judged);
  }
  if (hasRootVoter) return decided('awaits_root_quorum', voters, judged);
  return decided(isDenied ? 'policy_denies' : 'no_policy_allows', voters, judged);
}

/**
 * Returns true if these votes allow the activity. Decides like `decideActivity`, but searches further votes
 * only for own credentials.
 */
export function isAllowed(
  input: DecisionInput,
  voters: readonly Voter[],
  submitterId: string,
  others: () => readonly Voter[],
): boolean {
  if (meetsRootQuorum(input.rootQuorum, voters)) return true;
  if (input.rule !== 'policy') return false;
  const meter = newMeter(input.within);
  const { allows, denying, lacksConsensus } = judge(input, voters, meter);
  if (allows) return true;
  const isTheirOwn = denying.length === 0 && isOwn(input, voters) && !lacksConsensus;
  return isTheirOwn && !couldBeAllowed(input, voters, submitterId, others, meter);
}

/**
 * Returns true if this user may vote on the activity: a member of the root quorum, or a user in the consensus
 * of a policy that would otherwise allow it.
 */
export function mayVote(input: DecisionInput, voter: Voter): boolean {
  if (input.rootQuorum.userIds.includes(voter.userId)) return true;
  const meter = newMeter(input.within);
  return input.partialVerdicts().some((partial) => mentions(partial, voter, meter));
}

type Judgement = Pick<Decision, 'verdicts' | 'denying'> & {
  readonly allows: boolean;
  /** True if a policy would allow if its consensus held. */
  readonly lacksConsensus: boolean;
};

const nothing = { verdicts: [], denying: [] };

function decided(
  reason: DecisionReason,
  voters: readonly Voter[],
  { verdicts, denying }: Pick<Decision, 'verdicts' | 'denying'> = nothing,
): Decision {
  const voterIds = voters.map(({ userId }) => userId);
  return { outcome: decisionReasons[reason], reason, verdicts, denying, voterIds };
}

/** Returns the partial verdicts of the policies as if their times held. */
function beforeTime(
  policies: readonly DecidingPolicy[],
  outcomes: readonly ClauseOutcome[],
  key: string | undefined,
): readonly PartialVerdict[] {
  const made = () =>
    policies.map((policy, i) => {
      const condition = outcomes[i];
      assert(condition !== undefined, 'each policy has an outcome');
      return partialVerdict(policy, condition, holds);
    });
  if (key === undefined) return made();
  return remembered
    .getOrInsertComputed(policies, () => new WeakMap())
    .getOrInsertComputed(outcomes, made);
}

/** Caches partial verdicts without retaining removed policies. */
const remembered = new WeakMap<
  readonly DecidingPolicy[],
  WeakMap<readonly ClauseOutcome[], readonly PartialVerdict[]>
>();

function atTime(
  partialVerdicts: readonly PartialVerdict[],
  policies: readonly DecidingPolicy[],
  timeScope: Scope,
  within: Meter | undefined,
): readonly PartialVerdict[] {
  if (!policies.some(({ time }) => time !== undefined)) return partialVerdicts;
  const meter = newMeter(within);
  return partialVerdicts.map((each) => {
    const { policy, condition } = each;
    if (policy.time === undefined) return each;
    return partialVerdict(policy, condition, policy.time.evaluate(timeScope, meter));
  });
}

/** Returns a policy's verdict from the outcomes of its condition and its time. */
export function partialVerdict(
  policy: DecidingPolicy,
  condition: ClauseOutcome,
  time: ClauseOutcome,
): PartialVerdict {
  const outcome = outcomeWithoutVotes(policy, condition);
  const verdict = outcome && { policy, outcome, condition, consensus: undefined, time };
  return { policy, condition, time, verdict };
}

/** Returns the outcome if votes cannot change it: the condition is false, or fails without denying. */
function outcomeWithoutVotes(
  { effect }: DecidingPolicy,
  condition: ClauseOutcome,
): PolicyOutcome | undefined {
  if (isFalse(condition)) return 'OUTCOME_DENY_IMPLICIT';
  if (!isFailure(condition)) return undefined;
  return effect === 'EFFECT_ALLOW' || isAboutSomethingElse(condition) ? 'OUTCOME_ERROR' : undefined;
}

function judge(input: DecisionInput, voters: readonly Voter[], meter: Meter): Judgement {
  const votes = consensusScope(voters);
  const verdicts: PolicyVerdict[] = [];
  const denying: DecidingPolicy[] = [];
  let hasAllow = false;
  let lacksConsensus = false;
  for (const { policy, condition, time, verdict } of input.partialVerdicts()) {
    if (verdict !== undefined) {
      verdicts.push(verdict);
      continue;
    }
    const consensus = policy.consensus?.evaluate(votes, meter) ?? holds;
    const outcome = outcomeOf(policy.effect, condition, consensus, time);
    verdicts.push({ policy, outcome, condition, consensus, time });
    if (outcome === 'OUTCOME_ALLOW') hasAllow = true;
    else if (outcome === 'OUTCOME_REQUIRES_CONSENSUS') lacksConsensus = true;
    else if (outcome === 'OUTCOME_DENY_EXPLICIT') denying.push(policy);
    else if (outcome === 'OUTCOME_ERROR' && policy.effect === 'EFFECT_DENY') {
      const failed = [condition, consensus, time];
      // However it is set, nothing gets past a DENY by taking long to decide, or by an unknown amount.
      const isSkipped = input.failedDeny === 'FAILED_DENY_SKIPPED' && !failed.some(isNeverSkipped);
      if (!isSkipped && denies(failed)) denying.push(policy);
    }
  }
  return { verdicts, denying, allows: denying.length === 0 && hasAllow, lacksConsensus };
}

/** Returns the outcome of the clauses of a policy whose condition is not false. */
function outcomeOf(
  effect: PolicyEffect,
  condition: ClauseOutcome,
  consensus: ClauseOutcome,
  time: ClauseOutcome,
): PolicyOutcome {
  if (isFailure(condition) || isFailure(consensus) || isFailure(time)) return 'OUTCOME_ERROR';
  const isDeny = effect === 'EFFECT_DENY';
  if (isFalse(consensus)) {
    const waits = !isDeny && !isFalse(time);
    return waits ? 'OUTCOME_REQUIRES_CONSENSUS' : 'OUTCOME_DENY_IMPLICIT';
  }
  if (isFalse(time)) return 'OUTCOME_TIME_INACTIVE';
  return isDeny ? 'OUTCOME_DENY_EXPLICIT' : 'OUTCOME_ALLOW';
}

/**
 * Returns true if a failed DENY denies, since it might have held. It does not deny if another clause is
 * false, or if it mentions a namespace that this activity lacks.
 */
function denies(clauses: readonly ClauseOutcome[]): boolean {
  return !clauses.some(isFalse) && !clauses.some(isAboutSomethingElse);
}

/**
 * Returns true if some set of further voters would make policies allow. Tries only users who may vote. The
 * submitter must be among them, because users cannot approve activities that concern only others. Tries
 * growing sets in the order of the users, each user alone, and pairs of the first 20.
 */
function couldBeAllowed(
  input: DecisionInput,
  voters: readonly Voter[],
  submitterId: string,
  others: () => readonly Voter[],
  meter: Meter,
): boolean {
  const waiting = input.partialVerdicts().filter(couldAllow);
  if (waiting.length === 0) return false;
  const isMentioned = (voter: Voter) => waiting.some((partial) => mentions(partial, voter, meter));
  const isSubmitter = ({ userId }: Voter) => userId === submitterId;
  // A submitter whose vote has expired is not a voter, but may vote again.
  const submitter = voters.find(isSubmitter) ?? others().find(isSubmitter);
  if (submitter === undefined) return false;
  if (!isMentioned(submitter) && !isOwn(input, [...voters, submitter])) return false;
  const further = others().filter(isMentioned);
  return furtherSets(further).some((set) => judge(input, [...voters, ...set], meter).allows);
}

function furtherSets(voters: readonly Voter[]): readonly (readonly Voter[])[] {
  if (voters.length === 0) return [];
  const growing = voters.map((_, i) => voters.slice(0, i + 1)).reverse();
  const single = voters.map((voter) => [voter]);
  const paired = voters.slice(0, maximumPairedVoters);
  const pairs = paired.flatMap((one, i) => paired.slice(i + 1).map((other) => [one, other]));
  return [...growing, ...single, ...pairs];
}

/** Returns true if an ALLOW lacks only votes. */
function couldAllow({ policy, condition, time }: PartialVerdict): boolean {
  return (
    policy.effect === 'EFFECT_ALLOW' &&
    policy.consensus !== undefined &&
    isTrue(condition) &&
    isTrue(time)
  );
}

function mentions(partial: PartialVerdict, voter: Voter, meter: Meter): boolean {
  const { consensus } = partial.policy;
  return couldAllow(partial) && consensus?.mentions(consensusScope([voter]), meter) === true;
}

function isOwn({ ownUserId }: DecisionInput, voters: readonly Voter[]): boolean {
  return ownUserId !== undefined && voters.some(({ userId }) => userId === ownUserId);
}
