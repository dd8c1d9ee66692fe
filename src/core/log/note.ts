// Signed notes and checkpoints of C2SP (signed-note, tlog-checkpoint, tlog-cosignature). It imports only
// `inclusion.ts`, so that the enclave and the verifier of receipts can share it.

import { type Hash, hashBytes, joined, maximumTreeSize } from './inclusion.ts';

/** Types of signatures, by the byte before a public key. All are Ed25519. */
export const signatureTypes = { note: 1, cosignature: 4 } as const;
export type SignatureType = keyof typeof signatureTypes;

/** Maximum length of a signed note. */
export const maximumNoteBytes = 64 * 1024;
/** Maximum number of signatures in a note. */
const maximumSignatures = 64;

const publicKeyBytes = 32;
const signatureBytes = 64;
const keyIdBytes = 4;
export const timestampBytes = 8;

/** A key that verifies signatures of one name. */
export type VerifierKey = {
  readonly name: string;
  readonly type: SignatureType;
  readonly publicKey: Uint8Array;
  readonly id: Uint8Array;
};

/** A signature line of a note, with the four bytes of the key ID separated from the signature. */
export type NoteSignature = {
  readonly name: string;
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
};

/** The text ends in a newline. */
export type SignedNote = { readonly text: string; readonly signatures: readonly NoteSignature[] };

/** Verifies an Ed25519 signature. */
export type VerifyEd25519 = (
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
) => boolean;

/** Returns the ID of a key, the four bytes by which a note refers to it. */
function keyIdOf(hash: Hash, name: string, type: SignatureType, publicKey: Uint8Array): Uint8Array {
  const id = hash(joined(bytesOf(`${name}\n`), [signatureTypes[type]], publicKey));
  return id.slice(0, keyIdBytes);
}

/** Returns the verifier key of a public key. */
export function verifierKeyOf(
  hash: Hash,
  { name, type, publicKey }: Omit<VerifierKey, 'id'>,
): VerifierKey {
  return { name, type, publicKey, id: keyIdOf(hash, name, type, publicKey) };
}

/** Parses a verifier key. Returns undefined for a malformed text or an unknown type. */
export function readVerifierKey(hash: Hash, text: string): VerifierKey | undefined {
  const match = /^([^+]+)\+([0-9a-f]{8})\+(.*)$/.exec(text);
  const [, name = '', id = '', encoded = ''] = match ?? [];
  const bytes = bytesOfBase64(encoded);
  if (!isKeyName(name) || bytes?.length !== 1 + publicKeyBytes) return undefined;
  const type = typeOf(bytes[0]);
  if (type === undefined) return undefined;
  const key = verifierKeyOf(hash, { name, type, publicKey: bytes.slice(1) });
  return key.id.toHex() === id ? key : undefined;
}

function typeOf(byte: number | undefined): SignatureType | undefined {
  if (byte === signatureTypes.note) return 'note';
  return byte === signatureTypes.cosignature ? 'cosignature' : undefined;
}

/** Returns true if a text is a valid key name. */
export function isKeyName(name: string): boolean {
  return /^[^\p{White_Space}+]+$/u.test(name) && isNoteText(name);
}

/** Parses a note without verifying its signatures. Returns undefined if it is malformed. */
export function readNote(note: string): SignedNote | undefined {
  if (note.length > maximumNoteBytes || !isNoteText(note) || !note.endsWith('\n')) return undefined;
  const end = note.lastIndexOf('\n\n');
  if (end < 0) return undefined;
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > maximumSignatures) return undefined;
  const signatures = lines.map(readSignature);
  if (!signatures.every((each) => each !== undefined)) return undefined;
  return { text: note.slice(0, end + 1), signatures };
}

/** Parses a signature line, without its newline. Returns undefined if it is malformed. */
function readSignature(line: string): NoteSignature | undefined {
  const [dash, name = '', encoded = '', ...others] = line.split(' ');
  const bytes = bytesOfBase64(encoded);
  if (dash !== '—' || others.length > 0 || !isKeyName(name)) return undefined;
  if (bytes === undefined || bytes.length <= keyIdBytes) return undefined;
  return { name, keyId: bytes.slice(0, keyIdBytes), signature: bytes.slice(keyIdBytes) };
}

/** Returns true if a text contains no control characters of ASCII below U+0020, except newlines. */
function isNoteText(text: string): boolean {
  return text.isWellFormed() && !/[^\n\P{Cc}\x7f-\x9f]/u.test(text);
}

/** A valid signature: the time of a cosignature, or 0 for a plain signature. */
type VerifiedSignature = { readonly atSeconds: number };

/**
 * Verifies the signature of a key; returns `none` if the note has no signature of the key, `invalid` if one
 * fails.
 */
export function verifyNote(
  { text, signatures }: SignedNote,
  key: VerifierKey,
  verify: VerifyEd25519,
): VerifiedSignature | 'none' | 'invalid' {
  const own = signatures.filter(
    ({ name, keyId }) => name === key.name && keyId.toHex() === key.id.toHex(),
  );
  // Anyone can repeat a signature in a note, and each verification takes a millisecond.
  const distinct = new Map(own.map(({ signature }) => [signature.toHex(), signature]));
  let first: VerifiedSignature | undefined;
  for (const signature of distinct.values()) {
    const verified = verifyOne(text, signature, key, verify);
    if (verified === undefined) return 'invalid';
    first ??= verified;
  }
  return first ?? 'none';
}

function verifyOne(
  text: string,
  bytes: Uint8Array,
  { type, publicKey }: VerifierKey,
  verify: VerifyEd25519,
): VerifiedSignature | undefined {
  const stampBytes = type === 'cosignature' ? timestampBytes : 0;
  if (bytes.length !== stampBytes + signatureBytes) return undefined;
  const atSeconds = bytes.subarray(0, stampBytes).reduce((sum, byte) => sum * 256 + byte, 0);
  if (!Number.isSafeInteger(atSeconds)) return undefined;
  const message = type === 'cosignature' ? cosignedText(text, atSeconds) : text;
  const isValid = verify(bytes.subarray(stampBytes), bytesOf(message), publicKey);
  return isValid ? { atSeconds } : undefined;
}

/** Returns the text that a witness signs. */
export function cosignedText(text: string, atSeconds: number): string {
  return `cosignature/v1\ntime ${atSeconds}\n${text}`;
}

/** The name, size and root of a log. */
export type Checkpoint = {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
};

/** Parses a checkpoint; ignores extension lines. Returns undefined if it is malformed. */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const [origin = '', sizeText = '', rootText = '', ...others] = text.split('\n');
  const size = readSize(sizeText);
  const root = bytesOfBase64(rootText);
  if (origin === '' || size === undefined || root?.length !== hashBytes) return undefined;
  // Extension lines are not empty, and the text ends in a newline.
  const isWhole = others.at(-1) === '' && others.slice(0, -1).every((line) => line !== '');
  return isWhole ? { origin, size, root } : undefined;
}

/** Reads a size or an index in decimal, without leading zeros. */
export function readSize(text: string): number | undefined {
  if (!/^(0|[1-9][0-9]{0,15})$/.test(text)) return undefined;
  const size = Number(text);
  return size <= maximumTreeSize ? size : undefined;
}

/** Decodes canonical base64. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  try {
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' });
    return bytes.toBase64() === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
