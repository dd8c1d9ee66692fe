// The permitted answers of a race, by the changes that were durable then, and the final state.

import { textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import type { ApiKey } from '../../src/core/organization/model.ts';
import type { Activity } from '../../src/core/organization/records/activity.ts';
import type { createEnclave } from '../../src/enclave/enclave.ts';
import { keyPairOf } from '../simulation/key_pairs.ts';
import { allows, approversOf, mayApprove, mayReject, type Rules } from './race_judge.ts';
import type { RaceRecord } from './race_record.ts';

/** A request as it leaves its sender. */
export type Letter = {
  readonly what: string;
  readonly operation: string;
  readonly body: Uint8Array;
  readonly stamp: { readonly name: string; readonly value: string };
  readonly publicKey: string;
  /** The activity of a vote; undefined for other requests. */
  readonly activityId: string | undefined;
  /** Error codes, or `acknowledged`. */
  readonly answers: string[];
};

type Told = {
  readonly status: number;
  readonly errorCode: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
  readonly body: any;
};

const waits = 'ACTIVITY_STATUS_CONSENSUS_NEEDED';

/** Refusals that depend on the service and not on the request. */
const unavailable = 'store_unavailable';

/** Returns complaints about an answer that has just arrived. */
export function answerComplaints(
  letter: Letter,
  { status, errorCode, body }: Told,
  sent: {
    /** The version of the organization when the request was sent. */
    readonly since: number;
    /** The number of versions of the activity at that time. */
    readonly seen: number;
    readonly record: RaceRecord;
    readonly rules: Rules;
    readonly now: number;
  },
): string[] {
  const { record } = sent;
  if (status === 200) {
    const complaints = shownComplaints(body, Math.max(1, sent.seen), record);
    return [...complaints, ...countedComplaints(letter, body.activity, sent)];
  }
  if (errorCode === unavailable) return [];
  if (status >= 500) return [`it failed: ${body.message}`];
  if (errorCode === 'organization_busy') return ['it was overtaken again and again'];
  const found = letter.activityId === undefined ? undefined : record.versionsOf(letter.activityId);
  const last = found?.at(-1);
  if (last === undefined) return [];
  if (errorCode === 'activity_fingerprint_unknown') return ['it was not found, and is there'];
  if (errorCode === 'activity_decided' && last.status === waits) return ['it is not decided'];
  if (!mayBeFor.has(errorCode ?? '')) return entitledComplaints(letter, last, errorCode, sent);
  return [];
}

/** Refusals of votes that do not depend on the rights of the user. */
const mayBeFor = new Set([
  'activity_decided',
  'public_key_not_found',
  'timestamp_too_old',
  'timestamp_in_future',
]);

/** A successful vote must be shown as an approval, unless the activity was decided before. */
function countedComplaints(
  { operation, publicKey }: Letter,
  shown: Told['body'],
  { since, seen, record, rules, now }: Parameters<typeof answerComplaints>[2],
): string[] {
  if (shown.status === 'ACTIVITY_STATUS_FAILED' && record.versionsOf(shown.id).length === 1) {
    return ['a refusal was answered as a success'];
  }
  if (shown.status !== waits) return [];
  if (operation === 'reject_activity') return ['it was rejected, and waits'];
  const states = record.statesSince(since);
  const holders = states.map(({ rows }) => {
    return [...rows.api_key.values()].find((one) => one.publicKey === publicKey)?.userId;
  });
  const hasVoted = shown.votes.some((vote: { userId: string }) => holders.includes(vote.userId));
  if (!hasVoted) return ['it was answered, and the vote is not there'];
  const versions = record.versionsOf(shown.id);
  const [activity] = versions.slice(-1);
  if (activity === undefined || versions.length !== seen) return [];
  // The activity did not complete, so its votes did not suffice.
  const wasEnough = states.every(
    (state, i) =>
      state.rows.user.has(activity.submitterId) &&
      mayApprove(holders[i] ?? '', activity, state, rules) &&
      allows(activity, approversOf(activity, state, now), state, rules),
  );
  return wasEnough ? ['approved once more, which is enough, and it waits'] : [];
}

/** A user with the right to vote in every version during the request must not be refused. */
function entitledComplaints(
  { publicKey, operation }: Letter,
  activity: Activity,
  errorCode: string | undefined,
  { since, record, rules }: { since: number; record: RaceRecord; rules: Rules },
): string[] {
  const isApproval = operation === 'approve_activity';
  const always = record.statesSince(since).every((state) => {
    const key = [...state.rows.api_key.values()].find((one) => one.publicKey === publicKey);
    if (key === undefined) return false;
    if (state.rows.user.has(activity.submitterId)) {
      return (isApproval ? mayApprove : mayReject)(key.userId, activity, state, rules);
    }
    return !isApproval && state.head.rootQuorum.userIds.includes(key.userId);
  });
  return always ? [`${errorCode}, to somebody who may vote`] : [];
}

/** A shown activity must be durable, and not older than at the request. */
function shownComplaints(body: Told['body'], seen: number, record: RaceRecord): string[] {
  const told = (activity: Activity | Told['body']) =>
    JSON.stringify([
      activity.status,
      activity.result,
      activity.failure,
      activity.votes.map((vote: { id: string }) => vote.id),
    ]);
  const shown = body.activity;
  const versions = record.versionsOf(shown.id);
  const isTrue = versions.slice(seen - 1).some((version) => told(version) === told(shown));
  const complaints = isTrue ? [] : ['it shows what is not durable, or was long ago'];
  const isDecided = shown.status !== waits;
  if (isDecided && (shown.canApprove || shown.canReject)) complaints.push('it tells of votes');
  if (isDecided && 'decision' in body) complaints.push('it tells of a decision to come');
  return complaints;
}

/**
 * Returns complaints about all requests together: a request that was only refused must not have left a
 * vote.
 */
export function silenceComplaints(letters: readonly Letter[], record: RaceRecord): string[] {
  const executed = new Map<string, number>();
  const cast = new Set<string>();
  for (const { id, fingerprint } of record.activities()) {
    const versions = record.versionsOf(id);
    const isRefusal = versions.length === 1 && versions[0]?.status === 'ACTIVITY_STATUS_FAILED';
    if (isRefusal) continue;
    executed.set(fingerprint, (executed.get(fingerprint) ?? 0) + 1);
    for (const version of versions) {
      for (const { message, publicKey } of version.votes) cast.add(`${publicKey} ${message}`);
    }
  }
  const twice = [...executed].filter(([, count]) => count > 1);
  const nameOf = ({ publicKey, body }: Letter) => `${publicKey} ${textOfUtf8(body)}`;
  const possible = new Set(
    letters
      .filter(({ answers }) => answers.some((one) => one === 'acknowledged' || one === unavailable))
      .map(nameOf),
  );
  return [
    ...twice.map(([fingerprint]) => `the body ${fingerprint} made two activities`),
    ...letters
      .filter((letter) => cast.has(nameOf(letter)) && !possible.has(nameOf(letter)))
      .map(({ what }) => `${what}: refused, and counted`),
  ];
}

/** Compares each activity, as a fresh enclave shows it to some users, with the true state. */
export async function restComplaints(
  enclave: ReturnType<typeof createEnclave>,
  readers: readonly Pick<ApiKey, 'userId' | 'publicKey'>[],
  world: { readonly record: RaceRecord; readonly rules: Rules; readonly now: number },
): Promise<string[]> {
  const { record, rules, now } = world;
  const state = record.current();
  const complaints: string[] = [];
  const open = record.activities().filter(({ status }) => status === waits);
  const known = [...state.rows.open_activity.keys()].sort();
  if (JSON.stringify(known) !== JSON.stringify(open.map(({ id }) => id).sort())) {
    complaints.push('the organization does not know what waits');
  }
  for (const { userId, publicKey } of readers) {
    const paginationOptions = { limit: '100' };
    const asked = { organizationId: record.organizationId(), paginationOptions };
    const body = utf8(JSON.stringify(asked));
    const stamp = keyPairOf(publicKey)?.stamp(body);
    const answer = await enclave.request({
      requestId: 'at rest',
      kind: 'query',
      operation: 'list_activities',
      headers: stamp === undefined ? [] : [stamp],
      timestampObjects: false,
      remoteAddress: '127.0.0.1',
      body,
    });
    const { activities = [] } = JSON.parse(textOfUtf8(answer.body) ?? '');
    const all = record.activities();
    if (activities.length !== all.length) complaints.push(`${activities.length} are listed`);
    for (const shown of activities) {
      const versions = record.versionsOf(shown.id);
      const last = versions.at(-1);
      if (last === undefined) complaints.push(`${shown.id} is shown, and is not there`);
      else {
        complaints.push(
          ...shownComplaints({ activity: shown }, versions.length, record),
          ...rightsComplaints(shown, last),
        );
      }
    }

    function rightsComplaints(shown: Told['body'], activity: Activity): string[] {
      if (activity.status !== waits) return [];
      const isGone = !state.rows.user.has(activity.submitterId);
      const isRoot = state.head.rootQuorum.userIds.includes(userId);
      const approvers = approversOf(activity, state, now);
      // An approver may approve again if that would suffice by now.
      const isIdle =
        approvers.some(({ id }) => id === userId) && !allows(activity, approvers, state, rules);
      const canApprove = !isGone && !isIdle && mayApprove(userId, activity, state, rules);
      const canReject = isGone ? isRoot : mayReject(userId, activity, state, rules);
      const told = JSON.stringify([shown.canApprove, shown.canReject]);
      const isTrue = JSON.stringify([canApprove, canReject]);
      return told === isTrue ? [] : [`${userId} is told ${told} of ${activity.id}, not ${isTrue}`];
    }
  }
  return complaints;
}
