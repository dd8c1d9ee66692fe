// The stored form of a rejected activity. It never answers a later request.

import { concatBytes, utf8 } from '../core/base/bytes.ts';
import { sha256 } from '../core/crypto/hashes.ts';
import type { ServiceError } from '../core/errors/errors.ts';
import type { Activity, Failure, Vote } from '../core/organization/records/activity.ts';
import { failureOf } from '../core/views/explanation.ts';
import type { Fingerprint } from './ports.ts';
import type { Recording } from './recording.ts';

/**
 * Omits the stamp of a recorded rejection. Otherwise a reader of activities could replay the request once
 * policies allow it.
 */
export function withoutStamp(refused: Activity): Activity {
  return { ...refused, votes: refused.votes.map((vote) => ({ ...vote, signature: '' })) };
}

/**
 * Returns the rejection to store. The response discloses the parent's policies to the submitting user of the
 * parent; the child does not store them.
 */
export function recordedRefusal(refusal: ServiceError, { decidedBy }: Recording): Failure {
  const failure = failureOf(refusal);
  return decidedBy === undefined ? failure : { ...failure, details: [] };
}

/**
 * Returns the fingerprint of a rejection, which is stored once for each body and user. It never answers a
 * request: current policies decide the same body again.
 */
export function fingerprintOfRefusal({ parsed }: Recording, { userId }: Vote): Fingerprint {
  const { bucket, digest } = parsed.fingerprint;
  const kept = sha256(concatBytes(digest, utf8(`refused ${userId}`)));
  return { bucket, digest: kept, bodyDigest: digest };
}
