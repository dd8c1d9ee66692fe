import { timestampObject } from '../../core/base/compatibility.ts';
import { assert } from '../../core/errors/errors.ts';
import type { Evaluation } from '../../core/organization/records/activity.ts';
import {
  answerList,
  answerText,
  object,
  oneOf,
  timestamp,
  uuid,
} from '../../core/schema/schema.ts';
import { outcomesOf } from '../../core/views/kept_decision.ts';
import { query } from '../operation.ts';
import type { Reader } from '../reader.ts';
import { outcomeNames } from './decision_shapes.ts';
import { requireActivity } from './require_activity.ts';

const evaluationShape = () =>
  object({
    id: answerText(),
    activityId: answerText(),
    organizationId: answerText(),
    voteId: answerText(),
    policyEvaluations: answerList(object({ policyId: answerText(), outcome: oneOf(outcomeNames) })),
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
          // The evaluation of a vote has the ID of the vote.
          id: evaluation.voteId,
          activityId: activity.id,
          organizationId: organization.id,
          voteId: evaluation.voteId,
          policyEvaluations: await policiesOf(evaluation, read),
          createdAt: timestampObject(evaluation.createdAtMs),
        })),
      ),
    };
  },
});

async function policiesOf(evaluation: Evaluation, read: Reader) {
  const { policySetId } = evaluation;
  if (policySetId === undefined) return [];
  const outcomes = outcomesOf(evaluation);
  const set = await read.policySet(policySetId);
  assert(set?.policyIds.length === outcomes.length, 'an evaluation has a letter for each policy');
  return set.policyIds.flatMap((policyId, i) => {
    const outcome = outcomes[i];
    return outcome === undefined ? [] : [{ policyId, outcome }];
  });
}
