// Notes and requests to witnesses as an attacker may alter them. Other implementations must decide the same.

import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import {
  type NoteSignature,
  readCheckpoint,
  readNote,
  type SignedNote,
  type VerifierKey,
  verifierKeyOf,
  verifyNote,
} from '../../src/core/log/note.ts';
import { signNote, textOfCheckpoint, textOfNote } from '../../src/core/log/note_writer.ts';
import { textOfAddCheckpoint } from '../../src/core/log/witness.ts';
import { verifyEd25519 } from '../../src/receipts/signatures.ts';

/** A key with its private half. */
export type Signer = { readonly key: VerifierKey; readonly secret: Uint8Array };

export function signerOf(name: string, type: VerifierKey['type'], secret: Uint8Array): Signer {
  const publicKey = ed25519.getPublicKey(secret);
  return { key: verifierKeyOf(sha256, { name, type, publicKey }), secret };
}

export const signed = (text: string, { key, secret }: Signer, atSeconds?: number): NoteSignature =>
  signNote(text, key, (bytes) => ed25519.sign(bytes, secret), atSeconds);

type Parties = { readonly log: Signer; readonly witness: Signer };

/** Returns the decision about a note: its size and time, or `refused`. */
export function decisionOf(text: string, { log, witness }: Parties): string {
  const note = readNote(text);
  const checkpoint = note && readCheckpoint(note.text);
  if (note === undefined || checkpoint?.origin !== log.key.name) return 'refused';
  const byLog = verifyNote(note, log.key, verifyEd25519);
  const byWitness = verifyNote(note, witness.key, verifyEd25519);
  if (typeof byLog === 'string' || typeof byWitness === 'string') return 'refused';
  return `${checkpoint.size} at ${byWitness.atSeconds}`;
}

const at = 1_700_000_000;

/** Returns notes by what is wrong with them, from a valid checkpoint. */
export function adversarialNotes(
  { log, witness }: Parties,
  size: number,
  root: Uint8Array,
): Readonly<Record<string, string>> {
  const origin = log.key.name;
  const base = textOfCheckpoint({ origin, size, root });
  const both = (text: string, atSeconds = at) => [
    signed(text, log),
    signed(text, witness, atSeconds),
  ];
  const whole = (text: string, signatures = both(text)) => textOfNote({ text, signatures });
  const valid = whole(base);
  const stranger = signerOf(origin, 'note', sha256(Uint8Array.of(1)));
  const other = textOfCheckpoint({ origin, size: size - 1, root });
  const [byLog, byWitness] = both(base) as [NoteSignature, NoteSignature];
  const [, ofOther] = both(other) as [NoteSignature, NoteSignature];
  const spoiled = (of: NoteSignature, place: number): NoteSignature => ({
    ...of,
    signature: of.signature.map((byte, i) => (i === place ? byte ^ 1 : byte)),
  });
  const unknown = (count: number): NoteSignature[] =>
    Array.from({ length: count }, (_, i) =>
      signed(base, signerOf(`unknown.example/${i}`, 'note', sha256(Uint8Array.of(i)))),
    );
  const line = (edit: (line: string) => string) =>
    valid.replace(/^— keywright\.example\/log.*$/m, (found) => edit(found));
  const rootText = root.toBase64();
  return {
    'a valid note': valid,
    'an extension line': whole(`${base}more\n`),
    'two extension lines': whole(`${base}more\nand more\n`),
    'an empty extension line': whole(`${base}\n`),
    'an empty line before an extension line': whole(`${base}\nmore\n`),
    'an extension line that nobody signed': whole(`${base}more\n`, both(base)),
    'another origin': whole(textOfCheckpoint({ origin: 'keywright.example/other', size, root })),
    'an origin with a space at its end': whole(
      textOfCheckpoint({ origin: `${origin} `, size, root }),
    ),
    'an empty origin': whole(textOfCheckpoint({ origin: '', size, root })),
    'the same name with another key': whole(base, [signed(base, stranger), byWitness]),
    'the same name and key ID with another key': whole(base, [
      { ...signed(base, stranger), keyId: log.key.id },
      byWitness,
    ]),
    'the same key ID with another name': whole(base, [
      { ...byLog, name: 'keywright.example/l0g' },
      byWitness,
    ]),
    'a cosignature over another checkpoint': whole(base, [byLog, ofOther]),
    'a cosignature with another time': whole(base, [byLog, spoiled(byWitness, 7)]),
    'a plain signature in place of the cosignature': whole(base, [
      byLog,
      {
        ...signed(base, { ...witness, key: { ...witness.key, type: 'note' } }),
        keyId: witness.key.id,
      },
    ]),
    'a time far ahead': whole(base, both(base, 2 ** 40)),
    'the last exact time': whole(base, both(base, Number.MAX_SAFE_INTEGER)),
    'no cosignature': whole(base, [byLog]),
    'no signature of the log': whole(base, [byWitness]),
    'no signature at all': whole(base, []),
    'each signature twice': whole(base, [byLog, byLog, byWitness, byWitness]),
    'an invalid signature, then the valid one': whole(base, [spoiled(byLog, 0), byLog, byWitness]),
    'the valid signature, then an invalid one': whole(base, [byLog, spoiled(byLog, 0), byWitness]),
    'two cosignatures with different times': whole(base, [
      byLog,
      byWitness,
      signed(base, witness, at + 1),
    ]),
    'fourteen unknown signatures': whole(base, [...unknown(14), byLog, byWitness]),
    'a hundred unknown signatures': whole(base, [...unknown(100), byLog, byWitness]),
    'a size with a leading zero': whole(base.replace(`\n${size}\n`, `\n0${size}\n`)),
    'a size with a sign': whole(base.replace(`\n${size}\n`, `\n+${size}\n`)),
    'a negative size': whole(base.replace(`\n${size}\n`, `\n-${size}\n`)),
    'a size in hexadecimal': whole(base.replace(`\n${size}\n`, '\n0x10\n')),
    'a root of 31 bytes': whole(textOfCheckpoint({ origin, size, root: root.slice(1) })),
    'a root of 33 bytes': whole(
      textOfCheckpoint({ origin, size, root: Uint8Array.of(...root, 0) }),
    ),
    'a root without padding': whole(base.replace(rootText, rootText.replace('=', ''))),
    'a root in base64url': whole(
      textOfCheckpoint({ origin, size, root: new Uint8Array(32).fill(0xff) }).replaceAll('/', '_'),
    ),
    'no newline at the end': valid.slice(0, -1),
    'an empty line at the end': `${valid}\n`,
    'carriage returns': valid.replaceAll('\n', '\r\n'),
    'a tab in an extension line': whole(`${base}a\tb\n`),
    'a zero character in an extension line': whole(`${base}a\0b\n`),
    'the character U+007F in an extension line': whole(`${base}a\u007fb\n`),
    'the character U+0085 in an extension line': whole(`${base}a\u0085b\n`),
    'a hyphen in place of the dash': line((found) => found.replace('—', '-')),
    'two spaces after the dash': line((found) => found.replace('— ', '—  ')),
    'a space after a signature': line((found) => `${found} `),
    'a signature without padding': line((found) => found.replace(/=+$/, '')),
    'a signature of four bytes': line(
      (found) => `${found.split(' ').slice(0, 2).join(' ')} AAAAAA==`,
    ),
    'an unknown name with a plus': line((found) => `— a+b AAAAAAAA\n${found}`),
    'an unknown name with U+00A0': line((found) => `— a\u00a0b AAAAAAAA\n${found}`),
    'an unknown name with U+0085': line((found) => `— a\u0085b AAAAAAAA\n${found}`),
    'an unknown name with U+FEFF': line((found) => `— a\ufeffb AAAAAAAA\n${found}`),
    'text before the note': `text\n${valid}`,
    'another signed note inside the text': whole(`${valid}more\n`),
  };
}

/** Returns requests to a witness whose last checkpoint is `latest`, by what is wrong with them. */
export function adversarialRequests(
  log: Signer,
  {
    latest,
    next,
    proof,
  }: {
    readonly latest: { readonly size: number; readonly root: Uint8Array };
    readonly next: { readonly size: number; readonly root: Uint8Array };
    readonly proof: readonly Uint8Array[];
  },
): Readonly<Record<string, string>> {
  const origin = log.key.name;
  const noteOf = (
    tree: { readonly size: number; readonly root: Uint8Array },
    signer: Signer = log,
    name: string = origin,
  ): string => {
    const text = textOfCheckpoint({ origin: name, ...tree });
    const note: SignedNote = { text, signatures: [signed(text, signer)] };
    return textOfNote(note);
  };
  const request = (oldSize: number, note: string, hashes: readonly Uint8Array[] = proof) =>
    textOfAddCheckpoint({ oldSize, proof: hashes, note });
  const { size } = latest;
  const valid = request(size, noteOf(next));
  const otherRoot = sha256(latest.root);
  const stranger = signerOf(origin, 'note', sha256(Uint8Array.of(2)));
  return {
    'a valid request': valid,
    'the same checkpoint again': request(size, noteOf(latest), []),
    'the same checkpoint with a proof': request(size, noteOf(latest)),
    'the same size with another root': request(size, noteOf({ size, root: otherRoot }), []),
    'an older old size': request(size - 1, noteOf(next)),
    'a newer old size': request(size + 1, noteOf(next)),
    'an old size above the new size': request(next.size + 1, noteOf(next)),
    'an older checkpoint': request(size, noteOf({ size: size - 1, root: otherRoot }), []),
    'an older checkpoint with its own old size': request(
      size - 1,
      noteOf({ size: size - 1, root: otherRoot }),
      [],
    ),
    'the old size zero': request(0, noteOf(next), []),
    'no proof': request(size, noteOf(next), []),
    'a proof without its last hash': request(size, noteOf(next), proof.slice(0, -1)),
    'a proof with one more hash': request(size, noteOf(next), [...proof, otherRoot]),
    'a proof in another order': request(size, noteOf(next), proof.toReversed()),
    '64 hashes': request(
      size,
      noteOf(next),
      Array.from({ length: 64 }, () => otherRoot),
    ),
    'a hash of 31 bytes': request(size, noteOf(next), [otherRoot.slice(1)]),
    'another root': request(size, noteOf({ size: next.size, root: otherRoot })),
    'another origin': request(size, noteOf(next, log, 'keywright.example/other')),
    'the same name with another key': request(size, noteOf(next, stranger)),
    'no old size': valid.replace(/^old /, ''),
    'an old size with a leading zero': valid.replace(/^old /, 'old 0'),
    'two spaces before the old size': valid.replace(/^old /, 'old  '),
    'no empty line': valid.replace('\n\n', '\n'),
    'a note without signatures': valid.slice(0, valid.lastIndexOf('\n\n') + 1),
  };
}
