// Activities as they begin.

import { Untrusted } from './errors.ts';
import type { Activity, ActivityStatus } from './operations.ts';
import type { World } from './transport.ts';

export type WatchOptions = {
  /** Of which state; absent: all. */
  readonly status?: 'waiting' | 'done' | 'refused';
  /** Only of these activity types. */
  readonly types?: readonly string[];
  /** Begins after this activity; absent: after the newest that there is. */
  readonly after?: string;
  readonly signal?: AbortSignal;
};

type Query = (
  name: string,
  parameters: object,
  options?: { readonly signal?: AbortSignal },
) => Promise<Readonly<Record<string, unknown>>>;

const statuses: Readonly<Record<NonNullable<WatchOptions['status']>, readonly ActivityStatus[]>> = {
  waiting: ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'],
  done: ['ACTIVITY_STATUS_COMPLETED'],
  refused: ['ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED'],
};

const pauseMs = 1000;

/** Activities that begin from now on, oldest first. */
export async function* watchActivities(
  query: Query,
  { pause }: Pick<World, 'pause'>,
  { status, types, after, signal }: WatchOptions = {},
): AsyncGenerator<Activity, void> {
  const filter = {
    ...(status === undefined ? {} : { filterByStatus: statuses[status] }),
    ...(types === undefined ? {} : { filterByType: types }),
  };
  const options = signal === undefined ? {} : { signal };
  const list = async (
    paginationOptions: object,
    filtered: object,
  ): Promise<readonly Activity[]> => {
    const { activities } = await query(
      'list_activities',
      { ...filtered, paginationOptions },
      options,
    );
    if (!Array.isArray(activities)) throw new Untrusted('ANSWER_MALFORMED', 'expected activities');
    return activities;
  };
  let newest = after ?? (await list({ limit: '1' }, {}))[0]?.id;
  for (;;) {
    const cursor = newest === undefined ? {} : { before: newest };
    // Newest first: the page that ends just before the cursor is what came next.
    const activities = (await list({ limit: '100', ...cursor }, filter)).toReversed();
    for (const activity of activities) {
      newest = activity.id;
      yield activity;
    }
    if (activities.length === 0) await pause(pauseMs, signal);
  }
}
