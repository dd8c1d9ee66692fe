// Checks that the signed texts of votes cast these votes on one request. Otherwise a record could show votes
// that users signed for other requests.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOf } from '../core/log/note.ts';

type Vote = Readonly<Record<'userId' | 'selection' | 'message', string>>;

type RecordedRequest = {
  readonly type: string;
  readonly organizationId: string;
  /** Undefined if the message of the first vote is the request. */
  readonly fingerprint: unknown;
  /** The text of the request, or the index of its vote. Undefined if the record has no further text. */
  readonly request: unknown;
};

/** Throws an error that names the first vote or request that its text does not match. */
export function requireSignedVotes(
  votes: readonly Vote[],
  { type, organizationId, ...recorded }: RecordedRequest,
): void {
  const fingerprint = recorded.fingerprint ?? fingerprintOf(votes[0]?.message ?? '');
  const own = typeof recorded.request === 'string' ? [recorded.request] : [];
  // Votes may share a large text, which is read once.
  const selectionOf = new Map<string, string | undefined>();
  let isFound = false;
  for (const message of new Set([...votes.map(({ message }) => message), ...own])) {
    // A large refused request is recorded as its fingerprint.
    const isDigest = message === fingerprint;
    const isRequest = isDigest || fingerprintOf(message) === fingerprint;
    isFound ||= isRequest;
    const body = isDigest ? { type, organizationId } : membersIn(message);
    const isOrganization = `${body['organizationId']}`.toLowerCase() === organizationId;
    if (isRequest && (body['type'] !== type || !(isOrganization || loginTypes.has(type)))) {
      throw new Error('the request was signed for another type or organization');
    }
    const named = Object(body['parameters']).fingerprint;
    // The service accepts a fingerprint in any letter case.
    const isVote = `${named}`.toLowerCase() === fingerprint;
    const cast = isVote ? selections.get(body['type']) : undefined;
    selectionOf.set(message, isRequest ? approved : cast);
  }
  if (!isFound) throw new Error('the record of the receipt does not have the request');
  for (const { userId, selection, message } of votes) {
    const signed = selectionOf.get(message);
    const actual = signed === undefined ? 'for another activity' : `as ${signed}`;
    if (signed !== selection) throw new Error(`the vote of user ${userId} was signed ${actual}`);
  }
}

/** Activities of a sub-organization whose request may name the parent. */
export const loginTypes: ReadonlySet<string> = new Set([
  'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION',
  'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION',
  'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
  'ACTIVITY_TYPE_OAUTH',
  'ACTIVITY_TYPE_OAUTH_LOGIN',
  'ACTIVITY_TYPE_OTP_LOGIN',
  'ACTIVITY_TYPE_OTP_LOGIN_V2',
  'ACTIVITY_TYPE_STAMP_LOGIN',
]);

const approved = 'VOTE_SELECTION_APPROVED';
/** The votes that requests cast, by their type. */
const selections: ReadonlyMap<unknown, string> = new Map([
  ['ACTIVITY_TYPE_APPROVE_ACTIVITY', approved],
  ['ACTIVITY_TYPE_REJECT_ACTIVITY', 'VOTE_SELECTION_REJECTED'],
]);

const fingerprintOf = (message: string): string => `sha256:${sha256(bytesOf(message)).toHex()}`;

function membersIn(message: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(message));
  } catch {
    return {};
  }
}
