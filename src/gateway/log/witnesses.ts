// Sends the newest checkpoint to each witness, and collects the cosignatures. It runs independently of the
// log, so a slow or failing witness delays no entry and no receipt.

import { textOfUtf8, utf8 } from '../../core/base/bytes.ts';
import { verifyEd25519 } from '../../core/crypto/verify.ts';
import {
  type NoteSignature,
  readCheckpoint,
  readNote,
  readSize,
  type SignedNote,
  type VerifyEd25519,
  verifyNote,
} from '../../core/log/note.ts';
import { textOfNote } from '../../core/log/note_writer.ts';
import { type PolicyWitness, type TrustPolicy, witnessesOf } from '../../core/log/trust_policy.ts';
import { addCheckpointPath, textOfAddCheckpoint } from '../../core/log/witness.ts';
import { backoffMs } from '../base/pause.ts';
import type { Log } from '../observability/log.ts';
import type { Outbound } from '../outbound/outbound.ts';

/** Interval between two rounds. */
export const witnessPollMs = 1_000;
const witnessTimeoutMs = 10_000;
const maximumAnswerBytes = 16 * 1024;
const firstRetryMs = 1_000;
const lastRetryMs = 60_000;
/** A witness with another size answers 409 with its size; the second attempt uses that size. */
const maximumAttempts = 2;

type WitnessesOptions = {
  readonly policy: TrustPolicy;
  checkpoint(): Promise<string | undefined>;
  consistency(from: number, to: number): Promise<readonly Uint8Array[]>;
  /** Receives a checkpoint with its cosignatures. */
  cosigned(note: string): Promise<unknown>;
  readonly send: Outbound['send'];
  now(): number;
  after(delayMs: number, run: () => void): () => void;
  readonly log: Log;
};

export type WitnessWorker = { stop(): Promise<void> };

type State = PolicyWitness & {
  readonly name: string;
  /** The last size that this process knows the witness to have cosigned. */
  size: number;
  /** The last checkpoint text that the witness cosigned. */
  text: string;
  signature: NoteSignature | undefined;
  failures: number;
  notBeforeMs: number;
};

/** The consistency proof from an earlier size to that of the newest checkpoint. */
type Proof = (from: number) => Promise<readonly Uint8Array[]>;
type Newest = { readonly size: number; readonly proofFrom: Proof };

const verify: VerifyEd25519 = (signature, message, publicKey) =>
  verifyEd25519(publicKey, signature, message);

/** Sends checkpoints until `stop`. */
export function startWitnesses(options: WitnessesOptions): WitnessWorker {
  const { policy, now, log } = options;
  const states = [...policy.witnesses].map(
    ([name, witness]): State => ({
      ...witness,
      name,
      size: 0,
      text: '',
      signature: undefined,
      failures: 0,
      notBeforeMs: Number.NEGATIVE_INFINITY,
    }),
  );
  let isStopping = false;
  let isQuorumKept = false;
  let kept = '';
  let cancelNext = (): void => undefined;
  let working: Promise<void> = Promise.resolve();

  function next(delayMs: number): void {
    if (isStopping) return;
    cancelNext = options.after(delayMs, () => {
      working = round()
        .catch(() => {
          // The enclave restarts or the store is unavailable. Other code reports both.
        })
        .finally(() => next(witnessPollMs));
    });
  }

  async function round(): Promise<void> {
    const newest = await options.checkpoint();
    const note = newest === undefined ? undefined : readNote(newest);
    const size = note && readCheckpoint(note.text)?.size;
    if (note === undefined || size === undefined) return;
    // Remove cosignatures of earlier rounds, so that witnesses receive only the signature of the log.
    const signed = { text: note.text, signatures: note.signatures.slice(0, 1) };
    // Most witnesses have cosigned the same size, and need the same proof.
    const proofs = new Map<number, ReturnType<Proof>>();
    const proofFrom: Proof = (from) =>
      proofs.getOrInsertComputed(from, () => options.consistency(from, size));
    await Promise.all(states.map((state) => ask(state, signed, { size, proofFrom })));
    const signatures = states.flatMap(({ text, signature }) =>
      text === note.text && signature !== undefined ? [signature] : [],
    );
    const cosigned = { text: note.text, signatures: [...signed.signatures, ...signatures] };
    const merged = textOfNote(cosigned);
    const { isQuorum } = witnessesOf(policy, cosigned, verify);
    if (signatures.length === 0 || merged === kept || (isQuorumKept && !isQuorum)) return;
    await options.cosigned(merged);
    kept = merged;
    isQuorumKept = isQuorum;
  }

  async function ask(state: State, note: SignedNote, at: Newest): Promise<void> {
    if (state.text === note.text || now() < state.notBeforeMs || isStopping) return;
    try {
      state.signature = await cosignatureOf(options.send, state, note, at);
      state.text = note.text;
      state.size = at.size;
      if (state.failures > 0) log('info', 'a witness cosigns again', { witness: state.name });
      state.failures = 0;
    } catch (error) {
      state.failures += 1;
      state.notBeforeMs = now() + backoffMs(state.failures, firstRetryMs, lastRetryMs);
      const reason = error instanceof Error ? error.message : String(error);
      log('error', 'a witness did not cosign', { witness: state.name, reason });
    }
  }

  next(0);
  return {
    stop: async () => {
      isStopping = true;
      cancelNext();
      await working;
    },
  };
}

/** Requests the cosignature of a witness. Raises an error with the reason if the witness does not cosign. */
async function cosignatureOf(
  send: WitnessesOptions['send'],
  state: State,
  note: SignedNote,
  { size, proofFrom }: Newest,
): Promise<NoteSignature> {
  for (let attempt = 1; ; attempt += 1) {
    const oldSize = state.size;
    const proof = await proofFrom(oldSize);
    const request = textOfAddCheckpoint({ oldSize, proof, note: textOfNote(note) });
    const answer = await send({
      url: `${state.url?.replace(/\/$/, '')}${addCheckpointPath}`,
      method: 'POST',
      body: utf8(request),
      timeoutMs: witnessTimeoutMs,
      maximumBytes: maximumAnswerBytes,
    });
    if ('failure' in answer) throw new Error(`${answer.failure}: ${answer.detail}`);
    const body = textOfUtf8(answer.body) ?? '';
    if (answer.status === 200) return signatureIn(state, note, body);
    const known = answer.status === 409 ? readSize(body.trimEnd()) : undefined;
    if (known === undefined || attempt === maximumAttempts) {
      throw new Error(`it answered ${answer.status}`);
    }
    if (known > size) {
      throw new Error(`it has cosigned ${known} entries of the log, and the log has ${size}`);
    }
    if (known === size && oldSize === size) {
      throw new Error(`it has cosigned another tree of ${known} entries`);
    }
    state.size = known;
  }
}

/** Finds the cosignature of a witness in its answer, which may contain other signatures. */
function signatureIn({ key }: State, note: SignedNote, body: string): NoteSignature {
  const whole = readNote(textOfNote(note) + body);
  const isValid = whole !== undefined && typeof verifyNote(whole, key, verify) === 'object';
  const own = whole?.signatures.find(
    ({ name, keyId }) => name === key.name && keyId.toHex() === key.id.toHex(),
  );
  if (!isValid || own === undefined) throw new Error('its cosignature is invalid');
  return own;
}
