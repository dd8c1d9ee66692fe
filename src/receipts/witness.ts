// A witness and its key. The key has the note key format of golang.org/x/mod.

import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOfBase64, isKeyName, verifierKeyOf } from '../core/log/note.ts';
import { textOfVerifierKey } from '../core/log/note_writer.ts';
import { readPolicy } from '../core/log/trust_policy.ts';
import {
  cosign,
  cosignedCheckpoint,
  type WitnessAnswer,
  witnessedPath,
} from '../core/log/witness.ts';
import { verifyEd25519 } from './signatures.ts';

const seedBytes = 32;
const typeOfCosignature = 4;

export type RunningWitness = {
  readonly verifierKey: string;
  /** Answers a request. Stores the checkpoint before it returns a cosignature. */
  add(body: string, atSeconds: number): WitnessAnswer;
  /** Returns the newest cosigned checkpoint for a URL path. */
  at(path: string): string | undefined;
};

export type WitnessStore = {
  read(origin: string): string | undefined;
  /** Stores a checkpoint durably. */
  write(origin: string, note: string): void;
  origins(): readonly string[];
};

/** Returns a new private key of a witness as text. Raises an error for an invalid key name. */
export function newWitnessKey(name: string): string {
  if (!isKeyName(name)) throw new Error('the name of a witness has no spaces and no "+"');
  const seed = ed25519.utils.randomSecretKey();
  const id = keyOf(name, seed).id.toHex();
  const encoded = Uint8Array.of(typeOfCosignature, ...seed).toBase64();
  seed.fill(0);
  return `PRIVATE+KEY+${name}+${id}+${encoded}`;
}

/**
 * Creates a witness with a private key, for the logs of a policy. Raises an error for a malformed key, and
 * for a stored checkpoint that the key did not cosign.
 */
export function createWitness(
  privateKey: string,
  policyText: string,
  store: WitnessStore,
): RunningWitness {
  const { logs } = readPolicy(sha256, policyText);
  if (logs.length === 0) throw new Error('the policy names no log');
  const [, name = '', id = '', encoded = ''] =
    /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(privateKey) ?? [];
  const bytes = bytesOfBase64(encoded);
  if (bytes?.length !== 1 + seedBytes || bytes[0] !== typeOfCosignature) {
    throw new Error('the key of the witness is malformed');
  }
  const seed = bytes.subarray(1);
  const key = keyOf(name, seed);
  if (key.id.toHex() !== id) throw new Error('the key of the witness has another id');
  const sign = (message: Uint8Array) => ed25519.sign(message, seed);
  const witness = { key, sign, verify: verifyEd25519, hash: sha256, logs };
  for (const origin of store.origins()) {
    cosignedCheckpoint(store.read(origin) ?? '', { origin, key, verify: verifyEd25519 });
  }
  return {
    verifierKey: textOfVerifierKey(key),
    add: (body, atSeconds) => {
      const answer = cosign(witness, body, store.read, atSeconds);
      if (answer.stored !== undefined) store.write(answer.stored.origin, answer.stored.note);
      return answer;
    },
    at: (path) => {
      const origin = store.origins().find((each) => witnessedPath(sha256, each) === path);
      return origin === undefined ? undefined : store.read(origin);
    },
  };
}

function keyOf(name: string, seed: Uint8Array) {
  return verifierKeyOf(sha256, {
    name,
    type: 'cosignature',
    publicKey: ed25519.getPublicKey(seed),
  });
}
