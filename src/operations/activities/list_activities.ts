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
import { changedActivities, knownActivities, knownActivityList } from './known_activities.ts';

export const list_activities = query({
  summary:
    'Lists the activities of the organization, newest first. The header `Prefer: wait=25` holds an empty page until there is news.',
  body: object({
    filterByStatus: optional(list(oneOf(activityStatuses), { maximum: activityStatuses.length })),
    filterByType: optional(list(text({ minimum: 1, maximum: 100 }))),
    known: optional(knownActivityList()),
    paginationOptions: pagination(),
  }),
  response: object({
    activities: answerList(activityShape()),
    /** The page ended before its limit; ask on with its last row, or the first where it ends at `before`. */
    truncated: optional(boolean()),
  }),

  answer: async ({ organization, body, read, viewActivity, isSpent }) => {
    const filter = { statuses: body.filterByStatus ?? [], types: body.filterByType ?? [] };
    requireKnownTypes(filter.types);
    const page = pageOf(body.paginationOptions);
    const known = knownActivities(body.known);
    const changed = (await changedActivities(known, organization, read)).slice(0, page.limit);
    const limit = page.limit - changed.length;
    const rows = await read.activityPage(filter, { ...page, limit: page.limit + known.size });
    const others = rows.filter(({ id }) => !known.has(id));
    // From the cursor on, so that the next page begins where this one ended.
    const fromCursor = (isFromEnd(page) ? others.toReversed() : others).slice(0, limit);
    const views = new Map<string, JsonObject>();
    for (const activity of [...changed, ...fromCursor]) {
      if (views.size > 0 && isSpent()) break;
      views.set(activity.id, await viewActivity(activity));
    }
    const activities = [...views].sort(([a], [b]) => (a < b ? 1 : -1)).map(([, view]) => view);
    const isTruncated = views.size < changed.length + fromCursor.length;
    return { activities, ...(isTruncated ? { truncated: true } : {}) };
  },

  // Nothing newer can come onto a page that begins after a cursor.
  news: ({ organization, body }, { activities }) =>
    body.paginationOptions?.after === undefined
      ? { kind: 'activities', id: organization.id, hasNews: activities.length > 0 }
      : undefined,
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
