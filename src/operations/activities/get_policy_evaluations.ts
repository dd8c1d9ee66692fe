import { timestampObject } from '../../core/base/compatibility.ts';
import { assert } from '../../core/errors/errors.ts';
import type { Evaluation } from '../../core/organization/records/activity.ts';
import { type PolicyOutcome, policyOutcomes } from '../../core/policy/decision/decision.ts';
import { spelledOut } from '../../core/policy/decision/outcome_letters.ts';
import {
  answerList,
  answerText,
  object,
  oneOf,
  timestamp,
  uuid,
} from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import type { Reader } from '../reader.ts';
import { requireActivity } from './require_activity.ts';

const outcomes = Object.keys(policyOutcomes) as PolicyOutcome[];
const outcomeOfLetter = new Map<string, PolicyOutcome>(
  outcomes.map((outcome) => [policyOutcomes[outcome], outcome]),
);

const evaluationShape = () =>
  object({
    id: answerText(),
    activityId: answerText(),
    organizationId: answerText(),
    voteId: answerText(),
    policyEvaluations: answerList(object({ policyId: answerText(), outcome: oneOf(outcomes) })),
    createdAt: timestamp(),
  });

export const get_policy_evaluations = query({
  summary:
    'Returns the outcome of each policy at each vote on an activity; the submission is the first vote.',
  body: object({ activityId: uuid() }),
  response: object({ policyEvaluations: answerList(evaluationShape()) }),

  answer: async ({ organization, body, read }) => {
    const activity = await requireActivity(body.activityId, organization, read);
    return {
      policyEvaluations: await Promise.all(
        activity.evaluations.map(async (evaluation) => ({
          // One evaluation for each vote: the vote's id is its own.
          id: evaluation.voteId,
          activityId: activity.id,
          organizationId: organization.id,
          voteId: evaluation.voteId,
          policyEvaluations: await outcomesOf(evaluation, read),
          createdAt: timestampObject(evaluation.createdAtMs),
        })),
      ),
    };
  },
});

async function outcomesOf({ policySetId, outcomes: counted }: Evaluation, read: Reader) {
  if (policySetId === undefined || counted === '') return [];
  const letters = spelledOut(counted);
  const set = await read.policySet(policySetId);
  assert(set?.policyIds.length === letters.length, 'an evaluation has a letter for each policy');
  return set.policyIds.map((policyId, i) => {
    const outcome = outcomeOfLetter.get(letters.charAt(i));
    assert(outcome !== undefined, 'an evaluation is written in letters of the table');
    return { policyId, outcome };
  });
}
