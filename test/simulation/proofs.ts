// Rules for app proofs: requested by the submitter, about a durable activity, and signed by a key whose
// boot proof was durable before.

import { createHash } from 'node:crypto';
import { verifyAppProofSignature } from '@turnkey/crypto';
import type { Activity } from '../../src/core/organization/records/activity.ts';
import type { TrueState } from './true_state.ts';

/**
 * Returns complaints about the proofs of an activity; `first` is the organization that stores boot proofs.
 */
export function proofComplaints(
  activity: Activity,
  states: {
    readonly first: TrueState;
    readonly before: TrueState;
    readonly written: readonly TrueState[];
  },
): string[] {
  const { status, appProofs = [] } = activity;
  const message = activity.request ?? activity.votes[0]?.message ?? '';
  const isAsked = JSON.parse(message).generateAppProofs === true;
  const isProved = isAsked && status === 'ACTIVITY_STATUS_COMPLETED';
  if (appProofs.length > 0 !== isProved) return [`${appProofs.length} proofs, asked: ${isAsked}`];
  if (!isProved) return [];

  const addresses = newAddresses(states.before, states.written);
  const proved: string[] = [];
  const complaints: string[] = [];
  for (const proof of appProofs) {
    verifyAppProofSignature(proof);
    const booted = [...states.first.rows.boot_statement.values()];
    if (!booted.some((boot) => boot.ephemeralPublicKeyHex === proof.publicKey)) {
      complaints.push('a proof by a key without a boot proof');
    }
    const { activity: named, addressDerivationProof: derived } = JSON.parse(proof.proofPayload);
    const { id, type, organizationId, fingerprint, result } = activity;
    const resultDigest = createHash('sha256').update(JSON.stringify(result)).digest('hex');
    const whole = { id, type, organizationId, fingerprint, resultDigest };
    if (JSON.stringify(named) !== JSON.stringify(whole)) complaints.push('a proof of another one');
    if (derived !== undefined) proved.push(`${derived.organizationId}/${derived.address}`);
  }
  if (JSON.stringify(proved.toSorted()) !== JSON.stringify(addresses.toSorted())) {
    complaints.push(`proofs of ${proved}, expected ${addresses}`);
  }
  return complaints;
}

/** Returns new accounts and private keys, each with its organization. */
function newAddresses(before: TrueState, written: readonly TrueState[]): readonly string[] {
  return written.flatMap(({ id, rows }) => {
    const known = id === before.id ? before.rows : undefined;
    const accounts = [...rows.wallet_account.values()].filter(
      (row) => known?.wallet_account.has(row.id) !== true,
    );
    const keys = [...rows.private_key.values()].filter(
      (row) => known?.private_key.has(row.id) !== true,
    );
    return [
      ...accounts.map(({ address }) => `${id}/${address}`),
      ...keys.flatMap(({ addresses }) => addresses.map(({ address }) => `${id}/${address}`)),
    ];
  });
}
