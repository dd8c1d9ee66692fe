// Snapshots of activities that wait. A large request is in the activity's own row already, so the snapshot
// omits the request and takes it from there.

import type { RecordedActivity } from '../../core/activity/stored_form.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { ActivitySnapshot } from '../../core/organization/records/webhooks.ts';

/** The length in characters of a request above which a snapshot omits it. */
const largeCharacters = 1024;

type SnapshotContent = Pick<ActivitySnapshot, 'activity' | 'omitsRequest'>;

/** Returns the current snapshot of an activity, without the part that is carried out later. */
export function snapshotOf({ request: _, ...shown }: Activity): SnapshotContent {
  const characters = shown.votes.reduce((sum, { message }) => sum + message.length, 0);
  if (characters <= largeCharacters) return { activity: shown };
  const votes = shown.votes.map((vote) => ({ ...vote, message: '' }));
  return { activity: { ...shown, intent: {}, votes }, omitsRequest: true };
}

/**
 * Returns the activity of a snapshot. `recorded` is the row of the activity, which keeps its request and its
 * votes from then on. Undefined if the row lacks one of the votes.
 */
export function activityOfSnapshot(
  { activity }: SnapshotContent,
  recorded: RecordedActivity,
): Activity | undefined {
  const messages = new Map(recorded.votes.map(({ id, message }) => [id, message]));
  const votes = activity.votes.flatMap((vote) => {
    const message = messages.get(vote.id);
    return message === undefined ? [] : [{ ...vote, message }];
  });
  if (votes.length < activity.votes.length) return undefined;
  return { ...activity, intent: recorded.intent, votes };
}
