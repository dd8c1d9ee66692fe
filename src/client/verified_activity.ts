// Verifies activities before votes. Voters see the content of the signed bytes, not the service's
// description.

import { Untrusted } from './errors.ts';
import type { Activity } from './generated/operations.ts';
import { activityOf } from './outcome.ts';
import { fingerprintOf } from './requests.ts';
import { type VerifySecp256k1, verifyVote } from './vote_signatures.ts';

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
  const { message, vote } = await submissionOf(said);
  await verifyVote(vote, secp256k1);
  const { userId, publicKey, scheme } = vote;
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

type Submission = { readonly message: string; readonly vote: Activity['votes'][number] };

/**
 * Returns the request, and the vote of its submitter. Submitting casts the first vote, with the request as
 * its message. A later approval of the submitter replaces it, and names the fingerprint of the request. A
 * rejection does not suffice: the service could name any user who rejected the request.
 */
async function submissionOf({ fingerprint, votes, request }: Activity): Promise<Submission> {
  const shown = Array.isArray(votes) ? (votes as Activity['votes']) : [];
  for (const each of [...shown, request]) {
    if (typeof each?.message !== 'string') continue;
    const { message, userId } = each;
    if (message === fingerprint) {
      throw new Untrusted('MESSAGE_HIDDEN', 'the message has a token');
    }
    if ((await fingerprintOf(message)) !== fingerprint) continue;
    const vote = shown.find(
      (other) =>
        other === each ||
        (each === request && other.userId === userId && approvedBy(other.message) === fingerprint),
    );
    if (vote !== undefined) return { message, vote };
    throw new Untrusted('SIGNATURE_UNCHECKED', 'no approval has the fingerprint');
  }
  throw new Untrusted('MESSAGE_ALTERED', 'no message has the fingerprint');
}

/** Returns the fingerprint that an approval names. */
function approvedBy(message: string): unknown {
  const { type, parameters } = JSON.parse(message);
  return type === 'ACTIVITY_TYPE_APPROVE_ACTIVITY' && parameters.fingerprint;
}
