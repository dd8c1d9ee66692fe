import { policyEffects } from '../../core/base/enums.ts';
import { type PolicyOutcome, policyOutcomes } from '../../core/policy/decision/decision.ts';
import { clauseNames } from '../../core/policy/decision/kept_clauses.ts';
import {
  answerInteger,
  answerList,
  answerText,
  type anyObject,
  boolean,
  object,
  oneOf,
  optional,
} from '../../core/schema/schema.ts';
import { decisionOutcomes, policyStates } from '../../core/views/kept_decision.ts';
import { mfaStatusShape } from '../credential_shapes.ts';

export const outcomeNames = Object.keys(policyOutcomes) as PolicyOutcome[];

const clausesShape = () =>
  answerList(
    object({
      clause: oneOf(clauseNames),
      value: optional(boolean()),
      because: optional(
        answerList(
          object({
            position: answerInteger(),
            text: answerText(),
            values: answerList(object({ name: answerText(), value: answerText() })),
          }),
        ),
      ),
      failure: optional(
        object({ code: answerText(), position: answerInteger(), message: answerText() }),
      ),
    }),
  );

/** A past decision. */
export const decisionThenShape = () =>
  object({
    outcome: oneOf(decisionOutcomes),
    reason: answerText(),
    message: answerText(),
    voterIds: answerList(answerText()),
    decidedByParent: optional(boolean()),
    policies: answerList(
      object({
        policyId: answerText(),
        policyName: optional(answerText()),
        effect: optional(oneOf(policyEffects)),
        state: oneOf(policyStates),
        outcome: oneOf(outcomeNames),
        clauses: clausesShape(),
      }),
    ),
    truncated: optional(boolean()),
  });

/** Policies with their current outcomes. */
export const policiesNowShape = () =>
  answerList(
    object({
      policyId: answerText(),
      policyName: answerText(),
      effect: oneOf(policyEffects),
      outcome: oneOf(outcomeNames),
      clauses: clausesShape(),
    }),
  );

/** A current decision. `explain` types its members. */
export const decisionNowShape = () =>
  object({
    outcome: oneOf(decisionOutcomes),
    reason: answerText(),
    message: answerText(),
    authenticators: optional(answerList(mfaStatusShape())),
    policies: policiesNowShape(),
  }) as unknown as ReturnType<typeof anyObject>;
