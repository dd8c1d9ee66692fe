import { fail } from '../../core/errors/errors.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import type { Reader } from '../reader.ts';

/** Returns true if the organization has an activity with this id, also if it was archived. */
export async function hasActivity(id: string, read: Reader): Promise<boolean> {
  const activityId = id.toLowerCase();
  if ((await read.activity(activityId)) !== undefined) return true;
  return (await read.archiveSegmentOf(activityId)) !== undefined;
}

/** Returns the organization's activity with this id. Raises `activity_not_found`, `activity_archived`. */
export async function requireActivity(
  id: string,
  organization: OrganizationView,
  read: Reader,
): Promise<Activity> {
  const activityId = id.toLowerCase();
  const activity = await read.activity(activityId);
  if (activity !== undefined) return activity;
  const { id: organizationId } = organization;
  const archived = await read.archiveSegmentOf(activityId);
  if (archived === undefined) return fail('activity_not_found', { activityId, organizationId });
  return fail('activity_archived', { activityId, organizationId, segment: archived.segment });
}
