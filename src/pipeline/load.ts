// Step 3: loads the newest state of the organization, and the activity with the same body if it exists.

import { fail } from '../core/errors/errors.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import type { ParsedActivity, ParsedVote } from './parse.ts';
import type { Ports } from './ports.ts';

type Loaded = {
  readonly state: OrganizationState;
  /** The earlier activity with the same body. */
  readonly existing: Activity | undefined;
};

/** Returns the organization and the earlier activity. Raises `organization_not_found`. */
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
