// Explains a decision to users who may read the organization's policies.

import { errors, grpcStatuses, type ServiceError } from '../errors/errors.ts';
import type { Activity, Failure } from '../organization/records/activity.ts';
import type { DecidingPolicy } from '../policy/decision/deciding_policy.ts';
import type {
  Decision,
  DecisionReason,
  PolicyOutcome,
  PolicyVerdict,
} from '../policy/decision/decision.ts';
import { type ClauseRecords, clauseNames, clausesOf } from '../policy/decision/kept_clauses.ts';
import type { ClauseName } from '../policy/language/clause.ts';
import type { FalsePart } from '../policy/language/false_parts.ts';
import type { Scope } from '../policy/language/values.ts';
import type { JsonObject } from '../schema/json.ts';
import { explanationType, PolicyRefusedError } from './policy_refused_error.ts';
import { mfaStatusView } from './wire.ts';

/** Maximum number of explained policies; those with an effect come first. */
const maximumExplainedPolicies = 100;
/** Maximum number of policies whose false clauses are explained with compared values. */
const maximumReasonedPolicies = 5;
/** Maximum number of policies in lists of decisions. */
const maximumListedPolicies = 20;

/** A sentence for each reason. Public clients know those of `policy_denies` and `no_policy_allows`. */
const sentences: { readonly [Reason in DecisionReason]: string } = {
  root_quorum_met: 'The root quorum approved',
  policy_allows: 'A policy allows this action',
  own_credential: 'Users manage their own credentials',
  awaits_policy_votes: 'A policy allows this action with further approvals',
  awaits_root_quorum: 'Further members of the root quorum must approve',
  policy_denies: 'The following policies denied this action: ',
  root_quorum_required: 'Only the root quorum can take this action',
  root_member_protected:
    'Credentials and contacts of a member of the root quorum can only be changed by that member or the root quorum, regardless of policies: ask the root quorum to send this request',
  no_policy_allows: 'No policies evaluated to outcome: Allow',
};

/** The scopes that the clauses of a decision read. Clauses without a scope are explained without values. */
export type ReadScopes = {
  readonly condition?: () => readonly Scope[];
  readonly consensus?: Scope;
};

/**
 * Explains a decision: the reason as a code and a sentence, the outcomes of each policy's clauses, and the
 * effects of the activity's transaction.
 */
export function explain(
  decision: Decision,
  { explanation }: Pick<Activity, 'explanation'> = {},
  scopes: ReadScopes = {},
): JsonObject {
  const { reason, outcome, verdicts, denying, missing } = decision;
  // A waiting decision needs no explanation of false clauses, which further votes make true.
  const reasoned = outcome === 'refuse' ? maximumReasonedPolicies : 0;
  return {
    outcome: outcome.toUpperCase(),
    ...(missing === undefined
      ? reasonView(reason, denying)
      : { ...awaitsAuthenticators, authenticators: missing.map(mfaStatusView) }),
    ...(explanation === undefined ? {} : { explanation }),
    policies: relevantFirst(verdicts).map((verdict, i) =>
      explainVerdict(verdict, i < reasoned ? scopes : {}),
    ),
  };
}

/** Returns a reason as a code and a sentence; `denying` are the policies that denied. */
export function reasonView(reason: DecisionReason, denying: readonly { readonly id: string }[]) {
  const message = sentences[reason] + denying.map(({ id }) => id).join(', ');
  return { reason: reason.toUpperCase(), message };
}

/** The reason that replaces others while users must show further credentials. */
export const awaitsAuthenticators = {
  reason: 'AWAITS_AUTHENTICATORS',
  message: 'Users must show further credentials for this action',
};

/** Returns true for a policy with an effect on its decision: it applied, waited or failed. */
export const hadEffect = ({ outcome }: { readonly outcome: PolicyOutcome }): boolean =>
  outcome !== 'OUTCOME_DENY_IMPLICIT';

/** Returns at most 100 policies: first those with an effect, each in their order. */
export function relevantFirst<Verdict extends { readonly outcome: PolicyOutcome }>(
  policies: readonly Verdict[],
): readonly Verdict[] {
  const ordered = [...policies.filter(hadEffect), ...policies.filter((each) => !hadEffect(each))];
  return ordered.slice(0, maximumExplainedPolicies);
}

/** Returns the answer of a dry run: the outcome of the activity, and its explanation. */
export function dryRunView(settled: {
  readonly activity: Activity;
  readonly decision: Decision | undefined;
  readonly warnings: readonly JsonObject[];
  readonly scopes: ReadScopes;
}): JsonObject {
  const { activity, decision, warnings, scopes } = settled;
  return {
    status: activity.status,
    ...(decision === undefined ? {} : explain(decision, activity, scopes)),
    ...(activity.failure === undefined ? {} : { failure: activity.failure }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Creates the refusal of a decision. */
export function refusalOf(
  decision: Decision,
  scopes: ReadScopes,
  organizationId?: string,
): PolicyRefusedError {
  const explanation = explain(decision, {}, scopes);
  const details = [
    {
      '@type': 'type.googleapis.com/errors.v1.PolicyEnginePermissionError',
      message: explanation['message'],
      policyEvaluations: decision.verdicts.map(({ policy, outcome }) => ({
        policyId: policy.id,
        outcome,
      })),
    },
    { '@type': explanationType, ...explanation },
  ];
  return new PolicyRefusedError(details, organizationId);
}

/** Returns an error in the form that activities store. */
export function failureOf(error: ServiceError): Failure {
  const details =
    error instanceof PolicyRefusedError
      ? error.policyDetails
      : [{ '@type': 'type.googleapis.com/keywright.v1.Refusal', reason: error.code.toUpperCase() }];
  return { code: grpcStatuses[errors[error.code].grpc].number, message: error.message, details };
}

/** Returns the policies of a decision that had an effect, at most 20. */
export function explainPolicies({ verdicts }: Decision) {
  return relevantFirst(verdicts)
    .filter(hadEffect)
    .slice(0, maximumListedPolicies)
    .map((verdict) => explainVerdict(verdict, {}));
}

function explainVerdict(verdict: PolicyVerdict, scopes: ReadScopes) {
  const { policy, outcome } = verdict;
  const { id, name, effect } = policy;
  return {
    policyId: id,
    policyName: name,
    effect,
    outcome,
    clauses: clausesView(clausesOf(verdict), (clause) => becauseOf(policy, clause, scopes)),
  };
}

function becauseOf(
  policy: DecidingPolicy,
  clause: ClauseName,
  { condition, consensus }: ReadScopes,
): readonly FalsePart[] {
  if (clause === 'consensus' && consensus !== undefined) {
    return policy.consensus?.because?.(consensus) ?? [];
  }
  if (clause !== 'condition' || condition === undefined) return [];
  // Explains the first part of a request for which the condition is false.
  for (const scope of condition()) {
    const because = policy.condition?.because?.(scope) ?? [];
    if (because.length > 0) return because;
  }
  return [];
}

/** Returns the present clauses, each with its value or failure if it was evaluated. */
export function clausesView(
  records: ClauseRecords,
  because: (clause: ClauseName) => readonly FalsePart[] = () => [],
) {
  return clauseNames.flatMap((clause) => {
    const record = records[clause];
    if (record === 'absent') return [];
    if (record === 'not_asked') return [{ clause }];
    if ('value' in record) {
      const { value } = record;
      const parts = value ? [] : because(clause);
      return [parts.length === 0 ? { clause, value } : { clause, value, because: parts }];
    }
    const { code, position, message } = record.failure;
    return [{ clause, failure: { code, position, message } }];
  });
}
