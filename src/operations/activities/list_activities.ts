import { activityStatuses } from '../../core/base/enums.ts';
import { answerList, list, object, oneOf, optional, text } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { pageOf } from '../page.ts';
import { pagination } from '../shapes.ts';
import { activityShape } from './activity_shape.ts';

export const list_activities = query({
  summary: 'Lists the activities of the organization, newest first.',
  body: object({
    filterByStatus: optional(list(oneOf(activityStatuses), { maximum: activityStatuses.length })),
    filterByType: optional(list(text({ minimum: 1, maximum: 100 }))),
    paginationOptions: pagination(),
  }),
  response: object({ activities: answerList(activityShape()) }),

  answer: async ({ body, read, viewActivity }) => {
    const filter = { statuses: body.filterByStatus ?? [], types: body.filterByType ?? [] };
    const activities = await read.activityPage(filter, pageOf(body.paginationOptions));
    return { activities: await Array.fromAsync(activities, viewActivity) };
  },
});
