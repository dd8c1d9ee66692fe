// A witness: its answers by the protocol, and its state, which survives a restart.

import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { readNote, readVerifierKey, verifierKeyOf, verifyNote } from '../../src/core/log/note.ts';
import {
  signNote,
  textOfCheckpoint,
  textOfNote,
  textOfVerifierKey,
} from '../../src/core/log/note_writer.ts';
import { consistencyPlan, proofOf } from '../../src/core/log/tree.ts';
import {
  addCheckpointPath,
  textOfAddCheckpoint,
  witnessedPath,
} from '../../src/core/log/witness.ts';
import { verifyEd25519 } from '../../src/receipts/signatures.ts';
import { createWitness, newWitnessKey } from '../../src/receipts/witness.ts';
import { folderOfTests, runIn } from '../cli/terminal.ts';
import { growTree } from '../log/grown_tree.ts';

const origin = 'keywright.example/log/1';
const seed = sha256(Uint8Array.of(9));
const logKey = verifierKeyOf(sha256, {
  name: origin,
  type: 'note',
  publicKey: ed25519.getPublicKey(seed),
});
const policy = `log ${textOfVerifierKey(logKey)}\nquorum none\n`;
const entriesOf = (count: number, mark = 0) =>
  Array.from({ length: count }, (_, i) => sha256(Uint8Array.of(i, mark)));
const main = growTree(entriesOf(40));
const fork = growTree([...entriesOf(8), ...entriesOf(32, 1)]);
type Grown = typeof main;

const noteOf = ({ roots }: Grown, size: number, secret = seed, name = origin): string => {
  const root = roots[size] ?? assert.fail();
  const text = textOfCheckpoint({ origin: name, size, root });
  const key = verifierKeyOf(sha256, { ...logKey, name });
  const sign = (message: Uint8Array) => ed25519.sign(message, secret);
  return textOfNote({ text, signatures: [signNote(text, key, sign)] });
};
const proofBetween = ({ hashAt }: Grown, from: number, to: number) =>
  proofOf(sha256, consistencyPlan(from, to), hashAt);
const request = (from: number, to: number, tree = main) =>
  textOfAddCheckpoint({
    oldSize: from,
    proof: from === 0 ? [] : proofBetween(tree, from, to),
    note: noteOf(tree, to),
  });

function started() {
  const notes = new Map<string, string>();
  const privateKey = newWitnessKey('witness.example');
  const witness = createWitness(privateKey, policy, {
    read: (name) => notes.get(name),
    write: (name, note) => notes.set(name, note),
    origins: () => [...notes.keys()],
  });
  return { witness, notes, privateKey };
}

test('a witness cosigns what continues its last checkpoint, and nothing else', () => {
  const { witness, notes } = started();
  const steps: readonly (readonly [string, string, number, string?])[] = [
    ['the first checkpoint', request(0, 8), 200],
    ['an old size that it left', request(0, 9), 409, '8\n'],
    ['a larger tree', request(8, 13), 200],
    ['the same tree again', request(13, 13), 200],
    ['another tree of the same size', request(13, 13, fork), 409, '13\n'],
    ['a tree that forks before', request(13, 20, fork), 422],
    ['a tree without its proof', request(13, 20).replace(/\n[^\n]+/, ''), 422],
    ['a smaller tree', request(13, 13).replace(noteOf(main, 13), noteOf(main, 9)), 400],
    ['an old size that it never had', request(14, 20), 409, '13\n'],
    [
      'another signature',
      request(13, 20).replace(noteOf(main, 20), noteOf(main, 20, sha256(seed))),
      403,
    ],
    ['another log', request(13, 20).replaceAll(origin, 'other.example'), 404],
    ['no request', 'old x\n\n', 400],
    ['too many hashes', request(13, 20).replace('\n\n', `\n${'A'.repeat(43)}=`.repeat(64)), 400],
    ['the next tree', request(13, 40), 200],
  ];
  for (const [name, body, status, answered] of steps) {
    const before = notes.get(origin);
    const answer = witness.add(body, 1_700_000_000);
    assert.equal(answer.status, status, `${name}: ${answer.body}`);
    if (answered !== undefined) assert.equal(answer.body, answered, name);
    if (status !== 200) assert.equal(notes.get(origin), before, name);
  }
  const key = readVerifierKey(sha256, witness.verifierKey);
  const note = readNote(witness.at(witnessedPath(sha256, origin)) ?? '');
  assert.ok(key && note);
  assert.deepEqual(verifyNote(note, key, verifyEd25519), { atSeconds: 1_700_000_000 });
  assert.deepEqual(verifyNote(note, logKey, verifyEd25519), { atSeconds: 0 });
});

test('copies of a signature are checked once, and a wrong one ends the checks', () => {
  const note = readNote(noteOf(main, 8)) ?? assert.fail();
  const [signature] = note.signatures;
  assert(signature !== undefined);
  let checks = 0;
  const counted: typeof verifyEd25519 = (...given) => {
    checks += 1;
    return verifyEd25519(...given);
  };
  const copies = { ...note, signatures: Array.from({ length: 64 }, () => signature) };
  assert.deepEqual(verifyNote(copies, logKey, counted), { atSeconds: 0 });
  assert.equal(checks, 1);
  const wrong = Array.from({ length: 63 }, (_, i) => ({
    ...signature,
    signature: signature.signature.with(0, (signature.signature[0] ?? 0) ^ (i + 1)),
  }));
  const mixed = { ...note, signatures: [signature, ...wrong] };
  assert.equal(verifyNote(mixed, logKey, counted), 'invalid');
  assert.equal(checks, 3);
});

test('of two heads of one size one is cosigned, whatever comes in between', () => {
  const { witness } = started();
  const cosigned = new Map<number, string>();
  let last = 0;
  for (let i = 0; i < 400; i += 1) {
    const tree = i % 3 === 0 ? fork : main;
    const size = 1 + ((i * 7) % 40);
    const from = i % 2 === 0 ? Math.min(last, size) : size;
    const { status } = witness.add(request(from, size, tree), 1_700_000_000 + i);
    if (status !== 200) continue;
    const root = (tree.roots[size] ?? assert.fail()).toHex();
    assert.ok(size >= last, `${size} after ${last}`);
    assert.equal(cosigned.get(size) ?? root, root);
    cosigned.set(size, root);
    last = size;
  }
  assert.ok(cosigned.size > 1);
});

test('a witness does not start from a stored checkpoint that it did not cosign for that log', () => {
  const { witness, notes, privateKey } = started();
  assert.equal(witness.add(request(0, 13), 1_700_000_000).status, 200);
  const stored = notes.get(origin) ?? assert.fail();
  const altered: Readonly<Record<string, string>> = {
    'an empty text': '',
    'no note': 'damaged',
    'a note without its cosignature': noteOf(main, 13),
    'another tree of its size': stored.replace(noteOf(main, 13), noteOf(fork, 13)),
    'an earlier size': stored.replace(noteOf(main, 13), noteOf(main, 8)),
    'the checkpoint of another log': stored.replaceAll(origin, 'other.example'),
    'another cosignature': `${stored.slice(0, -12)}${stored.at(-12) === 'A' ? 'B' : 'A'}${stored.slice(-11)}`,
  };
  const startWith = (text: string, name = origin) =>
    createWitness(privateKey, policy, {
      read: () => text,
      write: () => assert.fail('nothing is cosigned'),
      origins: () => [name],
    });
  for (const [name, text] of Object.entries(altered)) {
    assert.throws(() => startWith(text), /altered/, name);
  }
  assert.throws(() => startWith(stored, 'other.example'), /altered/);
  assert.equal(startWith(stored).add(request(0, 8), 1_700_000_001).status, 409);
});

test('a witness answers nothing while its stored checkpoint is unreadable', () => {
  const { witness, notes } = started();
  assert.equal(witness.add(request(0, 13), 1_700_000_000).status, 200);
  notes.set(origin, 'damaged');
  assert.throws(() => witness.add(request(0, 8, fork), 1_700_000_001), /altered/);
});

test('keywright witness serves the protocol, and its file of state outlives it', async () => {
  const folder = folderOfTests();
  const trust = join(folder, 'policy.txt');
  const state = join(folder, 'witness.json');
  writeFileSync(trust, policy);
  const words = [
    'witness',
    '--trust',
    trust,
    '--state',
    state,
    '--name',
    'w.example',
    '--port',
    '0',
  ];
  const started = async () => {
    const end = new AbortController();
    const printed = Promise.withResolvers<string>();
    const ran = runIn(folder, [...words, '--json'], { signal: end.signal, out: printed.resolve });
    ran.then(({ err }) => printed.reject(new Error(err)), printed.reject);
    const { url, key } = JSON.parse(await printed.promise);
    const post = (body: string) => fetch(`${url}${addCheckpointPath}`, { method: 'POST', body });
    const stop = async () => {
      end.abort();
      await ran;
    };
    return { url, key, post, stop };
  };
  const first = await started();
  assert.equal((await first.post(request(0, 8))).status, 200);
  const second = await runIn(folder, words);
  assert.notEqual(second.code, 0, 'a second process must not own the state');
  await first.stop();
  assert.equal(statSync(state).mode & 0o777, 0o600);
  const again = await started();
  try {
    assert.equal(again.key, first.key);
    const refused = await again.post(request(0, 8, fork));
    assert.deepEqual([refused.status, await refused.text()], [409, '8\n']);
    assert.equal(refused.headers.get('content-type'), 'text/x.tlog.size');
    const grown = await again.post(request(8, 40));
    assert.equal(grown.status, 200);
    const key = readVerifierKey(sha256, again.key);
    const note = readNote(noteOf(main, 40) + (await grown.text()));
    assert.ok(key && note);
    assert.equal(typeof verifyNote(note, key, verifyEd25519), 'object');
    const shown = await fetch(`${again.url}${witnessedPath(sha256, origin)}`);
    assert.ok((await shown.text()).startsWith(`${origin}\n40\n`));
    assert.equal((await fetch(`${again.url}/nothing`)).status, 404);
  } finally {
    await again.stop();
  }
  const whole = readFileSync(state, 'utf8');
  const { logs, ...rest } = JSON.parse(whole);
  const alterations = [
    whole.replace('PRIVATE', 'PUBLIC'),
    whole.replace(`${origin}\\n40\\n`, `${origin}\\n8\\n`),
    JSON.stringify(rest),
    JSON.stringify({ ...rest, logs: null }),
    JSON.stringify({ ...rest, logs: Object.values(logs) }),
    JSON.stringify({ ...rest, logs: { 'other.example': logs[origin] } }),
  ];
  for (const altered of alterations) {
    assert.notEqual(altered, whole);
    writeFileSync(state, altered);
    const broken = await runIn(folder, words, { signal: AbortSignal.timeout(10_000) });
    assert.equal(broken.code, 2, `${altered}: ${broken.out}${broken.err}`);
  }
});
