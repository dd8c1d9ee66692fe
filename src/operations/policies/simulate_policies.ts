import { replayObstacles } from '../../core/activity/replay.ts';
import type { Context } from '../../core/base/context.ts';
import { failField } from '../../core/errors/errors.ts';
import type { OrganizationDraft } from '../../core/organization/state.ts';
import type { ClauseTexts } from '../../core/policy/language/compiled_clauses.ts';
import {
  checkClauseSize,
  clausesOfUpdate,
  compilePolicies,
  createPolicies,
  deletePolicies,
  updatePolicy,
} from '../../core/policy/policies.ts';
import {
  answerInteger,
  answerList,
  answerText,
  boolean,
  decimal,
  list,
  object,
  oneOf,
  optional,
  uuid,
  type ValueOfSchema,
} from '../../core/schema/schema.ts';
import { explainPolicies, reasonView } from '../../core/views/explanation.ts';
import { decisionOutcomes } from '../../core/views/kept_decision.ts';
import { policiesNowShape } from '../activities/decision_shapes.ts';
import { activityFilters, filterOf, pageThatFits } from '../activities/filtered_activities.ts';
import { query } from '../operation.ts';
import { pageOf } from '../page.ts';
import type { Redecided } from '../simulation.ts';
import { policyParameters, policyUpdate } from './policy_shapes.ts';

const maximumChanges = 100;

/** One change; exactly one of the members. */
const policyChange = () =>
  object({
    create: optional(policyParameters()),
    update: optional(policyUpdate()),
    delete: optional(object({ policyId: uuid() })),
  });
type PolicyChange = ValueOfSchema<ReturnType<typeof policyChange>>;

export const simulate_policies = query({
  summary:
    'Decides past activities once more, as they were asked for and voted on, under changed policies; nothing is stored.',
  body: object({
    changes: list(policyChange(), { maximum: maximumChanges }),
    onlyFlips: optional(boolean()),
    ...activityFilters(),
    after: optional(uuid()),
    limit: optional(decimal({ minimum: 1, maximum: 100 })),
  }),
  response: object({
    decisions: answerList(
      object({
        activityId: answerText(),
        type: answerText(),
        was: optional(oneOf(decisionOutcomes)),
        wouldBe: optional(oneOf(decisionOutcomes)),
        flips: boolean(),
        reason: optional(answerText()),
        message: optional(answerText()),
        obstacle: optional(oneOf(Object.keys(replayObstacles) as (keyof typeof replayObstacles)[])),
        policies: policiesNowShape(),
      }),
    ),
    decided: answerInteger(),
    flipped: answerInteger(),
    undecided: answerInteger(),
    nextCursor: optional(answerText()),
  }),

  answer: async (input) => {
    const { organization, body, simulation, isSpent, pause } = input;
    const clauses = body.changes.flatMap(clausesOfChange);
    checkClauseSize(clauses);
    await compilePolicies(clauses, organization, pause);
    const { redecide } = simulation((draft, context) => apply(body.changes, draft, context));
    const { after, limit } = body;
    const page = pageOf({
      ...(after === undefined ? {} : { after }),
      ...(limit === undefined ? {} : { limit }),
    });
    const found = await pageThatFits(page, await filterOf(body, input), new Map(), input);
    const decisions = [];
    let last: string | undefined;
    for (const activity of found.activities) {
      if (last !== undefined && isSpent()) break;
      await pause();
      const { id: activityId, type } = activity;
      decisions.push({ activityId, type, ...redecidedView(await redecide(activity)) });
      last = activityId;
    }
    const isWhole = decisions.length === found.activities.length;
    const isLast = isWhole && !found.isCut && decisions.length < page.limit;
    const nextCursor = isWhole && found.isCut ? found.seen : last;
    const undecided = decisions.filter((each) => 'obstacle' in each).length;
    const flips = decisions.filter((each) => each.flips);
    return {
      decisions: body.onlyFlips === true ? flips : decisions,
      decided: decisions.length - undecided,
      flipped: flips.length,
      undecided,
      ...(isLast || nextCursor === undefined ? {} : { nextCursor }),
    };
  },
});

function clausesOfChange({ create, update }: PolicyChange): ClauseTexts[] {
  return [...(create === undefined ? [] : [create]), ...(update ? [clausesOfUpdate(update)] : [])];
}

/** Applies the changes in order. Raises the errors of the policy operations. */
function apply(changes: readonly PolicyChange[], draft: OrganizationDraft, context: Context): void {
  for (const [i, change] of changes.entries()) {
    const field = `changes.${i}`;
    if (Object.keys(change).length !== 1) {
      failField(field, 'expected one of `create`, `update` and `delete`');
    }
    if (change.create !== undefined) {
      createPolicies([change.create], draft, context, () => `${field}.create`);
    }
    if (change.update !== undefined) {
      const { policyId, ...given } = change.update;
      updatePolicy(policyId, given, draft, context, `${field}.update`);
    }
    if (change.delete !== undefined) deletePolicies([change.delete.policyId], draft, context);
  }
}

function redecidedView(redecided: Redecided) {
  const { was } = redecided;
  const past = was === undefined ? {} : { was };
  if ('obstacle' in redecided) {
    const { obstacle } = redecided;
    const message = replayObstacles[obstacle];
    return { ...past, flips: false, obstacle, message, policies: [] };
  }
  const { outcome, decision } = redecided;
  return {
    ...past,
    wouldBe: outcome,
    flips: outcome !== was,
    ...(decision === undefined || outcome === 'REJECT'
      ? {}
      : reasonView(decision.reason, decision.denying)),
    policies: decision === undefined ? [] : explainPolicies(decision),
  };
}
