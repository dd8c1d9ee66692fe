// Verifies a proof whose checkpoint is trusted by a policy.

import { ed25519 } from '@noble/curves/ed25519.js';
import { readCheckpoint, readNote, type VerifyEd25519, verifyNote } from '../core/log/note.ts';
import { type ProofFile, readProof } from '../core/log/proof_file.ts';
import { type TrustPolicy, witnessesOf } from '../core/log/trust_policy.ts';

type TrustedProof = {
  readonly proof: ProofFile;
  readonly log: string;
  readonly size: number;
  readonly root: Uint8Array;
  readonly witnesses: readonly string[];
};

export const verifyEd25519: VerifyEd25519 = (signature, message, publicKey) =>
  attempt(() => ed25519.verify(signature, message, publicKey, { zip215: false }));

/** Parses a proof, and checks the signatures of its checkpoint. Throws an error with the failed check. */
export function readTrustedProof(text: string, policy: TrustPolicy): TrustedProof {
  const proof = readProof(text);
  const note = proof && readNote(proof.note);
  const checkpoint = note && readCheckpoint(note.text);
  if (proof === undefined || note === undefined || checkpoint === undefined) {
    throw new Error('the proof of the receipt is malformed');
  }
  const { origin, size, root } = checkpoint;
  if (policy.logs.length === 0) throw new Error('the policy names no log');
  const key = policy.logs.find(({ name }) => name === origin);
  if (key === undefined) throw new Error(`the policy does not name the log ${origin}`);
  if (typeof verifyNote(note, key, verifyEd25519) === 'string') {
    throw new Error('the log did not sign the checkpoint');
  }
  const { witnesses, isQuorum } = witnessesOf(policy, note, verifyEd25519);
  if (!isQuorum) {
    throw new Error('too few witnesses have seen the checkpoint for the quorum of the policy');
  }
  return { proof, log: origin, size, root, witnesses };
}

export function attempt(verify: () => boolean): boolean {
  try {
    return verify();
  } catch {
    return false;
  }
}
