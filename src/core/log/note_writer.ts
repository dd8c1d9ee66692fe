// Writes signed notes and checkpoints as C2SP defines them. `note.ts` reads them.

import { joined } from './inclusion.ts';
import {
  type Checkpoint,
  cosignedText,
  type NoteSignature,
  type SignedNote,
  signatureTypes,
  timestampBytes,
  type VerifierKey,
} from './note.ts';

/** Returns the text of a verifier key: `<name>+<hex key id>+<base64(type ‖ public key)>`. */
export function textOfVerifierKey({ name, type, publicKey, id }: VerifierKey): string {
  return `${name}+${id.toHex()}+${joined([signatureTypes[type]], publicKey).toBase64()}`;
}

/** Returns the text of a signed note. */
export function textOfNote({ text, signatures }: SignedNote): string {
  const lines = signatures.map(
    ({ name, keyId, signature }) => `— ${name} ${joined(keyId, signature).toBase64()}\n`,
  );
  return `${text}\n${lines.join('')}`;
}

/** Signs a text with a key; `sign` returns an Ed25519 signature. */
export function signNote(
  text: string,
  key: VerifierKey,
  sign: (message: Uint8Array) => Uint8Array,
  atSeconds = 0,
): NoteSignature {
  const { name, id, type } = key;
  if (type === 'note') return { name, keyId: id, signature: sign(new TextEncoder().encode(text)) };
  const stamp = new Uint8Array(timestampBytes);
  new DataView(stamp.buffer).setBigUint64(0, BigInt(atSeconds));
  const signature = joined(stamp, sign(new TextEncoder().encode(cosignedText(text, atSeconds))));
  return { name, keyId: id, signature };
}

/** Returns the text of a checkpoint, which a note signs. */
export function textOfCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toBase64()}\n`;
}
