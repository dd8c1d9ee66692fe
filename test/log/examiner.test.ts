// Notes, proofs and tiles against golang.org/x/mod, and cosignatures against torchwood: each implementation
// reads the output of the other.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { isIncluded } from '../../src/core/log/inclusion.ts';
import {
  readCheckpoint,
  readNote,
  readVerifierKey,
  verifierKeyOf,
  verifyNote,
} from '../../src/core/log/note.ts';
import {
  signNote,
  textOfCheckpoint,
  textOfNote,
  textOfVerifierKey,
} from '../../src/core/log/note_writer.ts';
import { tileOf } from '../../src/core/log/tiles.ts';
import {
  consistencyPlan,
  inclusionPlan,
  isConsistent,
  proofOf,
  type SubtreePlace,
} from '../../src/core/log/tree.ts';
import { cosign } from '../../src/core/log/witness.ts';
import { verifyEd25519 } from '../../src/receipts/signatures.ts';
import { temporaryDirectory } from '../store/temporary_directory.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { adversarialNotes, adversarialRequests, decisionOf, signed } from './adversarial_notes.ts';
import { growTree } from './grown_tree.ts';

type Proof = { readonly index: number; readonly size: number; readonly hashes: readonly string[] };

type Answer = {
  readonly complaints: readonly string[];
  readonly key: string;
  readonly note: string;
  readonly roots: readonly string[];
  readonly inclusions: readonly Proof[];
  readonly consistency: readonly Proof[];
  readonly witnessKey: string;
  readonly cosigned: string;
  readonly decisions: readonly string[];
  readonly statuses: readonly number[];
};

/**
 * Notes that the packages of Go accept and this verifier refuses. The specification of signed notes demands
 * or allows each refusal.
 */
const stricter: ReadonlySet<string> = new Set([
  // Packages of Go verify only the first signature of a key.
  'the valid signature, then an invalid one',
]);

const entryCount = 600;
const isThere = spawnSync('go', ['version']).status === 0;
const { test } = testsThatNeed(isThere ? undefined : 'go is not installed');

test('golang.org/x/mod and torchwood agree about roots, proofs, tiles, notes and cosignatures', (context) => {
  const folder = temporaryDirectory();
  context.after(folder.remove);
  const examiner = join(folder.path, 'examiner');
  execFileSync('go', ['build', '-C', join(import.meta.dirname, 'go'), '-o', examiner, '.']);

  const entries = Array.from({ length: entryCount }, (_, i) => sha256(Uint8Array.of(i, i >> 8)));
  const { roots, hashAt } = growTree(entries);
  const rootAt = (size: number) => roots[size] ?? assert.fail('the tree has this size');
  const secret = sha256(Uint8Array.of(7));
  const name = 'keywright.example/log/1';
  const publicKey = ed25519.getPublicKey(secret);
  const key = verifierKeyOf(sha256, { name, type: 'note', publicKey });
  const text = textOfCheckpoint({ origin: name, size: entryCount, root: rootAt(entryCount) });
  const note = { text, signatures: [signNote(text, key, (bytes) => ed25519.sign(bytes, secret))] };
  const witnessName = 'keywright.example/witness';
  const witnessKey = verifierKeyOf(sha256, { name: witnessName, type: 'cosignature', publicKey });
  const cosignature = signNote(
    text,
    witnessKey,
    (bytes) => ed25519.sign(bytes, secret),
    1_700_000_000,
  );
  const cosigned = { text, signatures: [...note.signatures, cosignature] };
  const base64 = (hashes: readonly Uint8Array[]) => hashes.map((hash) => hash.toBase64());
  const pairs = [1, 2, 3, 7, 8, 255, 256, 257, 513, entryCount].flatMap((size) =>
    [0, 1, 5, 255, 256, 511, size - 1].filter((i) => i < size).map((index) => ({ index, size })),
  );

  const log = { key, secret };
  const parties = { log, witness: { key: witnessKey, secret } };
  const notes = adversarialNotes(parties, entryCount, rootAt(entryCount));
  const latest = { size: 300, root: rootAt(300) };
  const next = { size: entryCount, root: rootAt(entryCount) };
  const proof = proofOf(sha256, consistencyPlan(latest.size, next.size), hashAt);
  const requests = adversarialRequests(log, { latest, next, proof });

  const said: Answer = JSON.parse(
    execFileSync(examiner, {
      encoding: 'utf8',
      input: JSON.stringify({
        key: textOfVerifierKey(key),
        note: textOfNote(note),
        entries: base64(entries),
        roots: base64(roots),
        inclusions: pairs.map(({ index, size }) => ({
          index,
          size,
          hashes: base64(proofOf(sha256, inclusionPlan(index, size), hashAt)),
        })),
        consistency: pairs
          .filter(({ index }) => index > 0)
          .map(({ index, size }) => ({
            index,
            size,
            hashes: base64(proofOf(sha256, consistencyPlan(index, size), hashAt)),
          })),
        tiles: tilesOf(hashAt),
        witnessName,
        witnessSeed: secret.toBase64(),
        cosigned: textOfNote(cosigned),
        cosignedKey: textOfVerifierKey(witnessKey),
        notes: Object.values(notes),
        requests: Object.values(requests),
        latest: textOfCheckpoint({ origin: name, ...latest }),
      }),
    }),
  );

  assert.deepEqual(said.complaints, []);
  const accepted = Object.entries(notes).map(([what, each], i) => {
    const own = decisionOf(each, parties);
    const theirs = said.decisions[i];
    assert.equal(own, stricter.has(what) ? 'refused' : theirs, what);
    if (stricter.has(what)) assert.notEqual(theirs, 'refused', what);
    return own !== 'refused';
  });
  assert.ok(accepted.includes(true) && accepted.filter((each) => !each).length >= 20);
  const witness = {
    key: witnessKey,
    sign: (message: Uint8Array) => ed25519.sign(message, secret),
    verify: verifyEd25519,
    hash: sha256,
    logs: [key],
  };
  const text300 = textOfCheckpoint({ origin: name, ...latest });
  const cosigned300 = textOfNote({
    text: text300,
    signatures: [signed(text300, log), signNote(text300, witnessKey, witness.sign, 1_700_000_000)],
  });
  for (const [i, [what, each]] of Object.entries(requests).entries()) {
    const { status } = cosign(witness, each, () => cosigned300, 1_700_000_000);
    assert.equal(status, said.statuses[i], what);
  }
  assert.deepEqual(said.roots, base64(roots));
  const hashesOf = ({ hashes }: Proof) => hashes.map((hash) => Uint8Array.fromBase64(hash));
  for (const theirs of said.inclusions) {
    const { index, size } = theirs;
    const leaf = hashAt({ level: 0, index });
    const shown = { leaf, index, size, root: rootAt(size), proof: hashesOf(theirs) };
    assert.ok(isIncluded(sha256, shown), `entry ${index} of ${size}`);
  }
  for (const theirs of said.consistency) {
    const [from, to] = [theirs.index, theirs.size].map((size) => ({ size, root: rootAt(size) }));
    assert.ok(from && to);
    assert.ok(
      isConsistent(sha256, { from, to, proof: hashesOf(theirs) }),
      `${from.size} ${to.size}`,
    );
  }
  const theirKey = readVerifierKey(sha256, said.key);
  const theirNote = readNote(said.note);
  assert.ok(theirKey && theirNote);
  const verified = verifyNote(theirNote, theirKey, verifyEd25519);
  assert.deepEqual(verified, { atSeconds: 0 });
  const theirWitness = readVerifierKey(sha256, said.witnessKey);
  const theirCosigned = readNote(said.cosigned);
  assert.ok(theirWitness && theirCosigned);
  const seen = verifyNote(theirCosigned, theirWitness, verifyEd25519);
  assert.ok(typeof seen === 'object' && seen.atSeconds > 1_700_000_000);
  assert.deepEqual(theirCosigned.signatures[0], note.signatures[0]);
  const checkpoint = readCheckpoint(theirNote.text);
  assert.deepEqual(checkpoint?.root, rootAt(entryCount));
});

/** Returns the tiles of the log in the layout of `tileOf`. */
function tilesOf(hashAt: (place: SubtreePlace) => Uint8Array) {
  const tiles = new Map<string, { level: number; index: number; hashes: Uint8Array[] }>();
  for (const [tileLevel, level, count] of [
    [0, 0, entryCount],
    [1, 8, Math.floor(entryCount / 256)],
  ] as const) {
    for (let index = 0; index < count; index += 1) {
      const place = tileOf({ level, index });
      assert.equal(place.level, tileLevel);
      const name = `${place.level}/${place.index}`;
      const tile = tiles.get(name) ?? { level: place.level, index: place.index, hashes: [] };
      assert.equal(tile.hashes.length, place.first);
      tile.hashes.push(hashAt({ level, index }));
      tiles.set(name, tile);
    }
  }
  return [...tiles.values()].map(({ level, index, hashes }) => ({
    level,
    index,
    width: hashes.length,
    bytes: Buffer.concat(hashes).toString('base64'),
  }));
}
