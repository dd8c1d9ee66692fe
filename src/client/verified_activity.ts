// An activity as it was signed: what is voted on is read from the bytes, not from what the service says.

import { hexOf, sha256, utf8 } from './bytes.ts';
import { Untrusted } from './errors.ts';
import type { Activity } from './operations.ts';
import { activityOf } from './outcome.ts';

/** An activity whose signed bytes were found to be what its fingerprint names. */
export type VerifiedActivity = {
  readonly id: string;
  readonly fingerprint: string;
  /** The body as it was signed. */
  readonly message: string;
  /** From the message. */
  readonly type: string;
  readonly organizationId: string;
  /** When its submitter made it, in milliseconds since 1970, from the message. */
  readonly timestampMs: number;
  /** What would be done: the parameters of the message. */
  readonly intent: Readonly<Record<string, unknown>>;
  /** The key that signed the message, and the user whom the service names for it. */
  readonly submitter: {
    readonly userId: string;
    readonly publicKey: string;
    readonly scheme: string;
  };
  /** What the service says of it, unverified: status, votes, whether this user may vote. */
  readonly said: Activity;
};

/** Verifies what the service says of an activity. Raises `Untrusted`. */
export async function verifyActivity(
  id: string,
  organizationId: string,
  answer: Readonly<Record<string, unknown>>,
): Promise<VerifiedActivity> {
  const said = activityOf(answer['activity'], { id: id.toLowerCase() });
  const { fingerprint, votes } = said;
  const [submitted] = Array.isArray(votes) ? votes : [];
  if (typeof submitted?.message !== 'string') {
    throw new Untrusted('ANSWER_MALFORMED', 'the activity has no signed message');
  }
  const { message, userId, publicKey, scheme } = submitted;
  if (message === fingerprint) {
    const text = 'the activity holds a token or a code, so only who submitted it sees its message';
    throw new Untrusted('MESSAGE_HIDDEN', text);
  }
  if (`sha256:${hexOf(await sha256(utf8(message)))}` !== fingerprint) {
    throw new Untrusted('MESSAGE_ALTERED', 'the message is not what the fingerprint names');
  }
  const body = JSON.parse(message);
  if (body.type !== said.type || String(body.organizationId).toLowerCase() !== organizationId) {
    throw new Untrusted('OTHER_ACTIVITY', 'the message is of another type or organization');
  }
  return {
    id: said.id,
    fingerprint,
    message,
    type: body.type,
    organizationId,
    timestampMs: Number(body.timestampMs),
    intent: body.parameters ?? {},
    submitter: { userId, publicKey, scheme },
    said,
  };
}
