// The scope of a session: the requests that its profile permits. It is checked before any other decision.

import { fail } from '../../errors/errors.ts';
import type { JsonObject } from '../../schema/json.ts';
import { newMeter } from '../language/clause.ts';
import { isTrue } from '../language/clause_outcomes.ts';
import { compiledCondition } from '../language/compiled_clauses.ts';
import type { Scope } from '../language/values.ts';
import { kindOf } from './activity_kind.ts';

/**
 * Rejects requests outside the scope of a session, and all requests if the scope is unknown. Raises
 * `session_scope_denies`.
 */
export function requireScope(
  scope: string | undefined,
  scopes: (() => readonly Scope[]) | undefined,
  organizationId: string,
): void {
  if (scope === undefined) return;
  if (scopes === undefined || !isInScope(scope, scopes, organizationId)) {
    fail('session_scope_denies');
  }
}

/** Returns true if a scope holds for every part of a request; an absent scope allows everything. */
export function isInScope(
  scope: string | undefined,
  scopes: () => readonly Scope[],
  organizationId: string,
): boolean {
  if (scope === undefined) return true;
  const clause = compiledCondition(scope, organizationId);
  const meter = newMeter();
  return scopes().every((each) => isTrue(clause.evaluate(each, meter)));
}

/** Activities that add a credential or contact to a user, which outlives the session and has no scope. */
const grantsAccess: ReadonlySet<string> = new Set(
  (
    'CREATE_API_KEYS CREATE_AUTHENTICATORS CREATE_OAUTH_PROVIDERS RECOVER_USER' +
    ' CREATE_READ_WRITE_SESSION UPDATE_USER UPDATE_USER_EMAIL UPDATE_USER_PHONE_NUMBER'
  ).split(' '),
);

/**
 * Returns true if a credential deletes only itself. Every scope allows it, since signing out does not harm
 * the organization.
 */
export function deletesItself(
  { id, userId }: { readonly id: string; readonly userId: string },
  { type, parameters }: Omit<SubmittedActivity, 'submitterId'>,
): boolean {
  const { userId: named, apiKeyIds } = parameters;
  if (kindOf(type) !== 'DELETE_API_KEYS' || !Array.isArray(apiKeyIds)) return false;
  const isOwn = typeof named === 'string' && named.toLowerCase() === userId;
  return isOwn && apiKeyIds.length === 1 && String(apiKeyIds[0]).toLowerCase() === id;
}

type SubmittedActivity = {
  readonly type: string;
  readonly parameters: JsonObject;
  readonly submitterId: string;
};

/**
 * Rejects an attempt of a session with a scope to register a credential or set a contact of its own user, or
 * to approve such an activity. The new credential would have no scope. Raises `session_scope_denies`.
 */
export function rejectScopeEscape(
  scope: string | undefined,
  userId: string,
  { type, parameters, submitterId }: SubmittedActivity,
): void {
  if (scope === undefined || !grantsAccess.has(kindOf(type))) return;
  const { userId: named, email } = parameters;
  // Without a user ID the activity concerns the submitter; an e-mail address may belong to another user.
  const unnamed = email === undefined ? submitterId : userId;
  const concerned = typeof named === 'string' ? named.toLowerCase() : unnamed;
  if (concerned === userId) fail('session_scope_denies');
}
