// Filters of the list of activities. The store applies some of them, and the others read opened activities.

import { activityTypes } from '../../core/activity/activity_types.ts';
import { activityStatuses } from '../../core/base/enums.ts';
import { firstIdAt } from '../../core/base/ids.ts';
import { failField } from '../../core/errors/errors.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import {
  decimal,
  list,
  numberOf,
  object,
  oneOf,
  optional,
  text,
  uuid,
  type ValueOfSchema,
} from '../../core/schema/schema.ts';
import { isFromEnd } from '../page.ts';
import type { ActivityFilter, Page, Reader } from '../reader.ts';
import { concernsUser, maximumNameCharacters, namesOf, namesOneOf } from './named_resource.ts';

/** Milliseconds since 1970, up to the year 9999. */
const time = () => decimal({ minimum: 0, maximum: 253_402_300_799_999 });

/** The members of a request that filter activities. */
export const activityFilters = () => ({
  filterByStatus: optional(list(oneOf(activityStatuses), { maximum: activityStatuses.length })),
  filterByType: optional(list(text({ minimum: 1, maximum: 100 }))),
  filterByUser: optional(uuid()),
  filterByResource: optional(text({ minimum: 1, maximum: maximumNameCharacters })),
  filterByTime: optional(object({ sinceMs: optional(time()), untilMs: optional(time()) })),
});
const filterShape = () => object(activityFilters());

/** Maximum activities opened for one page; the client continues a filter with few matches. */
const maximumActivitiesSeen = 1_000;
/** Number of activities read and filtered in one piece. */
const seenTogether = 50;
/** Maximum bytes of activities that one page examines. */
const maximumBytesSeen = 32 * 1024 * 1024;
/** A page retains no further activities above this number of bytes; a single read may be larger. */
const maximumBytesKept = 4 * 1024 * 1024;

type Filters = ValueOfSchema<ReturnType<typeof filterShape>>;

type Asking = {
  readonly organization: OrganizationView;
  readonly read: Reader;
  readonly shownActivity: (activity: Activity) => Activity;
  readonly pause: () => Promise<void>;
};

export type Filter = {
  readonly stored: ActivityFilter;
  /** Undefined if the store applies the whole filter. */
  readonly fits: ((activity: Activity) => boolean) | undefined;
};

/** Returns the filter for the store, and the filter for opened activities. */
export async function filterOf(
  body: Filters,
  { organization, read, shownActivity }: Asking,
): Promise<Filter> {
  const { filterByStatus: statuses = [], filterByType: types = [] } = body;
  requireKnownTypes(types);
  const idAt = (ms: string | number | undefined) =>
    ms === undefined ? undefined : firstIdAt(numberOf(ms));
  const { sinceMs, untilMs } = body.filterByTime ?? {};
  const filter = { statuses, types, fromId: idAt(sinceMs), beforeId: idAt(untilMs) };
  const { filterByUser, filterByResource } = body;
  if (filterByUser === undefined && filterByResource === undefined) {
    return { stored: filter, fits: undefined };
  }
  const userId = filterByUser?.toLowerCase();
  const names =
    filterByResource === undefined
      ? undefined
      : await namesOf(filterByResource, organization, read);
  const fits = (activity: Activity) =>
    (userId === undefined || concernsUser(activity, userId)) &&
    // Names that are hidden from the caller are not found either.
    (names === undefined || namesOneOf(shownActivity(activity), names));
  return { stored: filter, fits };
}

/**
 * Returns the unknown activities of a page, from its cursor on: newest first, or oldest first if the page
 * ends at its cursor. `seen` is the last activity that was read; `isCut` is true if the page reached its
 * bound in rows or bytes, so that further activities may exist.
 */
export async function pageThatFits(
  page: Page,
  { stored, fits }: Filter,
  known: ReadonlyMap<string, unknown>,
  { read, pause }: Pick<Asking, 'read' | 'pause'>,
): Promise<{
  readonly activities: readonly Activity[];
  readonly seen: string | undefined;
  readonly isCut: boolean;
}> {
  const fromEnd = isFromEnd(page);
  const inOrder = (rows: readonly Activity[]) => (fromEnd ? rows.toReversed() : rows);
  const isNew = ({ id }: Activity) => !known.has(id);
  if (fits === undefined) {
    const limit = page.limit + known.size;
    const found = await read.activityPage(stored, { ...page, limit });
    const rows = inOrder(found.activities);
    const activities = rows.filter(isNew).slice(0, page.limit);
    const isCut = found.isCut && activities.length < page.limit;
    return { activities, seen: isCut ? rows.at(-1)?.id : undefined, isCut };
  }
  const activities: Activity[] = [];
  let { before, after } = page;
  let bytesSeen = 0;
  let bytesKept = 0;
  for (let count = 0; count < maximumActivitiesSeen && bytesSeen < maximumBytesSeen; ) {
    if (activities.length === page.limit) break;
    const found = await read.activityPage(stored, { before, after, limit: seenTogether });
    const rows = inOrder(found.activities);
    const keptBefore = activities.length;
    for (const activity of rows) {
      if (isNew(activity) && fits(activity)) activities.push(activity);
      if (activities.length === page.limit) return { activities, seen: activity.id, isCut: false };
    }
    const last = rows.at(-1)?.id;
    if (last === undefined || (rows.length < seenTogether && !found.isCut)) {
      return { activities, seen: last, isCut: false };
    }
    if (fromEnd) before = last;
    else after = last;
    count += rows.length;
    bytesSeen += found.bytes;
    if (activities.length > keptBefore) bytesKept += found.bytes;
    const isFull = found.isCut || bytesKept >= maximumBytesKept;
    if (isFull && activities.length > 0) break;
    await pause();
  }
  const isCut = activities.length < page.limit;
  return { activities, seen: fromEnd ? before : after, isCut };
}

/** Rejects misspelled types, whose empty result would be misleading. Raises `field_invalid`. */
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
