// A decision as those read it who may see the organization's policies.

import { errors, grpcStatuses, type ServiceError } from '../errors/errors.ts';
import type { Activity, Failure } from '../organization/records/activity.ts';
import type { Decision, DecisionReason, Verdict } from '../policy/decision/decision.ts';
import { type ClauseOutcome, type Meter, newMeter } from '../policy/language/clause.ts';
import type { Scope } from '../policy/language/values.ts';
import type { JsonObject } from '../schema/json.ts';
import { PolicyRefusedError } from './policy_refused_error.ts';
import { mfaStatusView } from './wire.ts';

/** Policies that one explanation goes through; those that had something to say come first. */
const maximumExplainedPolicies = 100;

/** A sentence for each reason; the two of refusals are what public clients know. */
const sentences: { readonly [Reason in DecisionReason]: string } = {
  root_quorum_met: 'The root quorum approved',
  policy_allows: 'A policy allows this action',
  own_credential: 'Users manage their own credentials',
  awaits_policy_votes: 'A policy allows this action with further approvals',
  awaits_root_quorum: 'Further members of the root quorum must approve',
  policy_denies: 'The following policies denied this action: ',
  root_quorum_required: 'Only the root quorum can take this action',
  root_member_protected:
    'Credentials and contacts of a member of the root quorum are changed by that member or by the root quorum, whatever policies allow: ask the root quorum to send this',
  no_policy_allows: 'No policies evaluated to outcome: Allow',
};

/**
 * The reason as a code and a sentence, and for each policy what each of its clauses came to; with what
 * the transaction of the activity does.
 */
export function explain(
  decision: Decision,
  { explanation }: Pick<Activity, 'explanation'> = {},
): JsonObject {
  const { reason, outcome, verdicts, denying, missing } = decision;
  const telling = (verdict: Verdict) => verdict.outcome !== 'OUTCOME_DENY_IMPLICIT';
  const meter = newMeter();
  const ordered = [...verdicts.filter(telling), ...verdicts.filter((each) => !telling(each))];
  return {
    outcome: outcome.toUpperCase(),
    ...(missing === undefined
      ? {
          reason: reason.toUpperCase(),
          message: sentences[reason] + denying.map(({ id }) => id).join(', '),
        }
      : {
          reason: 'AWAITS_AUTHENTICATORS',
          message: 'Users must show further credentials for this action',
          authenticators: missing.map(mfaStatusView),
        }),
    ...(explanation === undefined ? {} : { explanation }),
    policies: ordered
      .slice(0, maximumExplainedPolicies)
      .map((verdict) => explainVerdict(verdict, decision.votes, meter)),
  };
}

/** What a dry run answers: what would come of the activity, and why. */
export function dryRunView(settled: {
  readonly activity: Activity;
  readonly decision: Decision | undefined;
  readonly warnings: readonly JsonObject[];
}): JsonObject {
  const { activity, decision, warnings } = settled;
  return {
    status: activity.status,
    ...(decision === undefined ? {} : explain(decision, activity)),
    ...(activity.failure === undefined ? {} : { failure: activity.failure }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Makes the refusal of a decision. */
export function refusalOf(decision: Decision, organizationId?: string): PolicyRefusedError {
  const explanation = explain(decision);
  const details = [
    {
      '@type': 'type.googleapis.com/errors.v1.PolicyEnginePermissionError',
      message: explanation['message'],
      policyEvaluations: decision.verdicts.map(({ policy, outcome }) => ({
        policyId: policy.id,
        outcome,
      })),
    },
    { '@type': 'type.googleapis.com/keywright.v1.DecisionExplanation', ...explanation },
  ];
  return new PolicyRefusedError(details, organizationId);
}

/** A refusal as an activity keeps it. */
export function failureOf(error: ServiceError): Failure {
  const details =
    error instanceof PolicyRefusedError
      ? error.policyDetails
      : [{ '@type': 'type.googleapis.com/keywright.v1.Refusal', reason: error.code.toUpperCase() }];
  return { code: grpcStatuses[errors[error.code].grpc].number, message: error.message, details };
}

function explainVerdict(
  { policy, outcome, condition, time }: Verdict,
  votes: Scope,
  meter: Meter,
): JsonObject {
  const { id, name, effect, consensus } = policy;
  const isAsked = !('value' in condition) || condition.value;
  return {
    policyId: id,
    policyName: name,
    effect,
    outcome,
    clauses: [
      ...(policy.condition === undefined ? [] : [explainClause('condition', condition)]),
      ...(consensus === undefined
        ? []
        : [explainClause('consensus', isAsked ? consensus.evaluate(votes, meter) : undefined)]),
      ...(policy.time === undefined ? [] : [explainClause('time', time)]),
    ],
  };
}

function explainClause(clause: string, outcome: ClauseOutcome | undefined): JsonObject {
  // The consensus of a policy whose condition is false is not asked.
  if (outcome === undefined) return { clause };
  if ('value' in outcome) return { clause, value: outcome.value };
  const { code, position, message } = outcome.failure;
  return { clause, failure: { code, position, message } };
}
