// Verifies a proof whose checkpoint is trusted by a policy.

import { readCheckpoint, readNote, verifyNote } from '../core/log/note.ts';
import { readProof } from '../core/log/proof_file.ts';
import { type TrustPolicy, witnessesOf } from '../core/log/trust_policy.ts';
import { verifyEd25519 } from './signatures.ts';

/** Parses a proof, and checks the signatures of its checkpoint. Throws an error with the failed check. */
export function readTrustedProof(text: string, policy: TrustPolicy) {
  const { proof, note, origin, size, root } = readSignedProof(text);
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

/** Parses a proof and its checkpoint. No signature is checked. */
export function readSignedProof(text: string) {
  const proof = readProof(text);
  const note = proof && readNote(proof.note);
  const checkpoint = note && readCheckpoint(note.text);
  if (proof === undefined || note === undefined || checkpoint === undefined) {
    throw new Error('a proof of the receipt is malformed');
  }
  return { proof, note, ...checkpoint };
}

/** Parses JSON. Throws an error for other texts. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the receipt is not JSON');
  }
}

/** Returns a value that is an object. Throws an error for other values. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject) throw new Error('the receipt is malformed');
  return value as Readonly<Record<string, unknown>>;
}
