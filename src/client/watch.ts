// Watches new activities and the decisions on waiting ones.

import type { Activity, ActivityStatus } from './generated/operations.ts';
import { held, pausesOf } from './holding.ts';
import { activityOf, outcomes, rowsOf } from './outcome.ts';
import type { Requests } from './requests.ts';
import type { World } from './transport.ts';

export type WatchOptions = {
  /** State to watch. Default: all. */
  readonly status?: 'waiting' | 'done' | 'refused';
  /** Activity types to watch. Default: all. */
  readonly types?: readonly string[];
  /** Begins after this activity. Default: after the newest one. */
  readonly after?: string;
  readonly signal?: AbortSignal;
};

/** Maximum waiting activities that one request watches. */
const maximumKnown = 100;
const waiting: readonly ActivityStatus[] = [
  'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED',
];

/** Yields new and decided activities, oldest first, until the signal aborts. */
export async function* watchActivities(
  { queryRequest, answerTo }: Pick<Requests, 'queryRequest' | 'answerTo'>,
  world: World,
  { status, types, after, signal }: WatchOptions = {},
): AsyncGenerator<Activity, void> {
  const ofTypes = types === undefined ? {} : { filterByType: types };
  const list = async (parameters: object, isHeld: boolean) => {
    const sent = await queryRequest('list_activities', { ...ofTypes, ...parameters });
    const answer = await answerTo(isHeld ? held(sent) : sent, { signal });
    const activities = rowsOf(answer.body, 'activities').map((row) => activityOf(row, {}));
    // The service lists the newest first.
    return { activities: activities.toReversed(), isHeld: answer.isHeld };
  };
  const isWanted = (activity: Activity) =>
    status === undefined || (outcomes[activity.status] ?? 'waiting') === status;
  const known = new Map<string, ActivityStatus>();
  const note = ({ id, status: now }: Activity) => {
    known.delete(id);
    if (waiting.includes(now)) known.set(id, now);
    for (const oldest of known.keys()) if (known.size > maximumKnown) known.delete(oldest);
  };

  let newest = after;
  if (newest === undefined) {
    const [last] = (await list({ paginationOptions: { limit: '1' } }, false)).activities;
    newest = last?.id;
  }
  const limit = String(maximumKnown);
  const open = { filterByStatus: waiting, paginationOptions: { limit } };
  for (const activity of (await list(open, false)).activities) {
    if (newest !== undefined && activity.id <= newest) note(activity);
  }
  const pauses = pausesOf(world, signal);
  for (;;) {
    const page = await list(
      {
        known: [...known].map(([activityId, now]) => ({ activityId, status: now })),
        paginationOptions: newest === undefined ? { limit } : { limit, before: newest },
      },
      true,
    );
    for (const activity of page.activities) {
      if (newest === undefined || activity.id > newest) newest = activity.id;
      note(activity);
      if (isWanted(activity)) yield activity;
    }
    if (page.activities.length === 0) await pauses.next(page.isHeld);
  }
}
