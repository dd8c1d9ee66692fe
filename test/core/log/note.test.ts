// Compares signed notes with the published example of the format, and tests their properties.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import {
  bytesOfBase64,
  readCheckpoint,
  readNote,
  readVerifierKey,
  type SignatureType,
  type VerifyEd25519,
  verifierKeyOf,
  verifyNote,
} from '../../../src/core/log/note.ts';
import {
  signNote,
  textOfCheckpoint,
  textOfNote,
  textOfVerifierKey,
} from '../../../src/core/log/note_writer.ts';

const verify: VerifyEd25519 = (signature, message, publicKey) =>
  ed25519.verify(signature, message, publicKey, { zip215: false });

/** The example of the documentation of golang.org/x/mod/sumdb/note. */
const example = {
  key: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  note:
    'If you think cryptography is the answer to your problem,\n' +
    "then you don't know what your problem is.\n" +
    '\n' +
    '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
};

function keyOf(type: SignatureType, name = 'log.example/one') {
  const secret = sha256(new TextEncoder().encode(`${type}/${name}`));
  const key = verifierKeyOf(sha256, { name, type, publicKey: ed25519.getPublicKey(secret) });
  return { key, sign: (message: Uint8Array) => ed25519.sign(message, secret) };
}

test('the published example is read, verified and written byte for byte', () => {
  const key = readVerifierKey(sha256, example.key);
  const note = readNote(example.note);
  assert.ok(key && note);
  assert.deepEqual(verifyNote(note, key, verify), { atSeconds: 0 });
  assert.equal(textOfNote(note), example.note);
  assert.equal(textOfVerifierKey(key), example.key);
});

test('a signature of another text is invalid, and one of an unknown key is ignored', () => {
  const key = readVerifierKey(sha256, example.key);
  const note = readNote(example.note);
  assert.ok(key && note);
  assert.equal(verifyNote({ ...note, text: `${note.text}.\n` }, key, verify), 'invalid');
  assert.equal(verifyNote(note, keyOf('note').key, verify), 'none');
  const [signature] = note.signatures;
  assert.ok(signature);
  const broken = { ...signature, signature: signature.signature.slice(1) };
  assert.equal(verifyNote({ ...note, signatures: [signature, broken] }, key, verify), 'invalid');
});

test('malformed keys and notes are rejected', () => {
  const [name, id, bytes] = example.key.split('+');
  for (const key of [`${name}+${id}`, `${name}+00000000+${bytes}`, `${name}+${id}+${bytes}=`, '']) {
    assert.equal(readVerifierKey(sha256, key), undefined, key);
  }
  const text = example.note;
  const notes = [
    text.slice(0, -1),
    text.replace('—', '-'),
    text.replace('\n\n', '\n'),
    text.replace('If', 'If\t'),
    text.replace('JnAM=\n', 'JnAM=\n\n'),
    `${text}— x  \n`,
    text.replace('x08go', 'x0 8go'),
    `${'x'.repeat(70_000)}${text}`,
  ];
  for (const note of notes) assert.equal(readNote(note), undefined, note.slice(0, 80));
});

test('checkpoints and both kinds of signatures are read back from a note', () => {
  const origin = fc.constantFrom('keywright.example/log', 'log', 'ä.example');
  const size = fc.integer({ min: 0, max: 2 ** 52 });
  const root = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(origin, size, root, fc.nat(), (name, entries, hash, seconds) => {
      const checkpoint = { origin: name, size: entries, root: hash };
      const text = textOfCheckpoint(checkpoint);
      assert.deepEqual(readCheckpoint(text), checkpoint);
      const [log, witness] = [keyOf('note', name), keyOf('cosignature', 'witness')];
      const signatures = [
        signNote(text, log.key, log.sign),
        signNote(text, witness.key, witness.sign, seconds),
      ];
      const note = readNote(textOfNote({ text, signatures }));
      assert.ok(note);
      assert.deepEqual(note, { text, signatures });
      assert.deepEqual(verifyNote(note, log.key, verify), { atSeconds: 0 });
      assert.deepEqual(verifyNote(note, witness.key, verify), { atSeconds: seconds });
      assert.deepEqual(readVerifierKey(sha256, textOfVerifierKey(witness.key)), witness.key);
    }),
    { numRuns: 30 },
  );
});

test('a cosignature with another time is invalid', () => {
  const { key, sign } = keyOf('cosignature', 'witness');
  const text = textOfCheckpoint({ origin: 'log', size: 1, root: sha256(Uint8Array.of(1)) });
  const made = signNote(text, key, sign, 1_700_000_000);
  const altered = { ...made, signature: Uint8Array.from(made.signature) };
  altered.signature[7] = 1;
  assert.equal(verifyNote({ text, signatures: [altered] }, key, verify), 'invalid');
});

test('malformed checkpoints are rejected, and extension lines are ignored', () => {
  const root = sha256(Uint8Array.of(1)).toBase64();
  for (const text of ['', 'log\n1\n', `log\n01\n${root}\n`, `\n1\n${root}\n`, `log\n1\n${root}`]) {
    assert.equal(readCheckpoint(text), undefined, text);
  }
  assert.equal(readCheckpoint(`log\n1\n${root.slice(4)}\n`), undefined);
  assert.equal(readCheckpoint(`log\n1\n${root}\n\n`), undefined);
  assert.equal(readCheckpoint(`log\n1\n${root}\nmore\n`)?.size, 1);
  assert.equal(bytesOfBase64('AB=='), undefined, 'base64 has one spelling');
});
