// Freezes at each decision, before policies: of the organization and its keys, of the users, and of the
// parent.

import { isRefusal } from '../core/errors/errors.ts';
import { isStoppedByFreezes, requireActiveUser, requireNotFrozen } from '../core/freezes/frozen.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import {
  type OrganizationState,
  type OrganizationView,
  viewOf,
} from '../core/organization/state.ts';
import { kindOf } from '../core/policy/decision/activity_kind.ts';
import type { Caller } from '../operations/operation.ts';
import type { ParsedActivity } from './parse.ts';
import type { Ports } from './ports.ts';
import type { Preparation } from './prepare.ts';

/**
 * Returns the parent of an organization, for activities that a freeze can stop. The commit is conditional
 * on this state, so no freeze of the parent is overlooked.
 */
export async function freezingParent(
  { operation: { subject } }: Pick<ParsedActivity, 'operation'>,
  { governedBy }: Pick<Caller, 'governedBy'>,
  { parentId }: OrganizationState,
  { repository }: Pick<Ports, 'repository'>,
): Promise<OrganizationState | undefined> {
  if (parentId === undefined || !isStoppedByFreezes(subject)) return undefined;
  return governedBy ?? (await repository.organization(parentId)).state;
}

/**
 * Refuses an activity that a freeze stops: of its organization, of its keys, of its submitter or of the
 * user who votes. Raises `frozen`.
 */
export function requireUnfrozen(preparation: Preparation, { user }: Pick<Caller, 'user'>): void {
  const { parsed, submitter, deciding, organization, parent, facts } = preparation;
  const kind = kindOf(parsed.version.wire.type);
  for (const { id } of user.id === submitter.id ? [user] : [submitter, user]) {
    // A user of the parent acts by the rules of the parent.
    requireActiveUser(deciding, id, kind);
  }
  const above = parent && viewOf(parent);
  requireNotFrozen({ organization, parent: above }, parsed.operation.subject, facts);
}

/** Returns true if a freeze stops an activity, whoever votes. */
export function isFrozen(preparation: Preparation): boolean {
  try {
    requireUnfrozen(preparation, { user: preparation.submitter });
    return false;
  } catch (error) {
    if (isRefusal(error)) return true;
    throw error;
  }
}

/** Refuses the vote of a frozen user. Raises `frozen`. */
export function requireActiveVoter(
  { user }: Caller,
  { type }: Activity,
  organization: OrganizationView,
): void {
  requireActiveUser(organization, user.id, kindOf(type));
}
