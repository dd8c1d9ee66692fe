// A decision as those read it who may see the organization's policies.

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

/** Maximum policies of one explanation; those with an outcome come first. */
const maximumExplainedPolicies = 100;
/** Policies whose false clauses are shown with the values that they compared. */
const maximumReasonedPolicies = 5;
/** Bound for lists of many decisions. */
const maximumListedPolicies = 20;

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

/** The scopes that the clauses of a decision read. A clause without its scope is shown without values. */
export type ReadScopes = {
  readonly condition?: () => readonly Scope[];
  readonly consensus?: Scope;
};

/**
 * The reason as a code and a sentence, the outcome of each clause of each policy, and the effects of the
 * activity's transaction.
 */
export function explain(
  decision: Decision,
  { explanation }: Pick<Activity, 'explanation'> = {},
  scopes: ReadScopes = {},
): JsonObject {
  const { reason, outcome, verdicts, denying, missing } = decision;
  // A clause that is false for now needs no reason: further votes make it true.
  const reasoned = outcome === 'refuse' ? maximumReasonedPolicies : 0;
  return {
    outcome: outcome.toUpperCase(),
    ...(missing === undefined
      ? reasonView(reason, denying)
      : { ...awaitsAuthenticators, authenticators: missing.map(mfaStatusView) }),
    ...(explanation === undefined ? {} : { explanation }),
    policies: mostTelling(verdicts).map((verdict, i) =>
      explainVerdict(verdict, i < reasoned ? scopes : {}),
    ),
  };
}

/** A reason as a code and a sentence; `denying` are the policies that denied. */
export function reasonView(reason: DecisionReason, denying: readonly { readonly id: string }[]) {
  const message = sentences[reason] + denying.map(({ id }) => id).join(', ');
  return { reason: reason.toUpperCase(), message };
}

/** The reason that replaces another, as long as users must give further proofs. */
export const awaitsAuthenticators = {
  reason: 'AWAITS_AUTHENTICATORS',
  message: 'Users must show further credentials for this action',
};

/** Returns at most `maximum` policies: those with an effect first, otherwise in order. */
export function mostTelling<Told extends { readonly outcome: PolicyOutcome }>(
  policies: readonly Told[],
): readonly Told[] {
  const isTelling = ({ outcome }: Told) => outcome !== 'OUTCOME_DENY_IMPLICIT';
  const ordered = [...policies.filter(isTelling), ...policies.filter((each) => !isTelling(each))];
  return ordered.slice(0, maximumExplainedPolicies);
}

/** Returns the answer of a dry run: the outcome of the activity, and why. */
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

/** A refusal as an activity keeps it. */
export function failureOf(error: ServiceError): Failure {
  const details =
    error instanceof PolicyRefusedError
      ? error.policyDetails
      : [{ '@type': 'type.googleapis.com/keywright.v1.Refusal', reason: error.code.toUpperCase() }];
  return { code: grpcStatuses[errors[error.code].grpc].number, message: error.message, details };
}

/** Returns the policies of a decision that had an effect, at most 20. */
export function explainPolicies({ verdicts }: Decision) {
  return mostTelling(verdicts)
    .filter(({ outcome }) => outcome !== 'OUTCOME_DENY_IMPLICIT')
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
  // The first part of a request that makes the condition false is explained.
  for (const scope of condition()) {
    const because = policy.condition?.because?.(scope) ?? [];
    if (because.length > 0) return because;
  }
  return [];
}

/** The clauses that a policy has, with the value or the failure of each that was asked. */
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
