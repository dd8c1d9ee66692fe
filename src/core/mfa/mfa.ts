// The factors that a user must show for an activity beyond one credential: the demanded MFA policies, and the
// steps that shown credentials meet. Implements docs/authentication.md, "Several factors".

import type { AuthenticationMethod, MfaPolicy } from '../organization/records/mfa_policy.ts';
import type { OrganizationView } from '../organization/state.ts';
import type { Meter } from '../policy/language/clause.ts';
import { isAboutSomethingElse, isFailure, isTrue } from '../policy/language/clause_outcomes.ts';
import { compiledCondition } from '../policy/language/compiled_clauses.ts';
import type { Scope } from '../policy/language/values.ts';
import { type Credential, provableCredentials } from '../users/credentials.ts';
import { mfaPoliciesOf } from '../users/mfa_policies_of_user.ts';

/** A demanded policy, and whether it is met. */
export type MfaStatus = {
  readonly policy: MfaPolicy;
  readonly satisfied: boolean;
  /** Methods that meet a step. */
  readonly satisfiedMethods: readonly Required<AuthenticationMethod>[];
};

type Shown = Pick<Credential, 'id' | 'method'>;
type RequiredMethod = MfaPolicy['requiredMethods'][number];

/** Returns the user's policies that an activity demands. All examined users share the `meter`. */
export function demandedPolicies(
  userId: string,
  organization: OrganizationView,
  scopes: () => readonly Scope[],
  meter: Meter,
): readonly MfaPolicy[] {
  const policies = mfaPoliciesOf(organization, userId);
  return policies.length === 0 ? [] : demanded(policies, scopes(), meter, organization.id);
}

/** Returns the state of demanded policies under these credentials. */
export function statusesWith(
  policies: readonly MfaPolicy[],
  shown: readonly Shown[],
): readonly MfaStatus[] {
  return policies.map((policy) => statusOf(policy, shown));
}

/**
 * Returns true if a user could meet a policy with its credentials and with sessions, which every user can
 * start.
 */
export function couldBeMet(policy: MfaPolicy, organization: OrganizationView): boolean {
  const methods = policy.requiredMethods.flatMap(({ any }) => any);
  const sessions = methods.flatMap(({ type, id = '' }, i): Shown[] =>
    type === 'AUTHENTICATION_TYPE_SESSION' ? [{ id: `session ${i}`, method: { type, id } }] : [],
  );
  const held = provableCredentials(organization, policy.userId);
  return statusOf(policy, [...held, ...sessions]).satisfied;
}

/**
 * Returns the demanded policies. The search ends at the first policy whose condition holds for some part of
 * the activity. A condition restricts, like the condition of a DENY policy. So a policy whose condition fails
 * is demanded too, and the search continues. A condition about an absent subject does not apply.
 */
function demanded(
  policies: readonly MfaPolicy[],
  scopes: readonly Scope[],
  meter: Meter,
  organizationId: string,
): MfaPolicy[] {
  const found: MfaPolicy[] = [];
  for (const policy of policies) {
    const clause = compiledCondition(policy.condition, organizationId);
    const outcomes = scopes.map((scope) => clause.evaluate(scope, meter, 'three_valued'));
    const holds = outcomes.some(isTrue);
    const mayHold = outcomes.some((one) => isFailure(one) && !isAboutSomethingElse(one));
    if (holds || mayHold) found.push(policy);
    if (holds) break;
  }
  return found;
}

/**
 * Assigns credentials to steps. Each step needs a credential of its own, since one credential is one factor.
 * Augmenting paths find the largest assignment.
 */
function statusOf(policy: MfaPolicy, shown: readonly Shown[]): MfaStatus {
  const steps = policy.requiredMethods;
  const stepOf = new Map<Shown, RequiredMethod>();
  const place = (step: RequiredMethod, tried: Set<Shown>): boolean =>
    shown.some((credential) => {
      if (!fits(step, credential) || tried.has(credential)) return false;
      tried.add(credential);
      const other = stepOf.get(credential);
      if (other !== undefined && !place(other, tried)) return false;
      stepOf.set(credential, step);
      return true;
    });
  const met = steps.filter((step) => place(step, new Set())).length;
  return {
    policy,
    satisfied: met === steps.length,
    satisfiedMethods: shown.flatMap((credential) =>
      stepOf.has(credential) ? [credential.method] : [],
    ),
  };
}

function fits({ any }: RequiredMethod, { method }: Shown): boolean {
  return any.some(({ type, id }) => type === method.type && (id ?? method.id) === method.id);
}
