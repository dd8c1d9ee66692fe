// Rules for saving MFA policies.

import { utf8 } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import type { AuthenticationType } from '../base/enums.ts';
import { table } from '../base/table.ts';
import { fail, failField } from '../errors/errors.ts';
import { checkLimit } from '../organization/limits.ts';
import type { AuthenticationMethod, MfaPolicy } from '../organization/records/mfa_policy.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { compileClauseInParts, ExpressionError } from '../policy/language/clause.ts';
import { noChosenNames, unknownChosenName } from '../policy/language/controls_read.ts';
import { noSessionProfileId } from '../users/credentials.ts';
import { mfaPoliciesOf } from '../users/mfa_policies_of_user.ts';
import { requireUser } from '../users/users.ts';

export const maximumConditionBytes = 4_096;

/**
 * Maximum UTF-16 units of an organization's MFA policies as JSON. They are loaded with the organization and
 * with every vote of their users.
 */
const maximumMfaPolicyUnits = 262_144;

/** Parameters of a policy. */
type MfaPolicyParameters = {
  readonly userId: string;
  readonly mfaPolicyName: string;
  readonly condition: string;
  readonly requiredAuthenticationMethods: MfaPolicy['requiredMethods'];
  readonly order: number;
  readonly notes?: string;
};

/** The changed members of an update; undefined members stay. */
type MfaPolicyChanges = Partial<Omit<MfaPolicyParameters, 'userId'>>;

/** The owner of session profiles: the parent, or the organization itself. */
type Profiles = Pick<OrganizationView, 'id' | 'get'>;

/**
 * Creates a policy of a user, whose condition `checkMfaCondition` has accepted. Raises `resource_not_found`
 * for an unknown user or credential of the user, `field_invalid`, `limit_exceeded`.
 */
export function createMfaPolicy(
  parameters: MfaPolicyParameters,
  organization: OrganizationDraft,
  profiles: Profiles,
  { now, newId }: Context,
): MfaPolicy {
  const user = requireUser(organization, parameters.userId);
  const { mfaPolicyName, condition, requiredAuthenticationMethods, order, notes } = parameters;
  checkLimit('mfaPolicies', mfaPoliciesOf(organization, user.id).length + 1, organization);
  const policy: MfaPolicy = {
    id: newId(),
    userId: user.id,
    name: mfaPolicyName,
    condition,
    requiredMethods: stepsOf(requiredAuthenticationMethods, user.id, organization, profiles),
    order,
    ...(notes === undefined ? {} : { notes }),
    createdAtMs: now,
    updatedAtMs: now,
  };
  return save(policy, organization);
}

/** Changes a policy. Raises as `createMfaPolicy` does. */
export function updateMfaPolicy(
  before: MfaPolicy,
  changes: MfaPolicyChanges,
  organization: OrganizationDraft,
  profiles: Profiles,
  now: number,
): MfaPolicy {
  const { requiredAuthenticationMethods: steps, notes = before.notes } = changes;
  const policy: MfaPolicy = {
    id: before.id,
    userId: before.userId,
    name: changes.mfaPolicyName ?? before.name,
    condition: changes.condition ?? before.condition,
    requiredMethods:
      steps === undefined
        ? before.requiredMethods
        : stepsOf(steps, before.userId, organization, profiles),
    order: changes.order ?? before.order,
    ...(notes === undefined ? {} : { notes }),
    createdAtMs: before.createdAtMs,
    updatedAtMs: now,
  };
  return save(policy, organization);
}

/** Finds a policy of a user by IDs in any letter case. Raises `resource_not_found`. */
export function requireMfaPolicy(
  userId: string,
  id: string,
  organization: OrganizationView,
): MfaPolicy {
  const policy = organization.get('mfa_policy', id.toLowerCase());
  if (policy?.userId === requireUser(organization, userId).id) return policy;
  return fail('resource_not_found', {
    resource: 'MFA policy',
    id,
    organizationId: organization.id,
  });
}

type MethodRow = {
  /** Returns true if the ID belongs to the user; undefined for a method without IDs. */
  readonly has:
    | ((id: string, userId: string, organization: OrganizationView, profiles: Profiles) => boolean)
    | undefined;
};

/** The meaning of the `id` of each method. */
const methods = table<MethodRow>()<AuthenticationType>({
  AUTHENTICATION_TYPE_PASSKEY: {
    has: (id, userId, organization) => organization.get('authenticator', id)?.userId === userId,
  },
  AUTHENTICATION_TYPE_API_KEY: {
    has: (id, userId, organization) => organization.get('api_key', id)?.userId === userId,
  },
  AUTHENTICATION_TYPE_OAUTH: {
    has: (id, userId, organization) => organization.get('oauth_provider', id)?.userId === userId,
  },
  AUTHENTICATION_TYPE_SESSION: {
    has: (id, _userId, _organization, profiles) =>
      id === noSessionProfileId || profiles.get('session_profile', id) !== undefined,
  },
  AUTHENTICATION_TYPE_EMAIL_OTP: { has: undefined },
  AUTHENTICATION_TYPE_SMS_OTP: { has: undefined },
});

function stepsOf(
  steps: MfaPolicy['requiredMethods'],
  userId: string,
  organization: OrganizationView,
  profiles: Profiles,
): MfaPolicy['requiredMethods'] {
  return steps.map((step, i) => ({
    any: step.any.map((method, k): AuthenticationMethod => {
      const field = `parameters.requiredAuthenticationMethods.${i}.any.${k}.id`;
      return methodOf(method, field, userId, organization, profiles);
    }),
  }));
}

function methodOf(
  { type, id }: AuthenticationMethod,
  field: string,
  userId: string,
  organization: OrganizationView,
  profiles: Profiles,
): AuthenticationMethod {
  if (id === undefined || id === '') return { type };
  const { has } = methods[type];
  if (has === undefined) failField(field, `expected none with ${type}`);
  if (!has(id.toLowerCase(), userId, organization, profiles)) {
    failField(field, `the user has nothing of this id for ${type}`);
  }
  return { type, id: id.toLowerCase() };
}

function save(policy: MfaPolicy, organization: OrganizationDraft): MfaPolicy {
  organization.put('mfa_policy', policy);
  const units = organization
    .list('mfa_policy')
    .reduce((sum, each) => sum + JSON.stringify(each).length, 0);
  if (units > maximumMfaPolicyUnits) {
    const resource = 'characters of MFA policies';
    fail('limit_exceeded', { owner: 'organization', resource, limit: maximumMfaPolicyUnits });
  }
  return policy;
}

/** Checks the condition of a request, with pauses. Raises `policy_expression_invalid`, `field_invalid`. */
export async function checkMfaCondition(
  condition: string,
  pause: () => Promise<void>,
): Promise<void> {
  const field = 'parameters.condition';
  const { length } = utf8(condition);
  if (length > maximumConditionBytes) {
    failField(field, `expected at most ${maximumConditionBytes} bytes, got ${length}`);
  }
  try {
    const problem = unknownChosenName(
      await compileClauseInParts('condition', condition, pause),
      noChosenNames,
    );
    if (problem !== undefined) throw problem;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const reason = error.message;
    fail('policy_expression_invalid', { clause: 'condition', reason }, [
      { field, description: reason },
    ]);
  }
}
