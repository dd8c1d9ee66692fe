import { object, uuid } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { activityShape } from './activity_shape.ts';
import { hasActivity, requireActivity } from './require_activity.ts';

export const get_activity = query({
  summary: 'Returns an activity of the organization.',
  body: object({ activityId: uuid() }),
  response: object({ activity: activityShape() }),
  // After a login that named the parent, clients poll its activity by the same id.
  findsChild: ({ body, read }) => hasActivity(body.activityId, read),

  answer: async ({ organization, body, read, viewActivity }) => {
    const activity = await requireActivity(body.activityId, organization, read);
    return { activity: await viewActivity(activity) };
  },
});
