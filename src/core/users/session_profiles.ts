// Rules of session profiles: the permitted operations of a kind of session, and its duration. They are
// immutable, so a session keeps its rules.

import { utf8 } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import { fail, failField } from '../errors/errors.ts';
import { checkLimit } from '../organization/limits.ts';
import type { SessionProfile } from '../organization/model.ts';
import type { OrganizationDraft } from '../organization/state.ts';
import { compileClause, ExpressionError } from '../policy/language/clause.ts';
import { noChosenNames, unknownChosenName } from '../policy/language/controls_read.ts';
import { numberOf } from '../schema/schema.ts';
import { maximumExpirationSeconds } from './api_keys.ts';

/**
 * Maximum length of a scope in UTF-8. Every session with a profile has a copy, and all keys are loaded with
 * their organization.
 */
export const maximumScopeBytes = 2_048;

/** Tokens contain the name of the session's profile, or `SESSION_TYPE_READ_WRITE` without a profile. */
const typePrefix = 'SESSION_TYPE_';

/** Parameters of a profile. */
type SessionProfileParameters = {
  readonly sessionProfileName: string;
  readonly scope: string;
  readonly expirationSeconds?: string | number;
  readonly notes?: string;
};

/**
 * Creates a profile; only parents have them. Raises `sub_organization_cannot`, `label_not_unique`,
 * `field_invalid`, `policy_expression_invalid`, `limit_exceeded`.
 */
export function createSessionProfile(
  parameters: SessionProfileParameters,
  organization: OrganizationDraft,
  context: Context,
): SessionProfile {
  if (organization.parentId !== undefined) {
    fail('sub_organization_cannot', { action: 'have session profiles of its own' });
  }
  const { sessionProfileName: name, scope, notes } = parameters;
  const present = organization.list('session_profile');
  checkLimit('sessionProfiles', present.length + 1, organization);
  // Clients distinguish sessions by name.
  if (present.some((profile) => profile.name === name)) {
    fail('label_not_unique', { resource: 'session profile', label: name });
  }
  if (name.startsWith(typePrefix)) {
    failField('parameters.sessionProfileName', `names with \`${typePrefix}\` are taken`);
  }
  checkScope(scope);
  const profile: SessionProfile = {
    id: context.newId(),
    name,
    scope,
    ...lifeOf(parameters),
    ...(notes === undefined ? {} : { notes }),
    createdAtMs: context.now,
    updatedAtMs: context.now,
  };
  organization.put('session_profile', profile);
  return profile;
}

function checkScope(scope: string): void {
  const field = 'parameters.scope';
  const { length } = utf8(scope);
  if (length > maximumScopeBytes) {
    failField(field, `expected at most ${maximumScopeBytes} bytes, got ${length}`);
  }
  try {
    const problem = unknownChosenName(compileClause('condition', scope), noChosenNames);
    if (problem !== undefined) throw problem;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const reason = error.message;
    fail('policy_expression_invalid', { clause: 'scope', reason }, [
      { field, description: reason },
    ]);
  }
}

function lifeOf({ expirationSeconds }: SessionProfileParameters) {
  if (expirationSeconds === undefined) return {};
  const seconds = numberOf(expirationSeconds);
  if (seconds < 1 || seconds > maximumExpirationSeconds) {
    const expected = `expected 1 to ${maximumExpirationSeconds} seconds, got ${seconds}`;
    failField('parameters.expirationSeconds', expected);
  }
  return { expirationSeconds: seconds };
}
