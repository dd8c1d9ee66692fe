// The protocol between a log and its witnesses: C2SP's tlog-witness. A witness cosigns a checkpoint if it
// extends the last checkpoint that the witness cosigned for that log.

import { type Hash, hashBytes, sameBytes } from './inclusion.ts';
import {
  bytesOfBase64,
  type Checkpoint,
  maximumNoteBytes,
  readCheckpoint,
  readNote,
  readSize,
  type SignedNote,
  type VerifierKey,
  type VerifyEd25519,
  verifyNote,
} from './note.ts';
import { signNote, textOfNote } from './note_writer.ts';
import { isConsistent } from './tree.ts';

/** Maximum number of hashes in a consistency proof, set by the protocol. */
const maximumHashes = 63;
/** Maximum length of a request: the checkpoint, and 63 lines of 44 characters. */
export const maximumAddCharacters = maximumNoteBytes + 4 * 1024;
export const addCheckpointPath = '/add-checkpoint';

type AddCheckpoint = {
  readonly oldSize: number;
  readonly proof: readonly Uint8Array[];
  /** The checkpoint, as a signed note. */
  readonly note: string;
};

export function textOfAddCheckpoint({ oldSize, proof, note }: AddCheckpoint): string {
  return [`old ${oldSize}`, ...proof.map((each) => each.toBase64()), '', note].join('\n');
}

/** Reads the body of a request. Returns undefined if it is malformed. */
function readAddCheckpoint(text: string): AddCheckpoint | undefined {
  const end = text.indexOf('\n\n');
  if (end < 0 || text.length > maximumAddCharacters) return undefined;
  const [oldLine = '', ...encoded] = text.slice(0, end).split('\n');
  const oldSize = oldLine.startsWith('old ') ? readSize(oldLine.slice(4)) : undefined;
  const proof = encoded.map(bytesOfBase64).filter((each) => each?.length === hashBytes);
  if (oldSize === undefined || encoded.length > maximumHashes) return undefined;
  if (proof.length !== encoded.length) return undefined;
  return { oldSize, proof: proof.filter((each) => each !== undefined), note: text.slice(end + 2) };
}

/** Returns the URL path of the newest checkpoint that a witness cosigned for a log. */
export function witnessedPath(hash: Hash, origin: string): string {
  return `/${hash(new TextEncoder().encode(origin)).toHex()}/checkpoint`;
}

export type WitnessAnswer = {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly body: string;
  /** The cosigned checkpoint, which the witness must store before it answers. */
  readonly stored?: { readonly origin: string; readonly note: string };
};

type Witness = {
  readonly key: VerifierKey;
  readonly sign: (message: Uint8Array) => Uint8Array;
  readonly verify: VerifyEd25519;
  readonly hash: Hash;
  /** The keys of the logs that the witness knows. */
  readonly logs: readonly VerifierKey[];
};

/**
 * Answers a request to cosign a checkpoint. `stored` is the last cosigned checkpoint of an origin. Throws an
 * error if the witness did not cosign it for that origin: a witness without its last checkpoint would cosign
 * an older log.
 */
export function cosign(
  { key, sign, verify, hash, logs }: Witness,
  text: string,
  stored: (origin: string) => string | undefined,
  atSeconds: number,
): WitnessAnswer {
  const request = readAddCheckpoint(text);
  const note = request && readNote(request.note);
  const checkpoint = note && readCheckpoint(note.text);
  if (request === undefined || note === undefined || checkpoint === undefined) {
    return { status: 400, body: 'the request is malformed\n' };
  }
  const { origin, size, root } = checkpoint;
  const own = logs.filter(({ name }) => name === origin);
  if (own.length === 0) return { status: 404, body: 'the witness does not know the log\n' };
  const verified = own.map((each) => verifyNote(note, each, verify));
  if (verified.includes('invalid') || !verified.some((each) => typeof each === 'object')) {
    return { status: 403, body: 'the log did not sign the checkpoint\n' };
  }
  const { oldSize, proof } = request;
  if (oldSize > size) return { status: 400, body: 'the old size is above the new size\n' };
  const latest = stored(origin);
  const from =
    latest === undefined
      ? { size: 0, root: hash(new Uint8Array(0)) }
      : cosignedCheckpoint(latest, { origin, key, verify });
  const isFork = size === from.size && !sameBytes(root, from.root);
  if (oldSize !== from.size || isFork) return { status: 409, body: `${from.size}\n` };
  if (!isConsistent(hash, { from, to: { size, root }, proof })) {
    return { status: 422, body: 'the checkpoint does not continue the last checkpoint\n' };
  }
  const ofLog = note.signatures.filter(({ name, keyId }) =>
    own.some((each) => each.name === name && each.id.toHex() === keyId.toHex()),
  );
  const cosigned: SignedNote = {
    text: note.text,
    signatures: [...ofLog, signNote(note.text, key, sign, atSeconds)],
  };
  const whole = textOfNote(cosigned);
  const body = textOfNote({ ...cosigned, signatures: cosigned.signatures.slice(-1) });
  return { status: 200, body: body.slice(note.text.length + 1), stored: { origin, note: whole } };
}

/** Reads a checkpoint that this key cosigned for an origin. Throws an error for any other text. */
export function cosignedCheckpoint(
  text: string,
  { origin, key, verify }: Pick<Witness, 'key' | 'verify'> & { readonly origin: string },
): Checkpoint {
  const note = readNote(text);
  const checkpoint = note && readCheckpoint(note.text);
  const isOwn = note !== undefined && typeof verifyNote(note, key, verify) === 'object';
  if (!isOwn || checkpoint?.origin !== origin) {
    throw new Error(`the last checkpoint of ${origin} was altered in the state of the witness`);
  }
  return checkpoint;
}
