// Snapshots of waiting activities for events. The activity's own row already contains a large request, so the
// snapshot omits it. Users who voted are separate records.

import type { RecordedActivity, RecordedVote } from '../../core/activity/stored_form.ts';
import type { Activity, Vote } from '../../core/organization/records/activity.ts';
import type { ActivitySnapshot, SnapshotVote } from '../../core/organization/records/webhooks.ts';
import type { Voters } from './voters.ts';

/** A snapshot omits a request with more characters. */
const largeCharacters = 1024;

type SnapshotContent = Pick<ActivitySnapshot, 'activity' | 'omitsRequest'>;

/** Returns the current snapshot of an activity, without members that events omit. */
export function snapshotOf({
  request: _request,
  decisions: _decisions,
  ...recorded
}: RecordedActivity): SnapshotContent {
  const shown = { ...recorded, evaluations: [] };
  const characters = shown.votes.reduce((sum, { message }) => sum + message.length, 0);
  if (characters <= largeCharacters) return { activity: shown };
  const votes = shown.votes.map((vote) => ({ ...vote, message: '' }));
  return { activity: { ...shown, intent: {}, votes }, omitsRequest: true };
}

/**
 * Returns the activity of a snapshot with the users who voted. `recorded` is the row of the activity if the
 * snapshot omits the request; later rows still contain the request and these votes. Returns undefined if the
 * row lacks a vote of the snapshot.
 */
export async function activityOfSnapshot(
  { activity }: SnapshotContent,
  recorded: RecordedActivity | undefined,
  { complete }: Pick<Voters, 'complete'>,
): Promise<Activity | undefined> {
  const messages = recorded && new Map(recorded.votes.map(({ id, message }) => [id, message]));
  const votes = activity.votes.flatMap((vote) => {
    const message = messages === undefined ? vote.message : messages.get(vote.id);
    return message === undefined ? [] : [{ ...vote, message }];
  });
  if (votes.length < activity.votes.length) return undefined;
  const intent = recorded?.intent ?? activity.intent;
  const [first] = votes;
  if (first === undefined || hasUser(first)) {
    return { ...activity, intent, votes: votes.filter(hasUser) };
  }
  const whole = { ...activity, intent, votes: votes.filter(namesVoter) };
  const [found] = await complete(activity.organizationId, [whole]);
  return found;
}

const hasUser = (vote: SnapshotVote): vote is Vote => vote.user !== undefined;
const namesVoter = (vote: SnapshotVote): vote is RecordedVote => vote.voterId !== undefined;
