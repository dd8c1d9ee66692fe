// Decides one vote on a waiting activity, on the current state of the organization.

import { isOpen } from '../core/activity/activity.ts';
import { otherVoters } from '../core/activity/votes.ts';
import { textOfUtf8 } from '../core/base/bytes.ts';
import { fail, isRefusal, type ServiceError } from '../core/errors/errors.ts';
import type { Activity, Proof, Vote } from '../core/organization/records/activity.ts';
import {
  type OrganizationState,
  type OrganizationView,
  viewOf,
} from '../core/organization/state.ts';
import { type Decision, decideActivity, mayVote } from '../core/policy/decision/decision.ts';
import { voterWith } from '../core/policy/decision/facts.ts';
import { requireMfa } from '../core/policy/decision/require_mfa.ts';
import { rejectScopeEscape, requireScope } from '../core/policy/decision/session_scope.ts';
import type { Voter } from '../core/policy/decision/voters.ts';
import { requireVotingCredential } from '../core/users/credential_limits.ts';
import { heldCredential } from '../core/users/credentials.ts';
import { refusalOf } from '../core/views/explanation.ts';
import type { Caller } from '../operations/operation.ts';
import type { Result } from './answer.ts';
import { carryOut } from './carry_out.ts';
import type { Catalog } from './catalog.ts';
import { checkFreshness } from './check_freshness.ts';
import { commit } from './commit.ts';
import type { Attempted, Turn } from './concurrency.ts';
import { requireUnexpired } from './find_caller.ts';
import { freezingParent, requireActiveVoter, requireUnfrozen } from './freezes.ts';
import type { Ballot, ParsedActivity } from './parse.ts';
import type { Ports, Request } from './ports.ts';
import type { Preparation } from './prepare.ts';
import { awaitsCredentials, parseWaiting, prepareWaiting, tallyOf } from './prepare_waiting.ts';
import { type RecordedOutcome, recordApproval, recordRejection, waitingStatus } from './record.ts';

/** A vote by a caller who was authenticated on this state. */
type Casting = {
  readonly request: Request;
  readonly ballot: Ballot;
  readonly timestampMs: number;
  readonly dryRun: boolean;
  readonly caller: Caller;
  readonly state: OrganizationState;
  /** A vote that changes its activity takes a turn of its organization. */
  readonly turn: Turn;
};

/**
 * Casts a vote. Raises `credential_limited`, `activity_fingerprint_unknown`, `activity_decided`,
 * `not_permitted`, and the reason of a recorded refusal.
 */
export async function vote(
  casting: Casting,
  catalog: Catalog,
  ports: Ports,
): Promise<Attempted<Result>> {
  const { ballot, caller, state } = casting;
  requireVotingCredential(caller.credential);
  const { activity, isNewest } = await findActivity(ballot, state, ports);
  const unchanged = { activity, caller, state, decision: undefined, warnings: [] };
  if (!isOpen(activity)) {
    if (statusAgreedWith[ballot.selection] === activity.status) return unchanged;
    return fail('activity_decided', { status: activity.status });
  }
  // The activity was read after the state. If it is newer, the vote is decided again.
  if (!isNewest) return 'overtaken';
  // The read took time.
  checkFreshness(casting.timestampMs, ports);
  if (isRevoked(activity, casting, viewOf(state))) return unchanged;

  const parsed = await parseWaiting(activity, catalog, ports);
  const cast =
    ballot.selection === 'VOTE_SELECTION_APPROVED'
      ? await approve(casting, activity, parsed, ports)
      : await reject(casting, activity, parsed, ports);
  if (cast === 'must_serialize') return cast;
  const { outcome, decision, preparation } = cast;
  if (outcome === undefined) return { ...unchanged, preparation };
  const isDone = await commit(outcome, casting, ports);
  const { activity: voted, warnings } = outcome;
  return isDone ? { activity: voted, caller, state, decision, warnings, preparation } : 'overtaken';
}

/** Reads the activity of a fingerprint. `isNewest` is true if the state has the same version of it. */
async function findActivity(
  { fingerprint }: Ballot,
  state: OrganizationState,
  ports: Ports,
): Promise<{ readonly activity: Activity; readonly isNewest: boolean }> {
  const read = ports.repository.reader(state);
  const open = [...state.records.open_activity.values()].find(
    (each) => each.fingerprint === fingerprint,
  );
  const activity =
    open === undefined ? await read.votedActivity(fingerprint) : await read.activity(open.id);
  if (activity === undefined) return fail('activity_fingerprint_unknown', { fingerprint });
  return { activity, isNewest: open?.activityVersion === activity.version };
}

/** The final status that agrees with a late vote. */
const statusAgreedWith = {
  VOTE_SELECTION_APPROVED: 'ACTIVITY_STATUS_COMPLETED',
  VOTE_SELECTION_REJECTED: 'ACTIVITY_STATUS_REJECTED',
} as const;

/**
 * Returns true for a vote that may be an earlier vote with the same key, if its user has lost the credential.
 * Readers of the activity know the bytes. Without this check they could replay the vote after the key is
 * registered again. A later vote of that user replaces the bytes, but the activity still has the key and the
 * time of the earlier vote.
 */
function isRevoked(
  { votes, proofs = [] }: Activity,
  { request, timestampMs, caller: { stamp } }: Casting,
  organization: OrganizationView,
): boolean {
  const message = textOfUtf8(request.body);
  const key = stamp?.publicKeyText.toLowerCase();
  const isLost = (earlier: Vote | Proof) =>
    earlier.publicKey.toLowerCase() === key && heldCredential(organization, earlier) === undefined;
  return (
    votes.some((vote) => vote.message === message && isLost(vote)) ||
    proofs.some((proof) => timestampMs <= proof.createdAtMs && isLost(proof))
  );
}

type VoteResult = {
  /** Undefined if the vote changes nothing. */
  readonly outcome: RecordedOutcome | undefined;
  readonly decision: Decision | undefined;
  readonly preparation?: Preparation;
};

async function approve(
  { request, timestampMs, dryRun, caller, state, turn }: Casting,
  activity: Activity,
  parsed: ParsedActivity,
  ports: Ports,
): Promise<VoteResult | 'must_serialize'> {
  const { body } = request;
  return carryOut(
    {
      request,
      caller,
      dryRun,
      turn,
      prepare: async () => {
        const asker = voterWith(caller.user, caller.credential);
        const parent = await freezingParent(parsed, caller, state, ports);
        // The load of the parent took time.
        checkFreshness(timestampMs, ports);
        return prepareWaiting(activity, parsed, state, ports, { asker, parent });
      },
      authorize: (preparation) => {
        // The vote is recorded at the current time, which is later than that of the caller check.
        requireUnexpired(caller, [state], preparation.context.now);
        return authorizeApproval(preparation, activity, caller);
      },
      goesOn: ({ isRepeated }) => !isRepeated,
      // A vote changes the waiting activity.
      onlyAdds: () => false,
      failedBy: refusalOnly,
      record: (preparation, { decision, submitterMeetsMfa }, executed) => {
        const decided = { preparation, caller, body, decision, submitterMeetsMfa, executed };
        return recordApproval(activity, decided, ports);
      },
    },
    ports,
  );
}

/**
 * Returns the refusal of an allowed activity that has become impossible, for example because its name was
 * taken. A sealed organization fails only the vote, and the activity waits until it is unsealed.
 */
function refusalOnly(error: unknown): ServiceError {
  if (isRefusal(error) && error.code !== 'organization_sealed') return error;
  throw error;
}

/**
 * Decides an activity with one more approval. `isRepeated`: the user has already approved, and another
 * approval by the same user does not complete the activity. Raises `frozen`, `session_scope_denies`,
 * `not_permitted`.
 */
function authorizeApproval(
  preparation: Preparation,
  activity: Activity,
  { user, credential }: Caller,
): {
  readonly decision: Decision;
  readonly submitterMeetsMfa: boolean;
  readonly isRepeated: boolean;
} {
  const { input, organization, scopes, parsed } = preparation;
  requireUnfrozen(preparation, { user });
  const tally = tallyOf(activity, preparation);
  const { counted } = tally;
  requireScope(credential.scope, scopes, organization.id);
  const { type, submitterId } = activity;
  const { parameters } = parsed;
  rejectScopeEscape(credential.scope, user.id, { type, submitterId, parameters });
  const voter = voterWith(user, credential);
  const decideOn = (voters: readonly Voter[]) =>
    decideActivity(input, voters, submitterId, () => otherVoters(voters, organization));
  const isSubmitter = user.id === submitterId;
  const statuses = tally.statuses(user.id, credential);
  const mayShow = isSubmitter && awaitsCredentials(activity, statuses);
  if (!mayShow && !mayVote(input, voter)) {
    throw refusalOf(decideOn(counted), { condition: scopes }).keptAs(activity.id);
  }

  const ofSubmitter = isSubmitter ? [] : tally.statuses(submitterId);
  const others = counted.filter(({ userId }) => userId !== voter.userId);
  const decision = requireMfa(decideOn([...others, voter]), [...ofSubmitter, ...statuses]);
  const submitterMeetsMfa = tally.isMet(submitterId, isSubmitter ? credential : undefined);
  const hasCounted = others.length < counted.length;
  const isMet = statuses.every(({ satisfied }) => satisfied);
  const isShown = tally.shown(user.id).some(({ id }) => id === credential.id);
  const isSame = activity.status === waitingStatus(submitterMeetsMfa);
  const isAgain = hasCounted || (isShown && !isMet);
  const isRepeated = isAgain && isSame && decision.outcome !== 'allow';
  return { decision, submitterMeetsMfa, isRepeated };
}

/** Users who may approve may reject, and so may the submitter. Raises `not_permitted`. */
async function reject(
  { request, caller, state, turn }: Casting,
  activity: Activity,
  parsed: ParsedActivity,
  ports: Ports,
): Promise<VoteResult | 'must_serialize'> {
  const context = { now: ports.clock(), newId: ports.newId };
  requireUnexpired(caller, [state], context.now);
  requireActiveVoter(caller, activity, viewOf(state));
  const decision = await authorizeRejection(caller, activity, parsed, state, ports);
  if (!turn.take()) return 'must_serialize';
  const recording = { parsed, state, context, caller, body: request.body, decision };
  return { decision: undefined, outcome: recordRejection(activity, recording) };
}

/** Returns undefined if a resource of the activity was deleted, so it cannot be decided. */
async function authorizeRejection(
  { user, credential }: Caller,
  activity: Activity,
  parsed: ParsedActivity,
  state: OrganizationState,
  ports: Ports,
): Promise<Decision | undefined> {
  const mayAlways =
    user.id === activity.submitterId || state.head.rootQuorum.userIds.includes(user.id);
  const asking = mayAlways ? {} : { asker: voterWith(user, credential) };
  const preparation = await prepareWaiting(activity, parsed, state, ports, asking).catch(
    (error) => {
      if (mayAlways && isRefusal(error)) return undefined;
      throw error;
    },
  );
  // The facts were deleted, so the scope cannot be evaluated and allows nothing.
  requireScope(credential.scope, preparation?.scopes, state.id);
  if (preparation === undefined) return undefined;
  const { input, organization } = preparation;
  const { counted } = tallyOf(activity, preparation);
  const decision = decideActivity(input, counted, activity.submitterId, () =>
    otherVoters(counted, organization),
  );
  if (mayAlways || mayVote(input, voterWith(user, credential))) return decision;
  throw refusalOf(decision, { condition: preparation.scopes }).keptAs(activity.id);
}
