// Formats activities for people.

import type { Activity } from '../../client/generated/operations.ts';
import { activityTitle } from '../../core/activity/activity_title.ts';
import { timeText } from '../words/times.ts';

/** Returns `waits`, `done`, `rejected`, … */
export function statusText(status: string): string {
  return statuses[status] ?? status.replace(/^ACTIVITY_STATUS_/, '').toLowerCase();
}

const statuses: Readonly<Record<string, string>> = {
  ACTIVITY_STATUS_COMPLETED: 'done',
  ACTIVITY_STATUS_CONSENSUS_NEEDED: 'waits',
  ACTIVITY_STATUS_AUTHENTICATORS_NEEDED: 'waits',
};

/** The statuses for each word that people type. */
export const statusesOfWord: Readonly<Record<string, readonly Activity['status'][]>> = {
  waiting: ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'],
  done: ['ACTIVITY_STATUS_COMPLETED'],
  refused: ['ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED'],
};

/** Returns the name of the submitter, who casts the first vote. */
export const submitterOf = ({ votes }: Activity): string => votes[0]?.user.userName ?? '';

export function activityRow(activity: Activity, deed = '') {
  return {
    When: timeText(activity.createdAt),
    What: `${activityTitle(activity.type)} ${deed}`.trimEnd(),
    State: statusText(activity.status),
    By: submitterOf(activity),
    ID: activity.id,
  };
}
