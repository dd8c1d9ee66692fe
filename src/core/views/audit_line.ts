// A line of the audit stream for a decided activity: IDs, times and outcomes, without user input.

import type { Activity, RecordedDecision, Vote } from '../organization/records/activity.ts';
import type { JsonObject } from '../schema/json.ts';
import { mostTelling } from './explanation.ts';
import { decidedView, outcomesOf } from './kept_decision.ts';

/** The source of an audit line: the activity without the records of its voters. */
type AuditedActivity = Omit<Activity, 'votes'> & {
  readonly votes: readonly Omit<Vote, 'user'>[];
};

/** Maximum number of credentials in a line, besides those of votes. */
const maximumProofs = 100;

/**
 * The line of an activity under its number. `policyIds` are those of the evaluation of its last vote.
 * Intent, result and messages are left out: the fingerprint says which body was signed.
 */
export function auditLine(
  number: number,
  activity: AuditedActivity,
  policyIds: readonly string[],
): JsonObject {
  const { votes, proofs = [], failure, heldBy } = activity;
  const decision = activity.decisions?.at(-1);
  return {
    number,
    organizationId: activity.organizationId,
    activityId: activity.id,
    type: activity.type,
    status: activity.status,
    fingerprint: activity.fingerprint,
    submittedAt: instant(activity.createdAtMs),
    decidedAt: instant(activity.updatedAtMs),
    submitter: {
      userId: activity.submitterId,
      credentialId: votes.find(({ userId }) => userId === activity.submitterId)?.credentialId,
    },
    votes: votes.map(({ userId, credentialId, selection, createdAtMs }) => ({
      userId,
      credentialId,
      selection,
      votedAt: instant(createdAtMs),
    })),
    ...(proofs.length === 0
      ? {}
      : {
          proofs: proofs
            .slice(0, maximumProofs)
            .map(({ userId, credentialId }) => ({ userId, credentialId })),
        }),
    ...(decision === undefined ? {} : { decision: decisionOf(decision, activity, policyIds) }),
    ...(heldBy === undefined ? {} : { signedBy: heldBy }),
    ...(failure === undefined ? {} : { failureCode: failure.code }),
  };
}

/** The line of an activity that cannot be read as it was sealed: its number is not left out. */
export function unreadableAuditLine(
  number: number,
  { organizationId, activityId }: { readonly organizationId: string; readonly activityId: string },
): JsonObject {
  return { number, organizationId, activityId, unreadable: true };
}

function decisionOf(
  decision: RecordedDecision,
  { evaluations }: Pick<Activity, 'evaluations'>,
  policyIds: readonly string[],
) {
  const evaluation = evaluations.find(({ voteId }) => voteId === decision.voteId);
  const outcomes = evaluation === undefined ? [] : outcomesOf(evaluation);
  const policies = outcomes.map((outcome, i) => ({ policyId: policyIds[i] ?? '', outcome }));
  const said = policies.filter((policy) => policy.outcome !== 'OUTCOME_DENY_IMPLICIT');
  const shown = mostTelling(said);
  const { outcome, reason } = decidedView(decision, []);
  return {
    outcome,
    reason,
    userId: decision.userId,
    ...(decision.byParent === true ? { decidedByParent: true } : {}),
    policies: shown,
    ...(shown.length < said.length ? { truncated: true } : {}),
  };
}

const instant = (ms: number): string => new Date(ms).toISOString();
