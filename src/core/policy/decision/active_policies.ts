// The policies in force at a time: the outcomes of their `time` clauses.

import type { OrganizationView } from '../../organization/state.ts';
import { newMeter } from '../language/clause.ts';
import { holds, isTrue } from '../language/clause_outcomes.ts';
import { timeScopeAt } from '../language/clock.ts';
import { decidingPolicies } from './deciding_policies.ts';

type ActivePolicyStatus = {
  readonly organizationId: string;
  readonly policyId: string;
  readonly active: boolean;
  /** The `time` of the policy. Default: always in force. */
  readonly timeExpr?: string;
  /** The reason why evaluation of the clause failed. */
  readonly error?: string;
};

/**
 * Returns the status of each policy at `now`, in the order of the policies. All clauses together may take the
 * steps of one decision.
 */
export function activePolicies(
  organization: OrganizationView,
  now: number,
): readonly ActivePolicyStatus[] {
  const scope = timeScopeAt(now);
  const meter = newMeter();
  const deciding = decidingPolicies(organization);
  return organization.list('policy').map(({ id, time: timeExpr }, i) => {
    const time = deciding[i]?.time?.evaluate(scope, meter) ?? holds;
    return {
      organizationId: organization.id,
      policyId: id,
      active: isTrue(time),
      ...(timeExpr === undefined ? {} : { timeExpr }),
      ...('failure' in time ? { error: time.failure.message } : {}),
    };
  });
}
