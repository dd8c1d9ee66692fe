// The stored form of a vote and of the decision that followed it.

import { withVote } from '../core/activity/votes.ts';
import { textOfUtf8 } from '../core/base/bytes.ts';
import { assert } from '../core/errors/errors.ts';
import type {
  Activity,
  Evaluation,
  RecordedDecision,
  Vote,
  VoteSelection,
} from '../core/organization/records/activity.ts';
import { viewOf } from '../core/organization/state.ts';
import type { Decision } from '../core/policy/decision/decision.ts';
import { clausesOf, keptClauses } from '../core/policy/decision/kept_clauses.ts';
import { foreignUserView, userView } from '../core/views/wire.ts';
import type { Recording } from './recording.ts';

/** Returns a vote by the caller over its signed bytes. */
export function newVote(
  { caller, body, state, context }: Recording,
  selection: VoteSelection,
): Vote {
  const { user, credential, stamp } = caller;
  const message = textOfUtf8(body);
  assert(message !== undefined, 'a parsed body is UTF-8');
  assert(stamp !== undefined, 'what has no stamp does not vote');
  const isOwnUser = caller.organizationId === state.id;
  return {
    id: context.newId(),
    userId: user.id,
    user: isOwnUser ? userView(user, viewOf(state)) : foreignUserView(user),
    selection,
    message,
    publicKey: stamp.publicKeyText,
    signature: stamp.signatureText,
    scheme: stamp.scheme,
    credentialId: credential.id,
    ...(user.emailClaimed === true ? { emailClaimed: true } : {}),
    createdAtMs: context.now,
  };
}

/** Returns an activity with an additional vote and its decision. */
export function withFurtherVote(
  activity: Activity,
  vote: Vote,
  recording: Recording,
  decision: Decision | undefined,
  letters: string,
): Activity {
  return {
    ...activity,
    ...submissionBeside(activity, vote),
    votes: withVote(activity.votes, vote),
    evaluations: [...activity.evaluations, ...evaluationsOf(vote, recording, letters)],
    decisions: [...(activity.decisions ?? []), decisionOf(vote, recording, decision)],
    updatedAtMs: recording.context.now,
    version: activity.version + 1,
  };
}

/** Keeps the signature of the request when a vote of the submitter replaces the vote that has it. */
function submissionBeside(
  { votes, request, submitterId }: Activity,
  { userId }: Vote,
): Pick<Activity, 'submission'> {
  if (userId !== submitterId) return {};
  const asked = votes.find((each) => each.userId === userId && each.message === request);
  if (asked === undefined) return {};
  const { publicKey, signature, scheme, credentialId } = asked;
  return { submission: { publicKey, signature, scheme, credentialId } };
}

/** Returns the outcomes of the policies at a vote. Returns an empty list if the parent's policies decided. */
export function evaluationsOf(
  vote: Vote,
  recording: Recording,
  outcomes: string,
): readonly Evaluation[] {
  const { policySetId } = recording.state.head;
  // The organization does not store outcomes of its parent's policies.
  const isOfParent = recording.decidedBy !== undefined;
  if (isOfParent || outcomes === '' || policySetId === undefined) return [];
  const { id: voteId, createdAtMs } = vote;
  return [{ voteId, policySetId, outcomes, createdAtMs }];
}

type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** Returns the stored form of a decision, with facts for a later explanation. */
export function decisionOf(
  { id: voteId, userId, selection, createdAtMs }: Vote,
  { decidedBy, factsDigest }: Recording,
  decision: Decision | undefined,
): RecordedDecision {
  const { reason, voterIds = [], missing, denying = [], verdicts = [] } = decision ?? {};
  const isDisclosed = decidedBy === undefined && verdicts.length > 0;
  const decidedByPolicies = decidedBy === undefined && reason !== 'root_quorum_met';
  const digest = decidedByPolicies ? factsDigest?.() : undefined;
  const recorded: Mutable<RecordedDecision> = { voteId, userId, selection, voterIds, createdAtMs };
  if (reason !== undefined) recorded.reason = reason;
  if (missing !== undefined) recorded.awaitsAuthenticators = true;
  if (decidedBy !== undefined) recorded.byParent = true;
  if (isDisclosed) {
    const places = verdicts.flatMap(({ policy }, i) => (denying.includes(policy) ? [i] : []));
    if (places.length > 0) recorded.denying = places;
    recorded.clauses = keptClauses(verdicts.map(clausesOf));
  }
  if (digest !== undefined) recorded.factsDigest = digest;
  return recorded;
}
