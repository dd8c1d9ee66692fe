import { isOpen } from '../core/activity/activity.ts';
import { isRefusal } from '../core/errors/errors.ts';
import type { MfaStatus } from '../core/mfa/mfa.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import type { Catalog } from './catalog.ts';
import { readOnlyPorts } from './chain_lookups.ts';
import type { Ports } from './ports.ts';
import { parseWaiting, prepareWaiting, tallyOf } from './prepare_waiting.ts';

/**
 * Returns how the approvers of an activity, or one user, meet their MFA policies. Returns an empty list for a
 * decided activity, and for an activity whose resources were deleted.
 */
export async function mfaStatuses(
  activity: Activity,
  state: OrganizationState,
  userId: string | undefined,
  catalog: Catalog,
  ports: Ports,
): Promise<readonly MfaStatus[]> {
  if (!isOpen(activity)) return [];
  const userIds = userId === undefined ? activity.votes.map((vote) => vote.userId) : [userId];
  try {
    const parsed = await parseWaiting(activity, catalog, ports);
    const { statuses } = tallyOf(
      activity,
      await prepareWaiting(activity, parsed, state, readOnlyPorts(ports)),
    );
    return userIds.flatMap((id) => statuses(id));
  } catch (error) {
    // A resource of the activity was deleted, so the activity can only be rejected.
    if (isRefusal(error)) return [];
    throw error;
  }
}
