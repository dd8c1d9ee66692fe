import { activityTypes } from '../../core/activity/activity_types.ts';
import { activityStatuses } from '../../core/base/enums.ts';
import { failField } from '../../core/errors/errors.ts';
import type { JsonObject } from '../../core/schema/json.ts';
import {
  answerList,
  boolean,
  list,
  object,
  oneOf,
  optional,
  text,
} from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { isFromEnd, pageOf } from '../page.ts';
import { pagination } from '../shapes.ts';
import { activityShape } from './activity_shape.ts';

export const list_activities = query({
  summary: 'Lists the activities of the organization, newest first.',
  body: object({
    filterByStatus: optional(list(oneOf(activityStatuses), { maximum: activityStatuses.length })),
    filterByType: optional(list(text({ minimum: 1, maximum: 100 }))),
    paginationOptions: pagination(),
  }),
  response: object({
    activities: answerList(activityShape()),
    /** The page ended before its limit; ask on with its last row, or the first where it ends at `before`. */
    truncated: optional(boolean()),
  }),

  answer: async ({ body, read, viewActivity, isSpent }) => {
    const filter = { statuses: body.filterByStatus ?? [], types: body.filterByType ?? [] };
    requireKnownTypes(filter.types);
    const page = pageOf(body.paginationOptions);
    const rows = await read.activityPage(filter, page);
    // From the cursor on, so that the next page begins where this one ended.
    const fromEnd = isFromEnd(page);
    const views: JsonObject[] = [];
    for (const activity of fromEnd ? rows.toReversed() : rows) {
      if (views.length > 0 && isSpent()) break;
      views.push(await viewActivity(activity));
    }
    const activities = fromEnd ? views.toReversed() : views;
    return { activities, ...(views.length < rows.length ? { truncated: true } : {}) };
  },
});

/** A misspelled type would look as if nothing had ever happened. Raises `field_invalid`. */
function requireKnownTypes(types: readonly string[]): void {
  for (const [i, type] of types.entries()) {
    if (!activityTypes.has(type)) {
      failField(
        `filterByType.${i}`,
        `expected an activity type such as ACTIVITY_TYPE_CREATE_WALLET, got \`${type}\``,
      );
    }
  }
}
