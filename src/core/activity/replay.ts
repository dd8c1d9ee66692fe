// Decides the votes of a past activity again under other policies: each vote in its order and at its time, by
// users as they were then. Works from memory; the caller passes the facts that policies read.

import type { Activity, RecordedDecision } from '../organization/records/activity.ts';
import {
  type Decision,
  type DecisionInput,
  type DecisionReason,
  decideActivity,
  decisionReasons,
  mayVote,
  meetsRootQuorum,
} from '../policy/decision/decision.ts';
import { voterAsGiven } from '../policy/decision/facts.ts';
import type { Voter } from '../policy/decision/voters.ts';

/** The outcome of all votes of an activity, recorded or computed again. */
export type ReplayOutcome = 'ALLOW' | 'WAIT' | 'REFUSE' | 'REJECT';

/** Reasons why an activity cannot be replayed on the facts of its time. */
export const replayObstacles = {
  NOT_RECORDED: 'The decision was not recorded',
  BY_PARENT: 'The parent organization decided, by its own policies',
  VOTE_REPLACED: 'A vote was replaced, and the earlier one is not stored',
  VOTER_UNKNOWN: 'The credential of a vote is not stored',
  QUORUM_CHANGED: 'The root quorum has changed since then',
  AUTHENTICATORS_UNKNOWN:
    'The further credentials that the user would have needed were not determined',
  REQUEST_GONE: 'The signed request is not stored',
  FACTS_GONE: 'A resource that the request needs no longer exists',
  FACTS_CHANGED: 'Facts of the request that policies read have changed since, or are not stored',
  FACTS_ELSEWHERE: 'The request needs facts from other services',
  LIMITS_NOT_KEPT: 'A policy reads limits over time, whose earlier counters are not stored',
} as const;
export type ReplayObstacle = keyof typeof replayObstacles;

export type Replay =
  | { readonly outcome: ReplayOutcome; readonly decision: Decision | undefined }
  | { readonly obstacle: ReplayObstacle };

/** Returns the recorded outcome of the votes of an activity; undefined if none was recorded. */
export function recordedOutcome({ decisions = [] }: Activity): ReplayOutcome | undefined {
  const last = decisions.at(-1);
  if (last === undefined) return undefined;
  if (last.selection === 'VOTE_SELECTION_REJECTED') return 'REJECT';
  const outcome = last.awaitsAuthenticators === true ? 'wait' : outcomeOf(last);
  if (outcome === undefined) return undefined;
  return outcomeAt(decisions.length - 1, outcome, last.reason) ?? 'WAIT';
}

/** Returns true if no policy took part in any vote, so other policies would change nothing. */
export function isBeyondPolicies({ decisions = [] }: Activity): boolean {
  return decisions.every(({ reason }) => beyondPolicies.includes(reason ?? ''));
}

const beyondPolicies: readonly string[] = [
  'root_quorum_met',
  'root_quorum_required',
  'root_member_protected',
];

/**
 * Replays the votes of an activity. `inputAt` returns the facts at the time of a vote; `others` are the users
 * who did not vote.
 */
export async function replay(
  activity: Activity,
  inputAt: (decision: RecordedDecision) => DecisionInput | Promise<DecisionInput>,
  others: (voters: readonly Voter[]) => readonly Voter[],
): Promise<Replay> {
  const { decisions = [], submitterId } = activity;
  const given = votersOf(activity);
  if ('obstacle' in given) return given;
  const skipped = new Set<string>();
  let last: Decision | undefined;
  for (const [place, kept] of decisions.entries()) {
    const input = await inputAt(kept);
    const voter = given.voters.get(kept.userId);
    if (voter === undefined) return { obstacle: 'VOTER_UNKNOWN' };
    const isSubmitter = kept.userId === submitterId;
    const isAccepted = place === 0 || isSubmitter || mayVote(input, voter);
    if (!isAccepted) skipped.add(kept.userId);
    else if (kept.selection === 'VOTE_SELECTION_REJECTED') {
      return { outcome: 'REJECT', decision: last };
    } else {
      const voters = kept.voterIds.flatMap((id) => given.voters.get(id) ?? []);
      const counted = voters.filter(({ userId }) => !skipped.has(userId));
      const obstacle = obstacleAt(kept, input, voters);
      if (obstacle !== undefined) return { obstacle };
      const further = () => asGiven(others(counted), counted, given.voters);
      const decided = decideActivity(input, counted, submitterId, further);
      const withMfa = asAuthenticated(decided, kept, activity);
      if (withMfa === undefined) return { obstacle: 'AUTHENTICATORS_UNKNOWN' };
      last = decided;
      const outcome = outcomeAt(place, withMfa, decided.reason);
      if (outcome !== undefined) return { outcome, decision: last };
    }
  }
  return { outcome: 'WAIT', decision: last };
}

/** Returns the users who might still vote: later voters as they were then, all others as they are now. */
function asGiven(
  others: readonly Voter[],
  counted: readonly Voter[],
  given: ReadonlyMap<string, Voter>,
): readonly Voter[] {
  const isCounted = (id: string) => counted.some(({ userId }) => userId === id);
  const later = [...given.values()].filter(({ userId }) => !isCounted(userId));
  return [...later, ...others.filter(({ userId }) => !given.has(userId))];
}

/** Returns how an approval ends an activity; undefined if the activity still waits. */
function outcomeAt(
  place: number,
  outcome: Decision['outcome'],
  reason: string | undefined,
): ReplayOutcome | undefined {
  if (outcome === 'allow') return 'ALLOW';
  // After the first vote, only a denying policy ends the activity.
  const isEnd = outcome === 'refuse' && (place === 0 || reason === 'policy_denies');
  return isEnd ? 'REFUSE' : undefined;
}

/** Returns the users of all votes as they were then, by ID. */
function votersOf({
  decisions = [],
  votes,
}: Activity):
  | { readonly voters: ReadonlyMap<string, Voter> }
  | { readonly obstacle: ReplayObstacle } {
  if (decisions.length === 0) return { obstacle: 'NOT_RECORDED' };
  const voters = new Map<string, Voter>();
  for (const { voteId, byParent, reason, selection } of decisions) {
    if (byParent === true) return { obstacle: 'BY_PARENT' };
    const isApproval = selection === 'VOTE_SELECTION_APPROVED';
    if (isApproval && reason === undefined) return { obstacle: 'NOT_RECORDED' };
    const vote = votes.find(({ id }) => id === voteId);
    if (vote === undefined) return { obstacle: 'VOTE_REPLACED' };
    const voter = voterAsGiven(vote);
    if (voter === undefined) return { obstacle: 'VOTER_UNKNOWN' };
    voters.set(vote.userId, voter);
  }
  return { voters };
}

/** Returns an obstacle if the current root quorum contradicts the recorded decision on these voters. */
function obstacleAt(
  { reason = '' }: RecordedDecision,
  { rootQuorum, rule }: DecisionInput,
  voters: readonly Voter[],
): ReplayObstacle | undefined {
  const isMet = meetsRootQuorum(rootQuorum, voters);
  const hasMember = voters.some(({ userId }) => rootQuorum.userIds.includes(userId));
  const isChanged =
    isMet !== (reason === 'root_quorum_met') ||
    (reason === 'awaits_root_quorum' && !hasMember) ||
    (['no_policy_allows', 'policy_denies', 'root_quorum_required'].includes(reason) && hasMember) ||
    (rule === 'policy' && reason === 'root_member_protected');
  return isChanged ? 'QUORUM_CHANGED' : undefined;
}

/** Returns the outcome after MFA; undefined if it is unknown which methods were required of the users. */
function asAuthenticated(
  { outcome }: Decision,
  kept: RecordedDecision,
  { votes }: Activity,
): Decision['outcome'] | undefined {
  if (outcome === 'refuse') return outcome;
  if (kept.awaitsAuthenticators === true) return 'wait';
  const wasAsked = outcomeOf(kept) !== 'refuse';
  const mayDemand = votes.some(({ user }) => user.mfaPolicies.length > 0);
  return wasAsked || !mayDemand ? outcome : undefined;
}

function outcomeOf({ reason }: RecordedDecision): Decision['outcome'] | undefined {
  return reason === undefined ? undefined : decisionReasons[reason as DecisionReason];
}
