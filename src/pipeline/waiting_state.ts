// Current state of a waiting activity, for display only.

import { isOpen } from '../core/activity/activity.ts';
import { otherVoters } from '../core/activity/votes.ts';
import { isRefusal, type ServiceError } from '../core/errors/errors.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import {
  type ApprovalCount,
  approvalCount,
  type CountedUser,
  countedUser,
  countingRules,
} from '../core/policy/decision/approval_count.ts';
import { completes, dependsOnCredentials } from '../core/policy/decision/completing_approval.ts';
import { type Decision, decideActivity } from '../core/policy/decision/decision.ts';
import { possibleVoter } from '../core/policy/decision/facts.ts';
import { requireMfa } from '../core/policy/decision/require_mfa.ts';
import type { Voter } from '../core/policy/decision/voters.ts';
import { stepsPerByte } from '../core/policy/language/bounds.ts';
import { type Meter, take } from '../core/policy/language/clause.ts';
import { compileInParts } from '../core/policy/language/compiled_clauses.ts';
import { authProxyConfigOf } from '../core/settings/auth_proxy.ts';
import type { WaitingState, WaitingVoter } from '../operations/waiting_state.ts';
import type { Catalog } from './catalog.ts';
import { readOnlyPorts } from './chain_lookups.ts';
import type { Ports } from './ports.ts';
import type { Preparation } from './prepare.ts';
import { parseWaiting, prepareWaiting, type Tally, tallyOf } from './prepare_waiting.ts';
import { rightsOf, stillPrepared } from './voting_rights.ts';

/** An activity to show, with its preparation if the request has prepared it. */
type Shown = {
  readonly activity: Activity;
  readonly state: OrganizationState;
  readonly preparation?: Preparation | undefined;
};

/**
 * Returns the state of a waiting activity, or undefined once it is decided. When the meter is used up,
 * further users are left out.
 */
export async function waitingStateOf(
  shown: Shown,
  catalog: Catalog,
  ports: Ports,
  within: Meter,
): Promise<WaitingState | undefined> {
  const { activity } = shown;
  if (!isOpen(activity)) return undefined;
  const given = stillPrepared(shown);
  const prepared =
    given === undefined
      ? await preparedNow(shown, catalog, ports, within)
      : { ...given, input: { ...given.input, within } };
  if ('refusal' in prepared) return { refusal: prepared.refusal };
  const tally = tallyOf(activity, prepared);
  const decision = decisionNow(activity, prepared, tally);
  const countedVoterIds = tally.counted.map(({ userId }) => userId);
  const rules =
    decision.missing === undefined ? countingRules(prepared.input, tally.counted) : undefined;
  const { id: owner } = prepared.organization;
  if (rules?.policy) await compileInParts([rules.policy.clauses], { owner, pause: ports.pause });
  const voters: WaitingVoter[] = [];
  const counted: (CountedUser | undefined)[] = [];
  // The onboarding proxy submits within its policy, and does not vote.
  const proxyId = authProxyConfigOf(prepared.organization)?.userId;
  const users = prepared.organization.list('user').filter(({ id }) => id !== proxyId);
  for (const user of users) {
    if (voters.length > 0 && within.steps <= 0) break;
    // Policies can make each iteration long.
    await ports.pause();
    const { id: userId } = user;
    const rights = rightsOf(user, activity, prepared, tally);
    voters.push({ userId, ...rights });
    const isGiven = countedVoterIds.includes(userId);
    if (rules !== undefined && (isGiven || rights.canApprove)) {
      counted.push(countedUser(rules, possibleVoter(user, prepared.organization), isGiven));
    }
  }
  const isWhole = voters.length === users.length;
  const known = counted.filter((each) => each !== undefined);
  const isCountable = isWhole && known.length === counted.length;
  const approvals = rules && isCountable ? approvalCount(rules, known) : undefined;
  const isTried = approvals === undefined && decision.missing === undefined && isWhole;
  const completing = isTried
    ? await completingApprovals(shown, { prepared, tally, voters, within }, ports)
    : undefined;
  const single = completing?.userIds.map((userId) => [userId, 0] as const);
  const counts = approvals?.neededAfter ?? new Map(single);
  return {
    decision,
    voters: voters
      .filter(({ canApprove, canReject }) => canApprove || canReject)
      .map((voter) => ({ ...voter, ...neededAfter(voter, tally, counts) })),
    ...(approvals === undefined ? {} : { approvals }),
    ...(completing?.severalNeeded === true ? { severalNeeded: true } : {}),
    countedVoterIds,
    isWhole,
  };
}

/** Omits the count for a user who owes further factors, because that user may have to approve again. */
function neededAfter(
  { userId, canApprove }: WaitingVoter,
  { statuses }: Tally,
  counts: ApprovalCount['neededAfter'],
): Pick<WaitingVoter, 'neededAfter'> {
  const count = canApprove ? counts.get(userId) : undefined;
  const isMet = statuses(userId).every(({ satisfied }) => satisfied);
  return count === undefined || !isMet ? {} : { neededAfter: count };
}

/**
 * Returns the users whose single approval completes the activity under any rule. `severalNeeded` is true if
 * only approvals of several users complete it. Returns undefined if that depends on the credential of the
 * vote, or if the steps end before all users are tried.
 */
async function completingApprovals(
  { activity: { submitterId } }: Shown,
  state: {
    readonly prepared: Preparation;
    readonly tally: Tally;
    readonly voters: readonly WaitingVoter[];
    readonly within: Meter;
  },
  { pause }: Pick<Ports, 'pause'>,
): Promise<{ readonly userIds: readonly string[]; readonly severalNeeded: boolean } | undefined> {
  const { prepared, tally, voters, within } = state;
  const { input, organization } = prepared;
  if (dependsOnCredentials(input)) return undefined;
  const othersOf = (given: readonly Voter[]) => otherVoters(given, organization);
  const completeIt = (further: readonly Voter[]) =>
    completes(input, tally.counted, further, submitterId, othersOf);
  const userIds: string[] = [];
  const able: Voter[] = [];
  for (const { userId, canApprove } of voters) {
    const user = canApprove ? organization.get('user', userId) : undefined;
    if (user === undefined) continue;
    await pause();
    const voter = possibleVoter(user, organization);
    able.push(voter);
    if (completeIt([voter])) userIds.push(userId);
    if (within.steps <= 0) return undefined;
  }
  // The number is unknown while a freeze stops users whose approvals count.
  const severalNeeded = userIds.length === 0 && completeIt(able);
  return within.steps <= 0 ? undefined : { userIds, severalNeeded };
}

async function preparedNow(
  { activity, state }: Shown,
  catalog: Catalog,
  ports: Ports,
  within: Meter,
): Promise<Preparation | { readonly refusal: ServiceError }> {
  take(within, (activity.request?.length ?? 0) * stepsPerByte);
  try {
    const parsed = await parseWaiting(activity, catalog, ports);
    return await prepareWaiting(activity, parsed, state, readOnlyPorts(ports), { within });
  } catch (error) {
    // A resource of the activity was deleted, so the activity can only be rejected.
    if (isRefusal(error)) return { refusal: error };
    throw error;
  }
}

/** Returns the decision on the unexpired approvals, and what their users must still show. */
function decisionNow(activity: Activity, preparation: Preparation, tally: Tally): Decision {
  const { input, organization } = preparation;
  const { submitterId } = activity;
  const { given: voters } = tally;
  const decision = decideActivity(input, voters, submitterId, () =>
    otherVoters(voters, organization),
  );
  const asked = new Set([submitterId, ...voters.map(({ userId }) => userId)]);
  const statuses = [...asked].flatMap((userId) => tally.statuses(userId));
  return decision.outcome === 'refuse' ? decision : requireMfa(decision, statuses);
}
