import type { JsonObject } from '../../core/schema/json.ts';
import { answerList, answerText, boolean, object, optional } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { pageOf } from '../page.ts';
import { pagination } from '../shapes.ts';
import { activityShape } from './activity_shape.ts';
import { archivedSegments, archiveSegmentShape } from './archived_segments.ts';
import { activityFilters, filterOf, pageThatFits } from './filtered_activities.ts';
import { changedActivities, knownActivities, knownActivityList } from './known_activities.ts';

export const list_activities = query({
  summary:
    'Lists the activities of the organization, newest first. The header `Prefer: wait=25` holds an empty page until there is news.',
  body: object({
    ...activityFilters(),
    known: optional(knownActivityList()),
    paginationOptions: pagination(),
  }),
  response: object({
    activities: answerList(activityShape()),
    /** True if the page ended before its limit; continue from `nextCursor`. */
    truncated: optional(boolean()),
    nextCursor: optional(answerText()),
    /** Location of older activities; only on the last page. */
    archivedSegments: optional(answerList(archiveSegmentShape())),
  }),

  answer: async (input) => {
    const { organization, body, read, viewActivity, isSpent } = input;
    const filter = await filterOf(body, input);
    const page = pageOf(body.paginationOptions);
    const known = knownActivities(body.known);
    const changes = await changedActivities(known, organization, read);
    const changed = changes.activities.slice(0, page.limit);
    const limit = changes.isCut ? 0 : page.limit - changed.length;
    // Starts at the cursor, so that the next page continues this one.
    const found =
      limit === 0
        ? { activities: [], seen: undefined, isCut: false }
        : await pageThatFits({ ...page, limit }, filter, known, input);
    const views = new Map<string, JsonObject>();
    let last: string | undefined;
    for (const activity of [...changed, ...found.activities]) {
      if (views.size > 0 && isSpent()) break;
      views.set(activity.id, await viewActivity(activity));
      if (!known.has(activity.id)) last = activity.id;
    }
    const activities = [...views].sort(([a], [b]) => (a < b ? 1 : -1)).map(([, view]) => view);
    const isCut = changes.isCut || views.size < changed.length + found.activities.length;
    if (!isCut && !found.isCut) {
      const isEnd = found.activities.length < limit && page.before === undefined;
      const archived = isEnd ? await archivedSegments(filter, read) : [];
      return { activities, ...(archived.length === 0 ? {} : { archivedSegments: archived }) };
    }
    const nextCursor = isCut ? last : found.seen;
    return { activities, truncated: true, ...(nextCursor === undefined ? {} : { nextCursor }) };
  },

  // A page after a cursor receives no newer activities.
  news: ({ organization, body }, { activities, truncated = false }) =>
    body.paginationOptions?.after === undefined
      ? {
          kind: 'activities',
          id: organization.id,
          hasNews: activities.length > 0 || truncated,
        }
      : undefined,
});
