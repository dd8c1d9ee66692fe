// Activities, for people.

import type { Activity } from '../../client/generated/operations.ts';
import { timeText } from '../words/times.ts';

/** `sign transaction`, of an activity type. */
export function typeText(type: string): string {
  return type
    .replace(/^ACTIVITY_TYPE_/, '')
    .replace(/_V\d+$/, '')
    .toLowerCase()
    .replaceAll('_', ' ');
}

/** `waits`, `done`, `rejected`, … */
export function statusText(status: string): string {
  return statuses[status] ?? status.replace(/^ACTIVITY_STATUS_/, '').toLowerCase();
}

const statuses: Readonly<Record<string, string>> = {
  ACTIVITY_STATUS_COMPLETED: 'done',
  ACTIVITY_STATUS_CONSENSUS_NEEDED: 'waits',
  ACTIVITY_STATUS_AUTHENTICATORS_NEEDED: 'waits',
};

/** The states of a word that people type; undefined for another word. */
export const statusesOfWord: Readonly<Record<string, readonly Activity['status'][]>> = {
  waiting: ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'],
  done: ['ACTIVITY_STATUS_COMPLETED'],
  refused: ['ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED'],
};

/** Returns the submitter: the first vote is the submission. */
export const submitterOf = ({ votes }: Activity): string => votes[0]?.user.userName ?? '';

/** One row of a list. */
export function activityRow(activity: Activity) {
  return {
    When: timeText(activity.createdAt),
    What: typeText(activity.type),
    State: statusText(activity.status),
    By: submitterOf(activity),
    ID: activity.id,
  };
}
