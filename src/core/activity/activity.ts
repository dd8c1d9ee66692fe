// An activity: one signed request to change something, its votes and what came of it.

import { hex } from '../bytes.ts';
import { timestampObject, wireTimestamp } from '../compatibility.ts';
import type { ActivityStatus } from '../names.ts';
import type { JsonObject } from '../schema/json.ts';
import type { UserView } from '../wire.ts';

export type Activity = {
  readonly id: string;
  readonly organizationId: string;
  readonly type: string;
  readonly status: ActivityStatus;
  /** Exactly one member, named after the activity type. */
  readonly intent: JsonObject;
  /** At most one member; empty while the activity is not completed. */
  readonly result: JsonObject;
  readonly votes: readonly Vote[];
  /** `sha256:` and the lower-case hex SHA-256 of the raw request body. */
  readonly fingerprint: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Raised by one at each change; the store refuses an update of any other version. */
  readonly version: number;
};

/** One user's approval or rejection, with the message that the user signed. */
export type Vote = {
  readonly id: string;
  readonly userId: string;
  /** The user's record as it was when the vote was given. */
  readonly user: UserView;
  readonly selection: 'VOTE_SELECTION_APPROVED' | 'VOTE_SELECTION_REJECTED';
  readonly message: string;
  readonly publicKey: string;
  readonly signature: string;
  readonly scheme: string;
  readonly createdAtMs: number;
};

/** Who looks at an activity: what it may still do, and which form of times it reads. */
export type ActivityViewer = { readonly userId: string; readonly timestampObjects: boolean };

/** The fingerprint of a body with this SHA-256, as activities carry it. */
export function fingerprintText(digest: Uint8Array): string {
  return `sha256:${hex(digest)}`;
}

/** The activity as it is sent. */
export function activityView(activity: Activity, viewer: ActivityViewer): JsonObject {
  return {
    id: activity.id,
    organizationId: activity.organizationId,
    status: activity.status,
    type: activity.type,
    intent: activity.intent,
    result: activity.result,
    votes: activity.votes.map((vote) => voteView(vote, activity.id)),
    fingerprint: activity.fingerprint,
    // Voting begins with policies: until then an activity is final as soon as it exists.
    canApprove: false,
    canReject: false,
    createdAt: wireTimestamp(activity.createdAtMs, viewer.timestampObjects),
    updatedAt: wireTimestamp(activity.updatedAtMs, viewer.timestampObjects),
  };
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
