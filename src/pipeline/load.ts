// Step 3: the organization at its newest version, with the activity of the same body if there is one.

import { fail } from '../core/errors/errors.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import type { ParsedActivity, ParsedVote } from './parse.ts';
import type { Ports } from './ports.ts';

type Loaded = {
  readonly state: OrganizationState;
  /** The activity that the same body made before. */
  readonly existing: Activity | undefined;
};

/** Raises `organization_not_found`. */
export async function load(
  organizationId: string,
  parsed: ParsedActivity | ParsedVote,
  { repository }: Pick<Ports, 'repository'>,
): Promise<Loaded> {
  const fingerprint = parsed.kind === 'activity' ? parsed.fingerprint : undefined;
  const found = await repository.organization(organizationId, fingerprint);
  return { state: requireActive(found.state, organizationId), existing: found.activity };
}

/** Returns an organization that exists and is not deleted. Raises `organization_not_found`. */
export function requireActive(
  state: OrganizationState | undefined,
  organizationId: string,
): OrganizationState {
  if (state === undefined || state.head.deletedAtMs !== undefined) {
    return fail('organization_not_found', { organizationId });
  }
  return state;
}
