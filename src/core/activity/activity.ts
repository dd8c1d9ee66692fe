// An activity: one signed request to change something, its votes and what came of it.

import { hex } from '../base/bytes.ts';
import { timestampObject, wireTimestamp } from '../base/compatibility.ts';
import type { ActivityStatus } from '../base/enums.ts';
import type { AppProof } from '../proofs/app_proofs.ts';
import type { JsonObject } from '../schema/json.ts';
import type { UserView } from '../views/wire.ts';
import type { Proof } from './proofs.ts';

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
  /** The user who asked for it. */
  readonly submitterId: string;
  /** The body as it was signed, of an activity that had to wait: what is carried out later. */
  readonly request?: string;
  /** What users have shown for it; of one that had to wait, unless it is from before there were any. */
  readonly proofs?: readonly Proof[];
  /** Where its client asked for them, of one that is completed. */
  readonly appProofs?: readonly AppProof[];
  /** Why it failed; set exactly when the status says so. */
  readonly failure?: Failure;
  /** What the policies came to at each vote, oldest first; none where the root quorum decided. */
  readonly evaluations: readonly Evaluation[];
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
  readonly selection: VoteSelection;
  readonly message: string;
  readonly publicKey: string;
  readonly signature: string;
  readonly scheme: string;
  /** The credential that signed the message; the vote counts only while the user has it. */
  readonly credentialId: string;
  readonly createdAtMs: number;
};

export const voteSelections = ['VOTE_SELECTION_APPROVED', 'VOTE_SELECTION_REJECTED'] as const;
export type VoteSelection = (typeof voteSelections)[number];

/** As an error body: gRPC number, sentence, details. */
export type Failure = {
  readonly code: number;
  readonly message: string;
  readonly details: readonly JsonObject[];
};

/** What the policies came to at one vote. */
export type Evaluation = {
  readonly voteId: string;
  /** Names the policies; absent where the organization never had any. */
  readonly policySetId?: string;
  /** One letter for each policy of that set, as `outcomeLetters` writes them. */
  readonly outcomes: string;
  readonly createdAtMs: number;
};

/** What the one who looks at an activity may do with it, and which form of times it reads. */
export type ActivityViewer = {
  readonly canApprove: boolean;
  readonly canReject: boolean;
  readonly timestampObjects: boolean;
};

const openStatuses: readonly ActivityStatus[] = [
  'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED',
];

/** Activities that votes can still change. */
export function isOpen({ status }: Pick<Activity, 'status'>): boolean {
  return openStatuses.includes(status);
}

/** The fingerprint of a body with this SHA-256, as activities carry it. */
export function fingerprintText(digest: Uint8Array): string {
  // Joined, not put together: as ids are.
  return ['sha256', hex(digest)].join(':');
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
    canApprove: viewer.canApprove,
    canReject: viewer.canReject,
    createdAt: wireTimestamp(activity.createdAtMs, viewer.timestampObjects),
    updatedAt: wireTimestamp(activity.updatedAtMs, viewer.timestampObjects),
    ...(activity.appProofs === undefined ? {} : { appProofs: activity.appProofs }),
    ...(activity.failure === undefined ? {} : { failure: activity.failure }),
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
