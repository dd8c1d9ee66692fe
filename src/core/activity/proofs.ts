// Collects the credentials that users have shown for a waiting activity, in approvals and other proofs.

import type { Activity, Proof } from '../organization/records/activity.ts';
import type { OrganizationView } from '../organization/state.ts';
import { type Credential, heldCredential } from '../users/credentials.ts';
import { voteLifeMs } from './votes.ts';

type Proven = Pick<Activity, 'votes' | 'proofs'>;

/** A credential as a proof of its user. */
export function proofOf(credential: Credential, publicKey: string, now: number): Proof {
  const { userId, method, id: credentialId } = credential;
  return { userId, method, credentialId, publicKey, createdAtMs: now };
}

/** Returns the proofs with one more. Drops expired proofs, and keeps only the newest of each credential. */
export function withProof(proofs: readonly Proof[], proof: Proof): readonly Proof[] {
  const isKept = ({ userId, credentialId, createdAtMs }: Proof) =>
    proof.createdAtMs - createdAtMs < voteLifeMs &&
    (userId !== proof.userId || credentialId !== proof.credentialId);
  return [...proofs.filter(isKept), proof];
}

/** The credentials that a user has shown within a day and still holds, each once. */
export function shownCredentials(
  { votes, proofs = [] }: Proven,
  userId: string,
  organization: OrganizationView,
  now: number,
): readonly Credential[] {
  const approvals = votes.filter(({ selection }) => selection === 'VOTE_SELECTION_APPROVED');
  const shown = new Map<string, Credential>();
  for (const one of [...proofs, ...approvals]) {
    if (one.userId !== userId || now - one.createdAtMs >= voteLifeMs) continue;
    const credential = heldCredential(organization, one);
    if (credential !== undefined) shown.set(credential.id, credential);
  }
  return [...shown.values()];
}
