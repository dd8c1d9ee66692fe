// Verifies activities before votes. Voters see the content of the signed bytes, not the service's
// description.

import { Untrusted } from './errors.ts';
import type { Activity } from './generated/operations.ts';
import { activityOf } from './outcome.ts';
import { fingerprintOf } from './requests.ts';
import { type SignedVote, type VerifySecp256k1, verifyVote } from './vote_signatures.ts';

/** An activity whose signed bytes match its fingerprint. */
export type VerifiedActivity = {
  readonly id: string;
  readonly fingerprint: string;
  /** The signed request body. */
  readonly message: string;
  readonly type: string;
  readonly organizationId: string;
  /** Time of submission in the signed message, in milliseconds since 1970. */
  readonly timestampMs: number;
  /** The intent of the message: its parameters. */
  readonly intent: Readonly<Record<string, unknown>>;
  /** The key that signed the message, and the user that the service reports for it. */
  readonly submitter: {
    readonly userId: string;
    readonly publicKey: string;
    readonly scheme: string;
  };
  /**
   * The activity as the service reports it, unverified: its status, votes, and whether this user may vote.
   */
  readonly said: Activity;
};

/**
 * Verifies an activity: its message must have the fingerprint, and the submitter's key must have signed it.
 * Throws `Untrusted`.
 */
export async function verifyActivity(
  value: unknown,
  expected: { readonly id: string; readonly organizationId: string },
  secp256k1?: VerifySecp256k1,
): Promise<VerifiedActivity> {
  const said = activityOf(value, { id: expected.id.toLowerCase() });
  const { id, fingerprint } = said;
  const submission = await submissionOf(said);
  await verifyVote(submission, secp256k1);
  const { message, userId, publicKey, scheme } = submission;
  const body = JSON.parse(message) as Readonly<Record<string, unknown>>;
  const organizationId = String(body['organizationId']).toLowerCase();
  if (organizationId !== expected.organizationId.toLowerCase() || body['type'] !== said.type) {
    throw new Untrusted('OTHER_ACTIVITY', 'the message is for another organization or type');
  }
  return {
    id,
    fingerprint,
    message,
    type: said.type,
    organizationId,
    timestampMs: Number(body['timestampMs']),
    intent: (body['parameters'] ?? {}) as VerifiedActivity['intent'],
    submitter: { userId, publicKey, scheme },
    said,
  };
}

type Submission = SignedVote & { readonly userId: string };

/**
 * Returns the signed request. Submitting casts the first vote, with the request as its message. If a later
 * vote of the submitter replaced it, the activity shows the request with its own signature. Without this
 * signature, the service could name any user who approved the request.
 */
async function submissionOf({ fingerprint, votes, request }: Activity): Promise<Submission> {
  const shown = Array.isArray(votes) ? (votes as Activity['votes']) : [];
  // The request comes first: another user may have voted with the same body.
  for (const each of [request, ...shown]) {
    if (typeof each?.message !== 'string') continue;
    const { message } = each;
    if (message === fingerprint) {
      throw new Untrusted('MESSAGE_HIDDEN', 'the message has a token');
    }
    if ((await fingerprintOf(message)) !== fingerprint) continue;
    if (each.scheme) return each as Submission;
    throw new Untrusted('SIGNATURE_UNCHECKED', 'the request has no signature');
  }
  throw new Untrusted('MESSAGE_ALTERED', 'no message has the fingerprint');
}
