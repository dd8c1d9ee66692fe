// Activities that the caller of a list already has. The answer omits unchanged ones.

import { isOpen } from '../../core/activity/activity.ts';
import { type ActivityStatus, activityStatuses } from '../../core/base/enums.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { list, object, oneOf, uuid } from '../../core/schema/schema.ts';
import type { ActivityPage, Reader } from '../reader.ts';

/** Maximum known activities in one request. */
const maximumKnown = 100;

export const knownActivityList = () =>
  list(object({ activityId: uuid(), status: oneOf(activityStatuses) }), { maximum: maximumKnown });

/** Statuses by the id of their activity, in lower case. */
type KnownActivities = ReadonlyMap<string, ActivityStatus>;

export function knownActivities(
  given: readonly { readonly activityId: string; readonly status: ActivityStatus }[] = [],
): KnownActivities {
  return new Map(given.map(({ activityId, status }) => [activityId.toLowerCase(), status]));
}

/** Returns the known activities that have another status by now. A final status never changes. */
export function changedActivities(
  known: KnownActivities,
  organization: OrganizationView,
  read: Pick<Reader, 'activities'>,
): Promise<ActivityPage> {
  const changed = [...known].filter(
    ([id, status]) =>
      isOpen({ status }) && organization.get('open_activity', id)?.status !== status,
  );
  return read.activities(changed.map(([id]) => id));
}
