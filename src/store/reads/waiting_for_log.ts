// Durable activities that the log does not have yet. Each commit adds a row for each written activity, in its
// own transaction.

import { integerOf, textOf } from '../tables/rows.ts';
import type { Steps } from '../tables/steps.ts';

/** An activity in the version that was written. */
type WaitingForLog = {
  readonly organizationId: string;
  readonly activityId: string;
  readonly version: number;
};

export type LogQueue = {
  /** Returns waiting activities in the order of organization, id and version; `limit` 1 to 1,000. */
  next(request: { limit: number }): Promise<readonly WaitingForLog[]>;
  /** Removes logged activities, at most 1,000. A loss of power may undo the removal. */
  done(waiting: readonly WaitingForLog[]): Promise<void>;
};

/** The calls as steps. */
export const logQueueSteps: {
  readonly [Name in keyof LogQueue]: (
    ...request: Parameters<LogQueue[Name]>
  ) => Steps<Awaited<ReturnType<LogQueue[Name]>>>;
} = {
  *next({ limit }) {
    const rows = yield { query: 'logWaiting', values: ['', limit] };
    return rows.map((row) => ({
      organizationId: textOf(row['organization_id']),
      activityId: textOf(row['activity_id']),
      version: integerOf(row['version']),
    }));
  },

  *done(waiting) {
    if (waiting.length === 0) return;
    yield waiting.map(({ organizationId, activityId, version }) => ({
      query: 'deleteLogWaiting',
      values: [organizationId, activityId, version],
    }));
  },
};
