// Checks freezes at each decision, before policies: of the organization and its keys, the users, and the
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
import { parentStateOf } from './parent_of.ts';
import type { ParsedActivity } from './parse.ts';
import type { Ports } from './ports.ts';
import type { Preparation } from './prepare.ts';

/**
 * Returns the parent of an organization, for activities that a freeze can stop. The commit depends on this
 * state, so it cannot miss a freeze of the parent.
 */
export async function freezingParent(
  { operation: { subject } }: Pick<ParsedActivity, 'operation'>,
  { governedBy }: Pick<Caller, 'governedBy'>,
  state: OrganizationState,
  ports: Pick<Ports, 'repository'>,
): Promise<OrganizationState | undefined> {
  if (state.parentId === undefined || !isStoppedByFreezes(subject)) return undefined;
  return governedBy ?? parentStateOf(state, ports);
}

/**
 * Rejects an activity if its organization, its keys, its submitter or the voter is frozen. Raises `frozen`.
 */
export function requireUnfrozen(preparation: Preparation, { user }: Pick<Caller, 'user'>): void {
  const { parsed, submitter, deciding, organization, parent, facts } = preparation;
  const kind = kindOf(parsed.version.wire.type);
  for (const { id } of user.id === submitter.id ? [user] : [submitter, user]) {
    // The freezes of the parent apply to a user of the parent.
    requireActiveUser(deciding, id, kind);
  }
  const above = parent && viewOf(parent);
  requireNotFrozen({ organization, parent: above }, parsed.operation.subject, facts);
}

/** Returns true if a freeze stops an activity for every voter. */
export function isFrozen(preparation: Preparation): boolean {
  try {
    requireUnfrozen(preparation, { user: preparation.submitter });
    return false;
  } catch (error) {
    if (isRefusal(error)) return true;
    throw error;
  }
}

/** Rejects the vote of a frozen user. Raises `frozen`. */
export function requireActiveVoter(
  { user }: Caller,
  { type }: Activity,
  organization: OrganizationView,
): void {
  requireActiveUser(organization, user.id, kindOf(type));
}
