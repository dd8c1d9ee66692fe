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
  const submitted = await voteWith(said);
  const { message, userId, publicKey, scheme } = submitted;
  await verifyVote(submitted, secp256k1);
  const body = JSON.parse(message) as Readonly<Record<string, unknown>>;
  const organizationId = String(body['organizationId']).toLowerCase();
  const isExpected = organizationId === expected.organizationId.toLowerCase();
  if (!isExpected || body['type'] !== said.type) {
    throw new Untrusted('OTHER_ACTIVITY', 'the message is of another organization or type');
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

/** Returns the vote whose message is the request itself: submitting casts the first vote. */
async function voteWith({ fingerprint, votes }: Activity): Promise<Activity['votes'][number]> {
  const shown = Array.isArray(votes) ? (votes as Activity['votes']) : [];
  for (const vote of shown) {
    const { message } = vote;
    if (typeof message !== 'string') continue;
    if (message === fingerprint) {
      const text = 'the message holds a token or a code: only who submitted it may see it';
      throw new Untrusted('MESSAGE_HIDDEN', text);
    }
    if ((await fingerprintOf(message)) === fingerprint) return vote;
  }
  throw new Untrusted('MESSAGE_ALTERED', 'no message is what the fingerprint names');
}
