// Step 10: records the outcome of an activity (done, waiting, refused or failed) with its votes and the
// outcomes of policies. Works in memory; the caller commits the whole outcome or discards it.

import { fingerprintText } from '../core/activity/activity.ts';
import { proofOf, withProof } from '../core/activity/proofs.ts';
import { refusedForm } from '../core/activity/refused_form.ts';
import { trackOpenActivity } from '../core/activity/votes.ts';
import { useForWaiting, useVerification } from '../core/auth/verifications.ts';
import type { ActivityStatus } from '../core/base/enums.ts';
import { ServiceError } from '../core/errors/errors.ts';
import type { DraftChanges } from '../core/organization/changes.ts';
import type { Activity, Vote } from '../core/organization/records/activity.ts';
import { createDraft } from '../core/organization/state.ts';
import type { Facts, Part } from '../core/policy/decision/access.ts';
import type { Decision } from '../core/policy/decision/decision.ts';
import { outcomeLetters } from '../core/policy/decision/verdict_codes.ts';
import { appProofsOf } from '../core/proofs/app_proofs.ts';
import { markCredentialVerified } from '../core/users/sign_in_links.ts';
import { failureOf, refusalOf } from '../core/views/explanation.ts';
import type { Warnings } from '../operations/once.ts';
import type { Executed } from './execute.ts';
import type { Ports, Proposal } from './ports.ts';
import type { Preparation } from './prepare.ts';
import { readScopes } from './read_scopes.ts';
import { decisionOf, evaluationsOf, newVote, withFurtherVote } from './recorded_votes.ts';
import type { Recording } from './recording.ts';
import { fingerprintOfRefusal, recordedRefusal, withoutStamp } from './refused_activity.ts';
import { noteIdToken, useUp } from './token_uses.ts';

/** The proposal to commit, and the caller's answer with the activity. */
export type RecordedOutcome = Proposal & {
  readonly warnings: Warnings;
  /** The error to raise once the outcome is durable. */
  readonly refusal?: ServiceError;
};

type Proofs = Pick<Ports, 'proofs'>;

/** A decision on a prepared activity, and the result of its execution if it is allowed. */
type Decided<Execution> = Pick<Recording, 'caller' | 'body'> & {
  readonly preparation: Preparation;
  readonly decision: Decision;
  readonly executed: Execution | undefined;
};

/** Records a new activity, and the claims of its operation. */
export function record(decided: Decided<Executed>, ports: Proofs): RecordedOutcome {
  const recorded = newActivity(decided, ports);
  const { parsed, loaded, cannotPass } = decided.preparation;
  // The load of an activity that cannot pass may have ended early.
  const claims = cannotPass ? undefined : parsed.operation.claims?.({ loaded });
  if (claims === undefined || claims.length === 0) return recorded;
  const { changes } = recorded;
  return { ...recorded, changes: { ...changes, claims: [...(changes.claims ?? []), ...claims] } };
}

function newActivity(decided: Decided<Executed>, ports: Proofs): RecordedOutcome {
  const { preparation, decision, executed } = decided;
  const recording = recordingOf(decided);
  const { parsed, state, context, caller } = recording;
  const vote = newVote(recording, 'VOTE_SELECTION_APPROVED');
  const { wire } = parsed.version;
  // An activity that completes at once has no voters who need an explanation.
  const isShown = !preparation.cannotPass && (parsed.dryRun || decision.outcome === 'wait');
  const explanation = isShown ? parsed.operation.explain(preparation) : undefined;
  const activity: Activity = {
    id: preparation.activityId,
    organizationId: state.id,
    type: wire.type,
    status: 'ACTIVITY_STATUS_FAILED',
    intent: { [wire.intent]: parsed.submitted },
    result: {},
    votes: [vote],
    fingerprint: fingerprintText(parsed.fingerprint.digest),
    submitterId: vote.userId,
    evaluations: evaluationsOf(vote, recording, outcomeLetters(decision.verdicts)),
    decisions: [decisionOf(vote, recording, decision)],
    ...(explanation === undefined ? {} : { explanation }),
    createdAtMs: context.now,
    updatedAtMs: context.now,
    version: 1,
  };
  if (executed !== undefined) return completed(activity, vote, executed, recording, ports);
  if (decision.outcome === 'wait') {
    const proofs = [proofOf(caller.credential, vote.publicKey, context.now)];
    const submitterMeetsMfa = decision.missing === undefined;
    const kept = { ...activity, request: vote.message, proofs };
    return waiting(kept, vote, recording, submitterMeetsMfa);
  }
  const scopes = readScopes(preparation, caller);
  const refusal = refusalOf(decision, scopes, state.id).keptAs(activity.id);
  const refused = refusedForm(
    withoutStamp({ ...activity, failure: recordedRefusal(refusal, recording) }),
  );
  return {
    ...outcome(refused, recording, noChanges),
    // A refusal grants nothing, so it may be recorded after changes that followed its decision.
    restsOnGuard: true,
    fingerprint: fingerprintOfRefusal(recording, vote),
    refusal,
  };
}

/**
 * Records one more approval of an activity, which completes it, fails it, or leaves it waiting. `executed` is
 * its execution if it is allowed, or the refusal of an execution that has become impossible. Until the
 * submitter meets its MFA policies, the activity waits for the submitter.
 */
export function recordApproval(
  activity: Activity,
  decided: Decided<Executed | ServiceError> & { readonly submitterMeetsMfa: boolean },
  ports: Proofs,
): RecordedOutcome {
  const { decision, executed, submitterMeetsMfa } = decided;
  const recording = recordingOf(decided);
  const { caller, context } = recording;
  const vote = newVote(recording, 'VOTE_SELECTION_APPROVED');
  const proof = proofOf(caller.credential, vote.publicKey, context.now);
  const letters = outcomeLetters(decision.verdicts);
  const proofs = withProof(activity.proofs ?? [], proof);
  const voted = { ...withFurtherVote(activity, vote, recording, decision, letters), proofs };
  const isDenied = decision.outcome === 'refuse' && decision.reason === 'policy_denies';
  if (isDenied || executed instanceof ServiceError) {
    const refusal =
      executed instanceof ServiceError
        ? executed
        : refusalOf(decision, { condition: decided.preparation.scopes }).keptAs(activity.id);
    return closed({ ...failed(voted), failure: failureOf(refusal) }, vote, recording);
  }
  if (executed !== undefined) return completed(voted, vote, executed, recording, ports);
  const statusBefore = activity.status;
  return { ...waiting(voted, vote, recording, submitterMeetsMfa), statusBefore };
}

/** Records a rejection. One rejection by a user who may vote ends the activity. */
export function recordRejection(
  activity: Activity,
  recording: Recording & { readonly decision: Decision | undefined },
): RecordedOutcome {
  const vote = newVote(recording, 'VOTE_SELECTION_REJECTED');
  const { decision } = recording;
  const letters = outcomeLetters(decision?.verdicts ?? []).replaceAll('C', 'R');
  const voted = withFurtherVote(activity, vote, recording, decision, letters);
  return closed({ ...voted, status: 'ACTIVITY_STATUS_REJECTED' }, vote, recording);
}

/** Returns true if an outcome changes the counter of a velocity control. */
export function isCounted({ changes }: Pick<RecordedOutcome, 'changes'>): boolean {
  return changes.records.some(({ kind }) => kind === 'velocity_counter');
}

/**
 * Returns the status in which an activity waits. Other users vote only after the submitter has shown the
 * factors of its MFA policies.
 */
export function waitingStatus(submitterMeetsMfa: boolean): ActivityStatus {
  return submitterMeetsMfa
    ? 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
    : 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED';
}

function recordingOf({ preparation, caller, body }: Decided<unknown>): Recording {
  const { parsed, state, decidedBy, parent, context, input, facts } = preparation;
  const factsDigest = input.rule === 'policy' ? preparation.factsDigest : undefined;
  return { parsed, state, decidedBy, parent, context, caller, body, facts, factsDigest };
}

/** Returns the holder of the first external key among the signing keys. */
function holderIn(facts: Facts | undefined): string | undefined {
  if (facts === undefined) return undefined;
  const { privateKey, parts = [] } = facts;
  if (privateKey?.heldBy !== undefined) return privateKey.heldBy;
  const isHeld = ({ signer }: Part) => signer?.privateKey?.heldBy !== undefined;
  return parts.find(isHeld)?.signer?.privateKey?.heldBy;
}

const noChanges: DraftChanges = { head: undefined, records: [] };

function completed(
  activity: Activity,
  vote: Vote,
  executed: Executed,
  recording: Recording,
  { proofs }: Proofs,
): RecordedOutcome {
  const { version, operation } = recording.parsed;
  const { result, draft, children, sponsor, warnings, messages, afterCommit, refusal } = executed;
  if (refusal !== undefined) {
    const done = { ...failed(activity), failure: failureOf(refusal) };
    trackOpenActivity(done, false, draft);
    const kept = outcome(done, recording, draft.changes());
    if (activity.version > 1) return { ...kept, refusal };
    // A repeated request counts once.
    const fingerprint = fingerprintOfRefusal(recording, vote);
    return { ...kept, activity: refusedForm(withoutStamp(done)), fingerprint, refusal };
  }
  const heldBy = operation.subject.action === 'SIGN' ? holderIn(recording.facts?.()) : undefined;
  const plain: Activity = {
    ...activity,
    ...(heldBy === undefined ? {} : { heldBy }),
    status: 'ACTIVITY_STATUS_COMPLETED',
    result: { [version.wire.result]: version.downgrade(result) },
  };
  // Proofs cover the execution, not the other recorded members.
  const proved = () => ({ ...plain, appProofs: proofsOf(plain, executed, recording, proofs) });
  const done = executed.needsProofs ? proved() : plain;
  useUp(useVerification, activity, draft, recording);
  noteIdToken(draft, recording);
  trackOpenActivity(done, false, draft);
  markCredentialVerified(vote.credentialId, draft);
  const decided = outcome(done, recording, draft.changes());
  const paid = sponsor === undefined ? {} : { sponsor };
  const after = afterCommit === undefined ? {} : { afterCommit };
  return { ...decided, ...paid, ...after, children, warnings, messages };
}

function proofsOf(
  activity: Activity,
  { draft, children }: Executed,
  { state, decidedBy: parent, context: { now } }: Recording,
  { key }: Ports['proofs'],
): NonNullable<Activity['appProofs']> {
  const created = children.map(({ id, head, changes }) => ({
    organizationId: id,
    parentId: state.id,
    head,
    changes: changes.records,
  }));
  const own = { organizationId: state.id, changes: draft.changes().records };
  const written = [own, ...created];
  return appProofsOf({ activity, written, children: created, state, parent, now }, key);
}

function waiting(
  activity: Activity,
  vote: Vote,
  recording: Recording,
  submitterMeetsMfa: boolean,
): RecordedOutcome {
  const open: Activity = { ...activity, status: waitingStatus(submitterMeetsMfa) };
  const draft = createDraft(recording.state);
  trackOpenActivity(open, true, draft);
  useUp(useForWaiting, activity, draft, recording);
  noteIdToken(draft, recording);
  markCredentialVerified(vote.credentialId, draft);
  return outcome(open, recording, draft.changes());
}

function closed(activity: Activity, vote: Vote, recording: Recording): RecordedOutcome {
  const draft = createDraft(recording.state);
  trackOpenActivity(activity, false, draft);
  useUp(useVerification, activity, draft, recording);
  noteIdToken(draft, recording);
  markCredentialVerified(vote.credentialId, draft);
  return outcome(activity, recording, draft.changes());
}

function failed(activity: Activity): Activity {
  return { ...activity, status: 'ACTIVITY_STATUS_FAILED' };
}

function outcome(
  activity: Activity,
  { parsed, state, decidedBy, parent, caller }: Recording,
  changes: DraftChanges,
): RecordedOutcome {
  const governedBy = caller.governedBy ?? parent;
  return {
    state,
    changes,
    activity,
    fingerprint: parsed.fingerprint,
    children: [],
    alsoDecidedOn: decidedBy === undefined ? [] : [decidedBy],
    ...(governedBy === undefined ? {} : { governedBy }),
    restsOnGuard: parsed.operation.concurrent === true,
    messages: [],
    warnings: [],
  };
}
