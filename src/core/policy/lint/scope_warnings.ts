// Warns about requests that escape a session's scope: allowed logins and registrations of credentials without
// a scope.

import { activityKinds, typesOfKind } from '../activity_kinds.ts';
import { newMeter } from '../language/clause.ts';
import { compiledCondition } from '../language/compiled_clauses.ts';

/** Logins that a session can request; each may name a profile. */
const logins = ['STAMP_LOGIN', 'OTP_LOGIN', 'OAUTH_LOGIN'];

/** Activities that create a credential, in addition to `CREATE_API_KEYS`, which names its user. */
const otherRegistrations = [
  'CREATE_AUTHENTICATORS',
  'CREATE_OAUTH_PROVIDERS',
  'CREATE_READ_WRITE_SESSION',
];

/** Represents a user or profile that no scope names. */
const anyId = '00000000-0000-0000-0000-000000000000';

/**
 * Returns a sentence for each escape from a scope. Each escaping request is evaluated as a session would send
 * it. A session with a scope never creates a credential for its own user.
 */
export function scopeWarnings(scope: string, organizationId: string): readonly string[] {
  const allowed = (kinds: readonly string[], params: Readonly<Record<string, string>>) =>
    kinds.filter((kind) =>
      typesOfKind(kind).some((type) => allows(scope, organizationId, { kind, type, params })),
    );
  const unscoped = allowed(logins, { session_profile_id: '' });
  const underOthers = allowed(logins, { session_profile_id: anyId }).filter(
    (kind) => !unscoped.includes(kind),
  );
  const registering = [
    ...allowed(['CREATE_API_KEYS'], { user_id: anyId }),
    ...allowed(otherRegistrations, {}),
  ];
  return [
    ...warningsOf('lets the session log in again without a scope', unscoped, profileAdvice),
    ...warningsOf('lets the session log in again under any profile', underOthers, profileAdvice),
    ...warningsOf(
      'lets the session give other users credentials without a scope',
      registering,
      userAdvice,
    ),
  ];
}

const profileAdvice =
  'compare `activity.params.session_profile_id` with the profile that is meant, or leave logins out';
const userAdvice = 'leave them out, or name users by `activity.params.user_id`';

function warningsOf(what: string, kinds: readonly string[], advice: string): readonly string[] {
  return kinds.length === 0 ? [] : [`${what} (${kinds.join(', ')}): ${advice}`];
}

function allows(
  scope: string,
  organizationId: string,
  asked: {
    readonly kind: string;
    readonly type: string;
    readonly params: Readonly<Record<string, string>>;
  },
): boolean {
  const { kind, type, params } = asked;
  const row = activityKinds.find(({ name }) => name === kind);
  const activity = { type, kind, resource: row?.resource, action: row?.action, params };
  const outcome = compiledCondition(scope, organizationId).evaluate({ activity }, newMeter());
  return 'value' in outcome && outcome.value;
}
