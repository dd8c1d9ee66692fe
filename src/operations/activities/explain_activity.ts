import { isOpen } from '../../core/activity/activity.ts';
import { voteLifeMs } from '../../core/activity/votes.ts';
import { timestampObject } from '../../core/base/compatibility.ts';
import { activityStatuses } from '../../core/base/enums.ts';
import {
  type Activity,
  type RecordedDecision,
  type Vote,
  voteSelections,
} from '../../core/organization/records/activity.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import type { ClauseName } from '../../core/policy/language/clause.ts';
import type { FalsePart } from '../../core/policy/language/false_parts.ts';
import {
  answerInteger,
  answerList,
  answerText,
  boolean,
  object,
  oneOf,
  optional,
  timestamp,
  uuid,
} from '../../core/schema/schema.ts';
import { explain } from '../../core/views/explanation.ts';
import { recordedDecisionView } from '../../core/views/kept_decision.ts';
import { explanationType } from '../../core/views/policy_refused_error.ts';
import { query } from '../operation.ts';
import type { Reader } from '../reader.ts';
import { votersView, type WaitingState } from '../waiting_state.ts';
import { failureShape } from './activity_shape.ts';
import { decisionNowShape, decisionThenShape } from './decision_shapes.ts';
import { requireActivity } from './require_activity.ts';

/** Maximum number of policies in one answer, over all votes; the newest votes come first. */
const maximumReportedPolicies = 1_000;

export const explain_activity = query({
  summary:
    'Explains an activity: how it was decided at each vote, as that was recorded, and who may still vote.',
  body: object({ activityId: uuid() }),
  response: object({
    activityId: answerText(),
    status: oneOf(activityStatuses),
    votes: answerList(
      object({
        voteId: answerText(),
        userId: answerText(),
        userName: optional(answerText()),
        selection: oneOf(voteSelections),
        createdAt: timestamp(),
        replaced: optional(boolean()),
        counts: optional(boolean()),
        countsUntil: optional(timestamp()),
        decision: optional(decisionThenShape()),
      }),
    ),
    failure: optional(failureShape()),
    now: optional(
      object({
        decision: optional(decisionNowShape()),
        failure: optional(failureShape()),
        voters: answerList(
          object({
            userId: answerText(),
            userName: answerText(),
            canApprove: boolean(),
            canReject: boolean(),
            neededAfter: optional(answerInteger()),
          }),
        ),
        approvals: optional(object({ given: answerInteger(), needed: answerInteger() })),
        severalNeeded: optional(boolean()),
        truncated: optional(boolean()),
      }),
    ),
  }),

  answer: async ({ organization, body, read, standing }) => {
    const activity = await requireActivity(body.activityId, organization, read);
    const now = await standing(activity);
    const decisions = await decisionsOf(activity, organization, read);
    const { id: activityId, status, failure } = activity;
    return {
      activityId,
      status,
      votes: votesOf(activity).map((vote) => ({
        ...voteView(vote, isOpen(activity), now),
        ...decisions.get(vote.voteId),
      })),
      ...(failure === undefined ? {} : { failure }),
      ...(now === undefined ? {} : { now: nowView(now, organization) }),
    };
  },
});

/** A vote, including votes that their user replaced later. */
type GivenVote = Pick<RecordedDecision, 'voteId' | 'userId' | 'selection' | 'createdAtMs'> & {
  readonly vote: Vote | undefined;
};

/** Returns all votes, oldest first, including expired votes and votes that were cast again. */
function votesOf(activity: Activity): readonly GivenVote[] {
  const votes = new Map(activity.votes.map((vote) => [vote.id, vote]));
  const decided = (activity.decisions ?? []).map((decision) => {
    const { voteId, userId, selection, createdAtMs } = decision;
    return { voteId, userId, selection, createdAtMs, vote: votes.get(voteId) };
  });
  const known = new Set(decided.map(({ voteId }) => voteId));
  const others = activity.votes
    .filter(({ id }) => !known.has(id))
    .map((vote) => ({ ...vote, voteId: vote.id, vote }));
  return [...others, ...decided];
}

function voteView(given: GivenVote, stillWaits: boolean, now: WaitingState | undefined) {
  const { voteId, userId, selection, createdAtMs, vote } = given;
  const counts = now !== undefined && 'decision' in now && now.countedVoterIds.includes(userId);
  const isApproval = stillWaits && selection === 'VOTE_SELECTION_APPROVED' && vote !== undefined;
  return {
    voteId,
    userId,
    ...(vote === undefined ? { replaced: true } : { userName: vote.user.userName }),
    selection,
    createdAt: timestampObject(createdAtMs),
    ...(isApproval ? { counts, countsUntil: timestampObject(createdAtMs + voteLifeMs) } : {}),
  };
}

/** Returns the decision of each vote. The newest votes get room for their policies first. */
async function decisionsOf(
  { decisions = [], evaluations, failure }: Activity,
  organization: OrganizationView,
  read: Reader,
) {
  const found = new Map<string, { decision: ReturnType<typeof recordedDecisionView> }>();
  const last = decisions.at(-1);
  const sets = new Map<string, readonly string[]>();
  let maximum = maximumReportedPolicies;
  for (const decision of decisions.toReversed()) {
    const evaluation = evaluations.find(({ voteId }) => voteId === decision.voteId);
    const setId = maximum > 0 ? evaluation?.policySetId : undefined;
    if (setId !== undefined && !sets.has(setId)) {
      sets.set(setId, (await read.policySet(setId))?.policyIds ?? []);
    }
    const policyIds = sets.get(setId ?? '') ?? [];
    const shown = setId === undefined ? undefined : evaluation;
    const view = recordedDecisionView(decision, {
      evaluation: shown,
      policyIds,
      organization,
      maximum,
      because: decision === last ? reasonsIn(failure) : () => [],
    });
    const isCut = shown !== evaluation;
    found.set(decision.voteId, { decision: isCut ? { ...view, truncated: true } : view });
    maximum -= view.policies.length;
  }
  return found;
}

/** Returns the comparisons in a recorded refusal, by policy and clause. */
function reasonsIn(failure: Activity['failure']) {
  const detail = failure?.details.find((each) => each['@type'] === explanationType);
  const policies = (detail?.['policies'] ?? []) as readonly RecordedPolicy[];
  const reasons = new Map(
    policies.flatMap(({ policyId, clauses }) =>
      clauses.map(({ clause, because = [] }) => [`${policyId}/${clause}`, because] as const),
    ),
  );
  return (policyId: string, clause: ClauseName) => reasons.get(`${policyId}/${clause}`) ?? [];
}

type RecordedPolicy = {
  readonly policyId: string;
  readonly clauses: readonly {
    readonly clause: string;
    readonly because?: readonly FalsePart[];
  }[];
};

function nowView(now: WaitingState, organization: OrganizationView) {
  const voters = votersView(now, organization);
  return 'refusal' in now ? voters : { decision: explain(now.decision), ...voters };
}
