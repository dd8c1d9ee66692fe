// Location of activities that a list no longer contains.

import { isOpen } from '../../core/activity/activity.ts';
import { answerText, object } from '../../core/schema/schema.ts';
import type { Reader } from '../reader.ts';
import type { Filter } from './filtered_activities.ts';

/** Maximum segments in an answer, the newest. Each names a range; earlier ones precede it. */
const maximumReported = 10;

export const archiveSegmentShape = () =>
  object({
    segment: answerText(),
    firstActivityId: answerText(),
    lastActivityId: answerText(),
    activityCount: answerText(),
  });

/** Returns the newest archive segments; none if the filter selects activities that are never archived. */
export async function archivedSegments(
  { stored: { statuses } }: Filter,
  read: Pick<Reader, 'newestArchiveSegments'>,
) {
  const isOfOpen = statuses.length > 0 && statuses.every((status) => isOpen({ status }));
  if (isOfOpen) return [];
  const found = await read.newestArchiveSegments(maximumReported);
  return found.map(({ id, segment, firstActivityId, activities }) => ({
    segment,
    firstActivityId,
    lastActivityId: id,
    activityCount: String(activities),
  }));
}
