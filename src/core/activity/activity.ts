// An activity as clients see it, and whether votes can still change it.

import { hex } from '../base/bytes.ts';
import { timestampObject, wireTimestamp } from '../base/compatibility.ts';
import type { ActivityStatus } from '../base/enums.ts';
import type { Activity, Vote } from '../organization/records/activity.ts';
import type { Json, JsonObject } from '../schema/json.ts';

/** The rights of the reading user, and the form of times in the answer. */
export type ActivityViewer = {
  readonly canApprove: boolean;
  readonly canReject: boolean;
  readonly timestampObjects: boolean;
};

const openStatuses: readonly ActivityStatus[] = [
  'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED',
];

/** Returns true while votes can still change the activity. */
export function isOpen({ status }: Pick<Activity, 'status'>): boolean {
  return openStatuses.includes(status);
}

/** Returns the fingerprint of a body with this SHA-256. */
export function fingerprintText(digest: Uint8Array): string {
  // `join` returns a flat string, like `uuidText`; a concatenated string would slow down JSON.
  return ['sha256', hex(digest)].join(':');
}

/** Returns the API form of an activity. */
export function activityView(activity: Activity, viewer: ActivityViewer): JsonObject {
  const { appProofs, explanation, failure } = activity;
  const view: Record<string, Json | undefined> = {
    id: activity.id,
    organizationId: activity.organizationId,
    status: activity.status,
    type: activity.type,
    intent: activity.intent,
    result: activity.result,
    votes: activity.votes.map((vote) => voteView(vote, activity.id)),
    fingerprint: activity.fingerprint,
    canApprove: viewer.canApprove,
    canReject: viewer.canReject,
    createdAt: wireTimestamp(activity.createdAtMs, viewer.timestampObjects),
    updatedAt: wireTimestamp(activity.updatedAtMs, viewer.timestampObjects),
  };
  if (appProofs !== undefined) view['appProofs'] = appProofs;
  if (explanation !== undefined) view['explanation'] = explanation;
  if (failure !== undefined) view['failure'] = failure;
  const request = replacedRequest(activity);
  if (request !== undefined) view['request'] = request;
  return view;
}

/**
 * The request, if a later vote of its submitter replaced the vote that has it as its message. Another user
 * may have voted with the same body.
 */
function replacedRequest({
  request,
  submission,
  submitterId,
  votes,
}: Activity): JsonObject | undefined {
  if (request === undefined) return undefined;
  const isInVote = votes.some(
    ({ userId, message }) => userId === submitterId && message === request,
  );
  if (isInVote) return undefined;
  const asked = { userId: submitterId, message: request };
  if (submission === undefined) return asked;
  const { publicKey, signature, scheme } = submission;
  return { ...asked, publicKey, signature, scheme };
}

function voteView(vote: Vote, activityId: string): JsonObject {
  return {
    id: vote.id,
    userId: vote.userId,
    user: vote.user,
    activityId,
    selection: vote.selection,
    message: vote.message,
    publicKey: vote.publicKey,
    signature: vote.signature,
    scheme: vote.scheme,
    createdAt: timestampObject(vote.createdAtMs),
  };
}
