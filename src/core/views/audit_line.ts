// A line of the audit stream for a decided activity: IDs, times and outcomes, without user input.

import type { Activity, RecordedDecision, Vote } from '../organization/records/activity.ts';
import type { JsonObject } from '../schema/json.ts';
import { hadEffect, relevantFirst } from './explanation.ts';
import { decidedView, outcomesOf } from './kept_decision.ts';

/** The source of an audit line: the activity without the records of its voters. */
type AuditedActivity = Omit<Activity, 'votes'> & {
  readonly votes: readonly Omit<Vote, 'user'>[];
};

/** Maximum number of credentials in a line, in addition to those of votes. */
const maximumProofs = 100;

/**
 * Returns the audit line of an activity with its number. `policyIds` are those of its last evaluation. Omits
 * intent, result and messages; the fingerprint identifies the signed body.
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

/** Returns the audit line of an unreadable activity, so that its number is not missing. */
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
  const said = policies.filter(hadEffect);
  const shown = relevantFirst(said);
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
