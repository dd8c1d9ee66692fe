// One vote on an activity that waits for votes: whether it may be given, and what it changes. Decided
// on the organization as it is now, whatever it was when the activity or an earlier vote was sent.

import { isOpen } from '../core/activity/activity.ts';
import { proofOf, shownCredentials } from '../core/activity/proofs.ts';
import { countedVoters, otherVoters } from '../core/activity/votes.ts';
import { textOfUtf8, utf8 } from '../core/base/bytes.ts';
import { assert, fail, isRefusal } from '../core/errors/errors.ts';
import { demandedPolicies, type MfaStatus, statusesWith } from '../core/mfa/mfa.ts';
import type { MfaPolicy } from '../core/organization/model.ts';
import type { Activity, VoteSelection } from '../core/organization/records/activity.ts';
import {
  type OrganizationState,
  type OrganizationView,
  viewOf,
} from '../core/organization/state.ts';
import { type Decision, decideActivity, mayVote } from '../core/policy/decision/decision.ts';
import { type Voter, voterWith } from '../core/policy/decision/facts.ts';
import { requireMfa } from '../core/policy/decision/require_mfa.ts';
import { requireNoWayOut, requireScope } from '../core/policy/decision/session_scope.ts';
import { type Meter, newMeter } from '../core/policy/language/clause.ts';
import type { Origin } from '../core/settings/ip_allowlist.ts';
import { requireVotingCredential } from '../core/users/credential_limits.ts';
import { type Credential, heldCredential } from '../core/users/credentials.ts';
import { refusalOf } from '../core/views/explanation.ts';
import type { Caller } from '../operations/operation.ts';
import { originOf } from './authenticate.ts';
import { commit, requireUnclaimed } from './commit.ts';
import { type Admission, type AdmittedActivity, checkLiveness } from './parse.ts';
import type { Ports, Request } from './ports.ts';
import { type Considered, consider } from './prepare.ts';
import {
  newVote,
  type Settlement,
  settleApproval,
  settleRejection,
  waitingStatus,
} from './record.ts';
import type { Settled } from './submit.ts';

/** A vote to be cast by a caller who was authenticated on this state. */
export type Casting = {
  readonly request: Request;
  readonly vote: {
    readonly fingerprint: string;
    readonly operation: { readonly selection: VoteSelection };
    readonly timestampMs: number;
  };
  readonly caller: Caller;
  readonly state: OrganizationState;
};

/** Makes the function that casts a vote; it gives undefined when another change overtook it. */
export function createVoting(
  admission: Admission,
  ports: Ports,
): (casting: Casting) => Promise<Settled | undefined> {
  return async function castVote(casting) {
    const { request, vote, caller, state } = casting;
    const { selection } = vote.operation;
    requireVotingCredential(caller.credential);
    const read = ports.repository.reader(state);
    const open = [...state.records.open_activity.values()].find(
      ({ fingerprint }) => fingerprint === vote.fingerprint,
    );
    const activity =
      open === undefined
        ? await read.votedActivity(vote.fingerprint)
        : await read.activity(open.id);
    if (activity === undefined) {
      return fail('activity_fingerprint_unknown', { fingerprint: vote.fingerprint });
    }
    const unchanged = { activity, caller, state, decision: undefined, warnings: [] };
    if (!isOpen(activity)) {
      if (outcomeOf[selection] !== activity.status) {
        fail('activity_decided', { status: activity.status });
      }
      return unchanged;
    }
    // Read a moment after the state: on a newer one the vote is decided again.
    if (open === undefined || open.activityVersion !== activity.version) return undefined;
    // Time has passed while it was read.
    checkLiveness(vote.timestampMs, ports);
    if (hasFallen(activity, request.body, caller, viewOf(state))) return unchanged;

    const admitted = admitOriginal(activity, admission);
    const settled =
      selection === 'VOTE_SELECTION_APPROVED'
        ? await approve(casting, activity, admitted, ports)
        : await reject(casting, activity, admitted, ports);
    if (settled === undefined) return unchanged;
    const { proposal, decision } = settled;
    if (request.dryRun === true) await requireUnclaimed(proposal, ports.repository);
    const isDone = request.dryRun === true || (await commit(proposal, ports)) === 'committed';
    if (isDone && proposal.refusal !== undefined) throw proposal.refusal;
    const { activity: voted, warnings } = proposal;
    return isDone ? { activity: voted, caller, state, decision, warnings } : undefined;
  };
}

/**
 * Whether these very bytes, by this key, are a vote already whose user does not have the credential any
 * more. All who read activities have them: registered anew, the key would bring the vote back.
 */
function hasFallen(
  { votes }: Activity,
  body: Uint8Array,
  { stamp }: Caller,
  organization: OrganizationView,
): boolean {
  const message = textOfUtf8(body);
  const key = stamp?.publicKeyText.toLowerCase();
  return votes.some(
    (vote) =>
      vote.message === message &&
      vote.publicKey.toLowerCase() === key &&
      heldCredential(organization, vote) === undefined,
  );
}

/** The request of an activity that waits, as it was admitted. */
export function admitOriginal(activity: Activity, admission: Admission): AdmittedActivity {
  assert(activity.request !== undefined, 'an activity that waits keeps its request');
  const admitted = admission.admitAgain(activity.type, utf8(activity.request));
  assert(admitted.dryRun !== true, 'what was only tried is not kept');
  return admitted;
}

/** What the voters of an activity can still do with it. Raises what its operation refuses with. */
export async function considerAgain(
  activity: Activity,
  admitted: AdmittedActivity,
  state: OrganizationState,
  ports: Ports,
  dryRun?: boolean,
  origin?: Origin,
  within?: Meter,
): Promise<Considered & { readonly counted: readonly Voter[]; readonly mfa: ActivityMfa }> {
  const submitter = state.records.user.get(activity.submitterId);
  if (submitter === undefined) fail('activity_without_submitter');
  const asked = [...(activity.proofs ?? []), ...activity.votes];
  const asker = asked.find(({ userId }) => userId === submitter.id);
  const considered = await consider({
    admitted,
    submitter,
    asker: asker ?? { credentialId: '', publicKey: '' },
    origin,
    state,
    ports,
    dryRun,
    contents: activity.fingerprint,
    within,
  });
  const { organization, context, scopes } = considered;
  const mfa = mfaOf(activity, organization, scopes, context.now, within);
  const counted = countedVoters(activity, organization, context.now, (userId) => mfa.isMet(userId));
  return { ...considered, counted, mfa };
}

/** What the users of an activity have shown for it, beside what they must show. */
export type ActivityMfa = {
  readonly shown: (userId: string) => readonly Credential[];
  /** `further` is a credential that the user is about to show. */
  readonly statuses: (userId: string, further?: Credential) => readonly MfaStatus[];
  readonly isMet: (userId: string, further?: Credential) => boolean;
};

function mfaOf(
  activity: Activity,
  organization: OrganizationView,
  scopes: Considered['scopes'],
  now: number,
  within: Meter | undefined,
): ActivityMfa {
  const meter = newMeter(within);
  const demanded = new Map<string, readonly MfaPolicy[]>();
  const demandedOf = (userId: string) =>
    demanded.getOrInsertComputed(userId, () =>
      demandedPolicies(userId, organization, scopes, meter),
    );
  const shown = (userId: string) => shownCredentials(activity, userId, organization, now);
  const statuses = (userId: string, further?: Credential) => {
    const others = shown(userId).filter(({ id }) => id !== further?.id);
    const all = further === undefined ? others : [...others, further];
    return statusesWith(demandedOf(userId), all);
  };
  return {
    shown,
    statuses,
    isMet: (userId, further) => statuses(userId, further).every(({ satisfied }) => satisfied),
  };
}

type Casted = { readonly proposal: Settlement; readonly decision: Decision | undefined };

/** The status that a vote agrees with when it comes too late. */
const outcomeOf = {
  VOTE_SELECTION_APPROVED: 'ACTIVITY_STATUS_COMPLETED',
  VOTE_SELECTION_REJECTED: 'ACTIVITY_STATUS_REJECTED',
} as const;

/**
 * Undefined where the user has approved already, and approving once more, with another credential or
 * after something has changed, would not let it happen. Raises `not_permitted`.
 */
async function approve(
  { request, caller, state }: Casting,
  activity: Activity,
  admitted: AdmittedActivity,
  ports: Ports,
): Promise<Casted | undefined> {
  const { user, credential } = caller;
  const origin = originOf(credential, request);
  const again = await considerAgain(activity, admitted, state, ports, request.dryRun, origin);
  const { input, counted, organization, context, execute, mfa } = again;
  requireScope(credential.scope, again.scopes);
  const { type, submitterId } = activity;
  requireNoWayOut(credential.scope, user.id, {
    type,
    submitterId,
    parameters: admitted.parameters,
  });
  const voter = voterWith(user, credential);
  const decideOn = (voters: readonly Voter[]) =>
    decideActivity(input, voters, activity.submitterId, () => otherVoters(voters, organization));
  const statuses = mfa.statuses(user.id, credential);
  const mayShow = user.id === activity.submitterId && awaitsCredentials(activity, statuses);
  if (!mayShow && !mayVote(input, voter)) throw refusalOf(decideOn(counted));

  const submitterStatuses =
    user.id === activity.submitterId ? [] : mfa.statuses(activity.submitterId);
  const others = counted.filter(({ userId }) => userId !== voter.userId);
  const decision = requireMfa(decideOn([...others, voter]), [...submitterStatuses, ...statuses]);
  const submitterMeetsMfa = mfa.isMet(
    activity.submitterId,
    user.id === activity.submitterId ? credential : undefined,
  );
  const hasCounted = others.length < counted.length;
  const isMet = statuses.every(({ satisfied }) => satisfied);
  const isShown = mfa.shown(user.id).some(({ id }) => id === credential.id);
  const isRepeated = hasCounted || (isShown && !isMet);
  const isSame = activity.status === waitingStatus(submitterMeetsMfa);
  if (isRepeated && isSame && decision.outcome !== 'allow') return undefined;
  if (decision.outcome === 'allow') await again.reach();
  const selection = 'VOTE_SELECTION_APPROVED';
  const vote = newVote({ caller, body: request.body, selection, organization, context });
  const proof = proofOf(credential, vote.publicKey, context.now);
  const { token } = caller;
  const settling = { admitted, state, context, token };
  const deciding = { ...settling, decision, execute, proof, submitterMeetsMfa };
  return { decision, proposal: settleApproval(activity, vote, deciding) };
}

/** Whether its submitter may approve an activity in any case: it has to show something for it. */
export function awaitsCredentials({ status }: Activity, statuses: readonly MfaStatus[]): boolean {
  return statuses.length > 0 || status === 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED';
}

/** Whoever may approve may reject, and so may the submitter. Raises `not_permitted`. */
async function reject(
  { request, caller, state }: Casting,
  activity: Activity,
  admitted: AdmittedActivity,
  ports: Ports,
): Promise<Casted> {
  const organization = viewOf(state);
  const context = { now: ports.clock(), newId: ports.newId };
  const decision = await decisionToReject(caller, activity, admitted, state, ports);
  const selection = 'VOTE_SELECTION_REJECTED';
  const vote = newVote({ caller, body: request.body, selection, organization, context });
  const proposal = settleRejection(
    activity,
    vote,
    { admitted, state, context, token: caller.token },
    decision,
  );
  return { decision: undefined, proposal };
}

/** Undefined where nothing can be decided any more, because what the activity needs is gone. */
async function decisionToReject(
  caller: Caller,
  activity: Activity,
  admitted: AdmittedActivity,
  state: OrganizationState,
  ports: Ports,
): Promise<Decision | undefined> {
  const { user, credential } = caller;
  const mayAlways =
    user.id === activity.submitterId || state.head.rootQuorum.userIds.includes(user.id);
  const again = await considerAgain(activity, admitted, state, ports, true).catch((error) => {
    if (mayAlways && isRefusal(error)) return undefined;
    throw error;
  });
  // What a scope says of an activity that is gone cannot be told: then it allows nothing.
  requireScope(credential.scope, again?.scopes);
  if (again === undefined) return undefined;
  const { input, counted, organization } = again;
  const decision = decideActivity(input, counted, activity.submitterId, () =>
    otherVoters(counted, organization),
  );
  if (mayAlways || mayVote(input, voterWith(user, credential))) return decision;
  throw refusalOf(decision);
}
