import { activityView } from '../../core/activity/activity.ts';
import { fail } from '../../core/errors.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { activityShape } from './activity_shape.ts';

export const get_activity = query({
  summary: 'One activity of the organization.',
  body: object({ activityId: uuid() }),
  response: object({ activity: activityShape() }),

  answer: async ({ organization, body, caller, read, timestampObjects }) => {
    const activityId = body.activityId.toLowerCase();
    const activity = await read.activity(activityId);
    if (activity === undefined) {
      return fail('activity_not_found', { activityId, organizationId: organization.id });
    }
    return { activity: activityView(activity, { userId: caller.user.id, timestampObjects }) };
  },
});
