// The stored form of a refused activity. It answers no later request.

import { concatBytes, utf8 } from '../core/base/bytes.ts';
import { sha256 } from '../core/crypto/hashes.ts';
import type { ServiceError } from '../core/errors/errors.ts';
import type { Activity, Failure, Vote } from '../core/organization/records/activity.ts';
import { failureOf } from '../core/views/explanation.ts';
import type { Fingerprint } from './ports.ts';
import type { Recording } from './recording.ts';

/**
 * A recorded refusal omits its stamp. Otherwise a reader of activities could replay the request once it would
 * be allowed, although its user saw a refusal.
 */
export function withoutStamp(refused: Activity): Activity {
  return { ...refused, votes: refused.votes.map((vote) => ({ ...vote, signature: '' })) };
}

/**
 * Returns the refusal to store. The parent's policies are disclosed to the parent's user, who submitted; the
 * child does not store them.
 */
export function recordedRefusal(refusal: ServiceError, { decidedBy }: Recording): Failure {
  const failure = failureOf(refusal);
  return decidedBy === undefined ? failure : { ...failure, details: [] };
}

/**
 * A refusal is stored once for each body and user, and answers no request. The same body is decided again, by
 * the current policies and for its current sender.
 */
export function fingerprintOfRefusal({ parsed }: Recording, { userId }: Vote): Fingerprint {
  const { bucket, digest } = parsed.fingerprint;
  const kept = sha256(concatBytes(digest, utf8(`refused ${userId}`)));
  return { bucket, digest: kept, bodyDigest: digest };
}
