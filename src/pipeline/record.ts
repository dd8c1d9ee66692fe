// What a decision makes of an activity: done, waiting, refused or failed, with its votes and what the
// policies came to. Pure; the whole is committed by the caller or thrown away.

import { fingerprintText } from '../core/activity/activity.ts';
import { withProof } from '../core/activity/proofs.ts';
import { trackOpenActivity, withVote } from '../core/activity/votes.ts';
import { type TokenOnce, useVerification } from '../core/auth/verifications.ts';
import { concatBytes, textOfUtf8, utf8 } from '../core/base/bytes.ts';
import type { Context } from '../core/base/context.ts';
import type { ActivityStatus } from '../core/base/enums.ts';
import { sha256 } from '../core/crypto/hashes.ts';
import { assert, isRefusal, type ServiceError } from '../core/errors/errors.ts';
import type { TokenUsage } from '../core/organization/model.ts';
import type {
  Activity,
  Evaluation,
  Failure,
  Proof,
  Vote,
  VoteSelection,
} from '../core/organization/records/activity.ts';
import type { TransactionExplanation } from '../core/organization/records/transaction_explanation.ts';
import {
  createDraft,
  type DraftChanges,
  type OrganizationDraft,
  type OrganizationState,
  type OrganizationView,
  viewOf,
} from '../core/organization/state.ts';
import { type Decision, outcomeLetters } from '../core/policy/decision/decision.ts';
import type { JsonObject } from '../core/schema/json.ts';
import { markProven } from '../core/users/leads.ts';
import { failureOf, refusalOf } from '../core/views/explanation.ts';
import { foreignUserView, userView } from '../core/views/wire.ts';
import type { Caller } from '../operations/operation.ts';
import type { AdmittedActivity } from './parse.ts';
import type { Fingerprint, Proposal } from './ports.ts';
import type { Considered } from './prepare.ts';

/** What is to become durable, and what the caller should look at again in it. */
export type Settlement = Proposal & {
  readonly warnings: readonly JsonObject[];
  /** Raised once it is durable. */
  readonly refusal?: ServiceError;
};

type Settling = {
  readonly admitted: AdmittedActivity;
  readonly state: OrganizationState;
  readonly context: Context;
  /** The parent, where that decided. */
  readonly decidedBy?: OrganizationState | undefined;
  /** The verification token that vouched for the stamp: this is what it was used for. */
  readonly token: TokenOnce | undefined;
};
type Deciding = Settling &
  Pick<Considered, 'execute'> & {
    readonly decision: Decision;
    /** What the vote was given with. */
    readonly proof: Proof;
    /** Shown in dry runs and to those who vote; absent where the request shows what it does. */
    readonly explanation?: TransactionExplanation | undefined;
    /** Whether the submitter has shown all that it must; until then that comes first. */
    readonly submitterMeetsMfa: boolean;
  };

/** A new activity as it is decided. Raises what the operation refuses with. */
export function settleSubmission(vote: Vote, deciding: Deciding): Settlement {
  const { admitted, decision, context, explanation } = deciding;
  const { version } = admitted;
  const activity: Activity = {
    id: context.newId(),
    organizationId: deciding.state.id,
    type: version.wire.type,
    status: 'ACTIVITY_STATUS_FAILED',
    intent: { [version.wire.intent]: admitted.submitted },
    result: {},
    votes: [vote],
    fingerprint: fingerprintText(admitted.fingerprint.digest),
    submitterId: vote.userId,
    evaluations: evaluationsOf(vote, deciding, outcomeLetters(decision.verdicts)),
    ...(explanation === undefined ? {} : { explanation }),
    createdAtMs: context.now,
    updatedAtMs: context.now,
    version: 1,
  };
  if (decision.outcome === 'allow') return completed(activity, deciding, vote);
  if (decision.outcome === 'wait') {
    const proofs = [deciding.proof];
    return waiting({ ...activity, request: vote.message, proofs }, deciding, vote);
  }
  const refused = withoutStamp({ ...activity, failure: keptRefusal(decision, deciding) });
  return { ...proposal(refused, deciding, noChanges), fingerprint: ofRefusal(deciding, vote) };
}

/**
 * A refusal claims no fingerprint: with its stamp, whoever reads activities could have the request
 * carried out as soon as it would be allowed, although its user was told that it was not.
 */
function withoutStamp(refused: Activity): Activity {
  return { ...refused, votes: refused.votes.map((vote) => ({ ...vote, signature: '' })) };
}

const noChanges: DraftChanges = { head: undefined, records: [] };

/** What the policies of a parent came to is told to its user, who asked; the child does not have them. */
function keptRefusal(decision: Decision, { decidedBy }: Settling): Failure {
  const failure = failureOf(refusalOf(decision));
  return decidedBy === undefined ? failure : { ...failure, details: [] };
}

/**
 * A refusal is kept, once for each body and user, and answers nobody: the same body sent again is
 * decided again, by the policies of then and for whoever sends it.
 */
function ofRefusal({ admitted }: Settling, { userId }: Vote): Fingerprint {
  const { bucket, digest } = admitted.fingerprint;
  return { bucket, digest: sha256(concatBytes(digest, utf8(`refused ${userId}`))) };
}

/** What an activity waits for: what its submitter must show, and only then for votes. */
export function waitingStatus(submitterMeetsMfa: boolean): ActivityStatus {
  return submitterMeetsMfa
    ? 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
    : 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED';
}

/** The activity with one more approval, which may let it happen, end it, or leave it waiting. */
export function settleApproval(activity: Activity, vote: Vote, deciding: Deciding): Settlement {
  const { decision } = deciding;
  const letters = outcomeLetters(decision.verdicts);
  const proofs = withProof(activity.proofs ?? [], deciding.proof);
  const voted = { ...withFurtherVote(activity, vote, deciding, letters), proofs };
  if (decision.outcome === 'allow') {
    try {
      return completed(voted, deciding, vote);
    } catch (error) {
      // Allowed, and impossible by now: a name that was given to something else meanwhile.
      if (!isRefusal(error)) throw error;
      return closed({ ...failed(voted), failure: failureOf(error) }, deciding, vote);
    }
  }
  if (decision.outcome === 'refuse' && decision.reason === 'policy_denies') {
    return closed({ ...failed(voted), failure: failureOf(refusalOf(decision)) }, deciding, vote);
  }
  return { ...waiting(voted, deciding, vote), statusBefore: activity.status };
}

/** The activity rejected: one rejection of somebody who may vote suffices. */
export function settleRejection(
  activity: Activity,
  vote: Vote,
  settling: Settling,
  decision: Decision | undefined,
): Settlement {
  const letters = outcomeLetters(decision?.verdicts ?? []).replaceAll('C', 'R');
  const voted = withFurtherVote(activity, vote, settling, letters);
  return closed({ ...voted, status: 'ACTIVITY_STATUS_REJECTED' }, settling, vote);
}

/** Whether a limit over time counts what is proposed. */
export function isCounted({ changes }: Settlement): boolean {
  return changes.records.some(({ kind }) => kind === 'velocity_counter');
}

/** A vote by this caller in an organization, over the bytes that it signed. */
export function newVote(input: {
  readonly caller: Caller;
  readonly body: Uint8Array;
  readonly selection: VoteSelection;
  readonly organization: OrganizationView;
  readonly context: Context;
}): Vote {
  const { caller, body, selection, organization, context } = input;
  const { user, credential, stamp } = caller;
  const message = textOfUtf8(body);
  assert(message !== undefined, 'an admitted body is UTF-8');
  assert(stamp !== undefined, 'what has no stamp does not vote');
  return {
    id: context.newId(),
    userId: user.id,
    user:
      caller.organizationId === organization.id
        ? userView(user, organization)
        : foreignUserView(user),
    selection,
    message,
    publicKey: stamp.publicKeyText,
    signature: stamp.signatureText,
    scheme: stamp.scheme,
    credentialId: credential.id,
    createdAtMs: context.now,
  };
}

function completed(activity: Activity, deciding: Deciding, vote: Vote): Settlement {
  const { version } = deciding.admitted;
  const { result, draft, children, warnings, messages, prove, refusal } = deciding.execute();
  if (refusal !== undefined) {
    const done = { ...failed(activity), failure: failureOf(refusal) };
    trackOpenActivity(done, false, draft);
    const kept = proposal(done, deciding, draft.changes());
    if (activity.version > 1) return { ...kept, refusal };
    // Sent again the same request counts once.
    const fingerprint = ofRefusal(deciding, vote);
    return { ...kept, activity: withoutStamp(done), fingerprint, refusal };
  }
  const done = prove({
    ...activity,
    status: 'ACTIVITY_STATUS_COMPLETED',
    result: { [version.wire.result]: version.downgrade(result) },
  });
  useUp(draft, deciding, isLogin(version.wire.type) ? 'login' : 'stamp');
  // A new one is in no list.
  if (done.version > 1) trackOpenActivity(done, false, draft);
  markProven(vote.credentialId, draft);
  return { ...proposal(done, deciding, draft.changes()), children, warnings, messages };
}

function waiting(activity: Activity, deciding: Deciding, vote: Vote): Settlement {
  const open: Activity = { ...activity, status: waitingStatus(deciding.submitterMeetsMfa) };
  const draft = createDraft(deciding.state);
  trackOpenActivity(open, true, draft);
  useUp(draft, deciding, 'stamp');
  markProven(vote.credentialId, draft);
  return proposal(open, deciding, draft.changes());
}

function closed(activity: Activity, settling: Settling, vote: Vote): Settlement {
  const draft = createDraft(settling.state);
  trackOpenActivity(activity, false, draft);
  useUp(draft, settling, 'stamp');
  markProven(vote.credentialId, draft);
  return proposal(activity, settling, draft.changes());
}

/** The type by which public clients log in with an attested stamp, after a sign-up too. */
const isLogin = (type: string): boolean => type === 'ACTIVITY_TYPE_STAMP_LOGIN';

/** Uses up the token of an attested stamp, where what was done has not done so. */
function useUp(
  draft: OrganizationDraft,
  { token, state, context }: Settling,
  usage: TokenUsage,
): void {
  if (token === undefined) return;
  const isUsedHere =
    draft.get('used_token', token.id) !== viewOf(state).get('used_token', token.id);
  if (!isUsedHere) useVerification(token, usage, draft, context.now);
}

function failed(activity: Activity): Activity {
  return { ...activity, status: 'ACTIVITY_STATUS_FAILED' };
}

function proposal(
  activity: Activity,
  { admitted, state, decidedBy }: Settling,
  changes: DraftChanges,
): Settlement {
  return {
    state,
    changes,
    activity,
    fingerprint: admitted.fingerprint,
    children: [],
    alsoDecidedOn: decidedBy === undefined ? [] : [decidedBy],
    messages: [],
    warnings: [],
  };
}

function withFurtherVote(
  activity: Activity,
  vote: Vote,
  settling: Settling,
  letters: string,
): Activity {
  return {
    ...activity,
    votes: withVote(activity.votes, vote),
    evaluations: [...activity.evaluations, ...evaluationsOf(vote, settling, letters)],
    updatedAtMs: settling.context.now,
    version: activity.version + 1,
  };
}

function evaluationsOf(vote: Vote, settling: Settling, outcomes: string): readonly Evaluation[] {
  // Those of a parent are kept with the parent's policies, which the organization does not have.
  if (settling.decidedBy !== undefined) return [];
  const { policySetId } = settling.state.head;
  if (outcomes === '' || policySetId === undefined) return [];
  const { id: voteId, createdAtMs } = vote;
  return [{ voteId, policySetId, outcomes, createdAtMs }];
}
