// Counts the votes of an activity, and computes the effect of a further vote.

import { fail } from '../errors/errors.ts';
import { freezeOfUser } from '../freezes/frozen.ts';
import { checkLimit, limitOf } from '../organization/limits.ts';
import type { Activity, Vote } from '../organization/records/activity.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { kindOf } from '../policy/decision/activity_kind.ts';
import { possibleVoter, voterWith } from '../policy/decision/facts.ts';
import type { Voter } from '../policy/decision/voters.ts';
import { type Credential, heldCredential } from '../users/credentials.ts';

/** Lifetime of a vote; afterwards the user must vote again. */
export const voteLifeMs = 24 * 60 * 60 * 1000;

/** Places for waiting activities reserved for members of the root quorum. */
const keptForRootQuorum = 100;
/** Places that one user cannot fill. The user may be the onboarding proxy, through which strangers submit. */
const keptFromOneUser = 300;
/**
 * Reserves the last open places for users with few waiting activities. So two users, or one member of the
 * root quorum, cannot block the others.
 */
const keptForFew = 50;
const few = 5;

/**
 * Maximum number of votes on a waiting activity. The next vote decides the activity or is refused. Each vote
 * writes the whole activity again, with the decisions of all votes.
 */
const maximumVotes = 300;
/** Bounds the signed messages of all votes, without the request; a larger record would be unreadable. */
const maximumMessagesLength = 1024 * 1024;

/**
 * Returns the users whose approval counts, each once: the vote is at most a day old, and the user still
 * exists, is not frozen and still has the credential of the vote. `isValid` returns true if the credential
 * may vote on the current state of the activity.
 */
export function countedVoters(
  activity: Pick<Activity, 'type' | 'votes'>,
  organization: OrganizationView,
  now: number,
  isValid: (credential: Credential) => boolean,
): readonly Voter[] {
  const kind = kindOf(activity.type);
  return activity.votes.flatMap((vote) => {
    if (freezeOfUser(organization, vote.userId, kind) !== undefined) return [];
    const user = organization.get('user', vote.userId);
    const credential = heldCredential(organization, vote);
    const isAlive = now - vote.createdAtMs < voteLifeMs;
    const counts = vote.selection === 'VOTE_SELECTION_APPROVED' && isAlive;
    return counts && user && credential && isValid(credential) ? [voterWith(user, credential)] : [];
  });
}

/** Returns the users who are not among these voters, in the form in which they might vote. */
export function otherVoters(
  voters: readonly Voter[],
  organization: OrganizationView,
): readonly Voter[] {
  return organization
    .list('user')
    .filter((user) => !voters.some((voter) => voter.userId === user.id))
    .map((user) => possibleVoter(user, organization));
}

/** Adds a vote, and drops an earlier vote of the same user. */
export function withVote(votes: readonly Vote[], vote: Vote): readonly Vote[] {
  return [...votes.filter(({ userId }) => userId !== vote.userId), vote];
}

/**
 * Writes the current version of an open activity, and removes it once it is decided. Raises `limit_exceeded`
 * when too many activities of the organization or of one user wait for votes, or one has too many votes.
 */
export function trackOpenActivity(
  activity: Activity,
  isOpen: boolean,
  organization: OrganizationDraft,
): void {
  const { id, fingerprint, status, version, submitterId, createdAtMs, updatedAtMs } = activity;
  const times = { createdAtMs, updatedAtMs };
  const known = organization.get('open_activity', id);
  if (!isOpen) {
    if (known !== undefined) organization.remove('open_activity', id);
    return;
  }
  if (known === undefined) {
    checkOpenActivities(activity, organization);
    organization.add('voted_activity', { id, fingerprint, ...times });
  }
  checkVotes(activity);
  const row = { id, activityVersion: version, status, fingerprint, submitterId, ...times };
  organization.put('open_activity', row);
}

/** Keeps places for the root quorum, and for others when one or two users submit many activities. */
function checkOpenActivities({ submitterId }: Activity, organization: OrganizationDraft): void {
  const isRoot = organization.head.rootQuorum.userIds.includes(submitterId);
  const waiting = organization.list('open_activity');
  const own = waiting.filter((row) => row.submitterId === submitterId).length;
  const kept = (isRoot ? 0 : keptForRootQuorum) + (own < few ? 0 : keptForFew);
  checkLimit('openActivities', waiting.length + 1, organization, kept);
  const limit = limitOf('openActivities', organization) - keptForRootQuorum - keptFromOneUser;
  if (own < limit) return;
  fail('limit_exceeded', { owner: 'user', resource: 'activities that wait for votes', limit });
}

function checkVotes({ version, votes, request = '' }: Activity): void {
  const exceeded = (resource: string, limit: number) =>
    fail('limit_exceeded', { owner: 'activity', resource, limit });
  // Each vote makes a version.
  if (version > maximumVotes) exceeded('votes', maximumVotes);
  const length = votes.reduce((sum, { message }) => sum + message.length, -request.length);
  if (length > maximumMessagesLength) exceeded('characters of votes', maximumMessagesLength);
}
