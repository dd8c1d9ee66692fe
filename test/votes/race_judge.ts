// The permitted outcomes of an activity in a race, derived independently of the product.

import { namesOf } from '../../src/core/base/table.ts';
import type { Policy } from '../../src/core/organization/model.ts';
import type { Activity, Vote } from '../../src/core/organization/records/activity.ts';
import { adminText, gatedTypes, gateText, type Person, type Rule, rootTypes } from './race_cast.ts';
import type { State, Step } from './race_record.ts';

export type Rules = ReadonlyMap<string, Rule>;

const dayMs = 86_400_000;
const waits = 'ACTIVITY_STATUS_CONSENSUS_NEEDED';

/** Returns complaints about a change that became durable. */
export function stepComplaints({ before, after, earlier, activity }: Step, rules: Rules): string[] {
  const vote = activity.votes.at(-1);
  if (vote === undefined) return ['nobody voted'];
  const complaints = [
    ...historyComplaints(earlier, activity, vote),
    ...voterComplaints(vote, before),
    ...openComplaints(activity, after),
  ];
  const approvers = approversOf(activity, before, vote.createdAtMs);
  const isAllowed = allows(activity, approvers, before, rules);
  const { status } = activity;
  if (vote.selection === 'VOTE_SELECTION_REJECTED') {
    if (status !== 'ACTIVITY_STATUS_REJECTED') complaints.push(`rejected, yet ${status}`);
    const may = mayReject(vote.userId, activity, before, rules);
    if (!may) complaints.push('rejected by somebody who may not');
  } else {
    if (earlier !== undefined && !mayApprove(vote.userId, activity, before, rules)) {
      complaints.push('approved by somebody who may not');
    }
    if (!before.rows.user.has(activity.submitterId)) {
      complaints.push('approved, although who asked for it is gone');
    }
    const known = earlier === undefined ? [] : approversOf(earlier, before, vote.createdAtMs);
    if (status === waits && known.some(({ id }) => id === vote.userId)) {
      complaints.push('a repetition was kept that changes nothing');
    }
    const isDone = status === 'ACTIVITY_STATUS_COMPLETED';
    if (isDone && !isAllowed) complaints.push(`executed on ${approvers.length} approvals`);
    if (!isDone && isAllowed && (earlier === undefined || status === waits)) {
      complaints.push(`allowed, yet ${status}`);
    }
    if (status === 'ACTIVITY_STATUS_REJECTED') complaints.push('an approval rejected it');
    const isEnded = status === 'ACTIVITY_STATUS_FAILED' && earlier !== undefined;
    if (isEnded && !isAllowed && !isDenied(activity, approvers, before, rules)) {
      complaints.push('it failed, and nothing denies it');
    }
  }
  return [...complaints, ...effectComplaints(activity, before, after)];
}

/** Returns the users whose approval counts at this moment, each once. */
export function approversOf(activity: Activity, state: State, now: number): readonly Person[] {
  const ids = activity.votes
    .filter((vote) => {
      const isApproval = vote.selection === 'VOTE_SELECTION_APPROVED';
      const key = state.rows.api_key.get(vote.credentialId);
      const isHeld = key !== undefined && key.userId === vote.userId;
      return isApproval && isHeld && vote.createdAtMs > now - dayMs;
    })
    .map((vote) => vote.userId);
  return [...new Set(ids)].flatMap((id) => personOf(id, state) ?? []);
}

/**
 * Returns true if the user may approve: a member of the root quorum, or mentioned by a policy that could
 * allow the activity.
 */
export function mayApprove(
  userId: string,
  activity: Activity,
  state: State,
  rules: Rules,
): boolean {
  const person = personOf(userId, state);
  if (person === undefined) return false;
  if (state.head.rootQuorum.userIds.includes(userId)) return true;
  return policiesOn(activity, 'EFFECT_ALLOW', state).some(
    (policy) => ruleOf(policy, rules).concerns(person) === true,
  );
}

export function mayReject(userId: string, activity: Activity, state: State, rules: Rules): boolean {
  return userId === activity.submitterId || mayApprove(userId, activity, state, rules);
}

/** Returns true if these approvers suffice. */
export function allows(
  activity: Activity,
  approvers: readonly Person[],
  state: State,
  rules: Rules,
): boolean {
  const { threshold, userIds } = state.head.rootQuorum;
  if (userIds.filter((id) => approvers.some((one) => one.id === id)).length >= threshold) {
    return true;
  }
  if (isOfRootQuorum(activity, state) || isDenied(activity, approvers, state, rules)) {
    return false;
  }
  return policiesOn(activity, 'EFFECT_ALLOW', state).some((policy) =>
    ruleOf(policy, rules).holds(approvers),
  );
}

function isDenied(
  activity: Activity,
  approvers: readonly Person[],
  state: State,
  rules: Rules,
): boolean {
  return policiesOn(activity, 'EFFECT_DENY', state).some((policy) =>
    ruleOf(policy, rules).holds(approvers),
  );
}

/** Types that change the logins of the users they name. */
const waysIn = /^ACTIVITY_TYPE_(CREATE|DELETE)_(API_KEYS|USERS)(_V[0-9]+)?$/;

/**
 * Returns true if only the root quorum decides: by type, or for a change of another member of the root
 * quorum.
 */
function isOfRootQuorum({ type, intent, submitterId }: Activity, { head }: State): boolean {
  if (rootTypes.includes(type)) return true;
  if (!waysIn.test(type)) return false;
  const parameters = Object.values(intent)[0] as { userId?: string; userIds?: string[] };
  return [parameters.userId ?? [], parameters.userIds ?? []]
    .flat()
    .some((id) => id !== submitterId && head.rootQuorum.userIds.includes(id));
}

/** Returns the policies whose condition holds for the activity. */
function policiesOn(activity: Activity, effect: Policy['effect'], state: State): Policy[] {
  const { type } = activity;
  if (isOfRootQuorum(activity, state)) return [];
  const condition = gatedTypes.includes(type) ? gateText : adminText;
  return [...state.rows.policy.values()].filter(
    (policy) => policy.effect === effect && policy.condition === condition,
  );
}

function ruleOf({ consensus = '' }: Policy, rules: Rules): Rule {
  const rule = rules.get(consensus);
  if (rule === undefined)
    throw new Error(`a policy has a consensus that nobody wrote: ${consensus}`);
  return rule;
}

/** The tag of a race is the first one created. */
function personOf(id: string, state: State): Person | undefined {
  const user = state.rows.user.get(id);
  const [tagId] = [...state.rows.tag.keys()].sort();
  return user && { id, isTagged: tagId !== undefined && user.tagIds.includes(tagId) };
}

/** An activity never changes its content, is decided once, and gains one vote per version. */
function historyComplaints(
  earlier: Activity | undefined,
  activity: Activity,
  vote: Vote,
): string[] {
  if (earlier === undefined) {
    const isFirst = activity.version === 1 && activity.votes.length === 1;
    const isSubmitters = vote.userId === activity.submitterId;
    return isFirst && isSubmitters ? [] : ['it does not begin with the vote of its submitter'];
  }
  const complaints: string[] = [];
  if (earlier.status !== waits) complaints.push(`it was ${earlier.status} and was changed`);
  if (activity.version !== earlier.version + 1) complaints.push('it left out a version');
  const lasting = ({ id, type, intent, fingerprint, submitterId, request }: Activity) =>
    JSON.stringify([id, type, intent, fingerprint, submitterId, request]);
  if (lasting(earlier) !== lasting(activity)) complaints.push('it became another activity');
  const others = earlier.votes.filter(({ userId }) => userId !== vote.userId);
  if (JSON.stringify(activity.votes) !== JSON.stringify([...others, vote])) {
    complaints.push('its votes are not the earlier ones and one more');
  }
  return complaints;
}

/** A voter must be a user of the organization, with a key of this user. */
function voterComplaints({ userId, credentialId, publicKey }: Vote, before: State): string[] {
  const key = before.rows.api_key.get(credentialId);
  const isGood =
    before.rows.user.has(userId) && key?.userId === userId && key.publicKey === publicKey;
  return isGood ? [] : ['the voter did not have that key'];
}

/** The organization must list the waiting activity in its newest version. */
function openComplaints({ id, version, status }: Activity, { rows }: State): string[] {
  const open = rows.open_activity.get(id);
  const isRight = status === waits ? open?.activityVersion === version : open === undefined;
  return isRight ? [] : ['the organization does not know whether it waits'];
}

/** Only a completed activity may change rows, and exactly as its type requires. */
function effectComplaints(activity: Activity, before: State, after: State): string[] {
  const kinds = namesOf(before.rows).filter((kind) => kind !== 'open_activity');
  // The first activity of a key is recorded on the key, for any outcome.
  const told = ({ head, rows }: State) =>
    JSON.stringify([head, ...kinds.map((kind) => [...rows[kind].values()])], (name, value) =>
      name === 'leads' ? undefined : value,
    );
  if (activity.status !== 'ACTIVITY_STATUS_COMPLETED') {
    return told(before) === told(after) ? [] : ['it is not completed, and changed something'];
  }
  const done = effects[activity.type];
  const [parameters] = Object.values(activity.intent);
  return done === undefined || done(parameters, before, after) ? [] : ['it did something else'];
}

// biome-ignore lint/suspicious/noExplicitAny: parameters are looked into by path in tests
type Effect = (parameters: any, before: State, after: State) => boolean;

const tagNames = ({ rows }: State) => [...rows.tag.values()].map(({ name }) => name);

const effects: Readonly<Record<string, Effect>> = {
  ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME: ({ organizationName }, _, { head }) =>
    head.name === organizationName,
  ACTIVITY_TYPE_UPDATE_ROOT_QUORUM: ({ threshold, userIds }, _, { head }) =>
    JSON.stringify(head.rootQuorum) === JSON.stringify({ threshold, userIds }),
  ACTIVITY_TYPE_CREATE_USER_TAG: ({ userTagName }, before, after) =>
    !tagNames(before).includes(userTagName) &&
    JSON.stringify(tagNames(after)) === JSON.stringify([...tagNames(before), userTagName]),
};
