// Compares the tree with the vectors of RFC 6962's reference implementation, and tests its properties.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { isIncluded, leafHash } from '../../../src/core/log/inclusion.ts';
import {
  consistencyPlan,
  emptyFrontier,
  type Frontier,
  inclusionPlan,
  isConsistent,
  isFrontier,
  placesOfFrontier,
  proofOf,
  rootOf,
  type SubtreePlace,
  withLeaf,
} from '../../../src/core/log/tree.ts';

/** Leaves and roots of the reference implementation (certificate-transparency, merkle_tree_test). */
const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'].concat(
  '606162636465666768696a6b6c6d6e6f',
);
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

type Grown = { readonly frontier: Frontier; readonly hashes: ReadonlyMap<string, Uint8Array> };

const nameOf = ({ level, index }: SubtreePlace): string => `${level}/${index}`;

function grow(entries: readonly Uint8Array[]): readonly Grown[] {
  const hashes = new Map<string, Uint8Array>();
  let frontier = emptyFrontier;
  const states: Grown[] = [{ frontier, hashes }];
  for (const entry of entries) {
    const added = withLeaf(sha256, frontier, leafHash(sha256, entry));
    for (const each of added.completed) hashes.set(nameOf(each), each.hash);
    frontier = added.frontier;
    states.push({ frontier, hashes });
  }
  return states;
}

function hashAt({ hashes }: Grown) {
  return (place: SubtreePlace): Uint8Array => {
    const found = hashes.get(nameOf(place));
    assert.ok(found, 'a plan names complete subtrees alone');
    return found;
  };
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => Uint8Array.of(i, i >> 8));
const states = grow(numbered(300));
const stateOf = (size: number): Grown => states[size] ?? assert.fail('the tree has this size');
const rootAt = (size: number): Uint8Array => rootOf(sha256, stateOf(size).frontier);

test('the roots equal those of the reference implementation', () => {
  const grown = grow(leaves.map((leaf) => Uint8Array.fromHex(leaf)));
  assert.deepEqual(
    grown.map(({ frontier }) => rootOf(sha256, frontier).toHex()),
    roots,
  );
});

test('a frontier has the hashes of the subtrees of its size', () => {
  for (const [size, state] of states.entries()) {
    assert.ok(isFrontier(state.frontier));
    const peaks = placesOfFrontier(size).map(hashAt(state));
    assert.deepEqual(state.frontier.peaks, peaks);
  }
  assert.equal(isFrontier({ size: 3, peaks: [rootAt(1)] }), false);
  assert.equal(isFrontier({ size: 1, peaks: [new Uint8Array(31)] }), false);
  assert.equal(isFrontier({ size: -1, peaks: [] }), false);
});

const treeSize = fc.integer({ min: 1, max: 300 });
const indexIn = (size: number, seed: number) => seed % size;

test('an inclusion proof proves its leaf at its index, and no other', () => {
  fc.assert(
    fc.property(treeSize, fc.nat(), fc.nat(), fc.nat(), (size, seed, other, flip) => {
      const index = indexIn(size, seed);
      const proof = proofOf(sha256, inclusionPlan(index, size), hashAt(stateOf(size)));
      const leaf = hashAt(stateOf(size))({ level: 0, index });
      const shown = { leaf, index, size, root: rootAt(size), proof };
      assert.ok(isIncluded(sha256, shown));
      const elsewhere = indexIn(size, other);
      assert.equal(isIncluded(sha256, { ...shown, index: elsewhere }), elsewhere === index);
      assert.equal(isIncluded(sha256, { ...shown, proof: [...proof, leaf] }), false);
      assert.equal(isIncluded(sha256, { ...shown, leaf: rootAt(0) }), false);
      if (proof.length === 0) return;
      assert.equal(isIncluded(sha256, { ...shown, proof: proof.slice(1) }), false);
      const at = flip % proof.length;
      const flipped = proof.map((hash, i) => (i === at ? flippedBit(hash, flip) : hash));
      assert.equal(isIncluded(sha256, { ...shown, proof: flipped }), false);
    }),
  );
});

test('a consistency proof proves that a tree begins with another, and with no other tree', () => {
  fc.assert(
    fc.property(treeSize, fc.nat(), fc.nat(), (size, seed, flip) => {
      const before = indexIn(size + 1, seed);
      const proof = proofOf(sha256, consistencyPlan(before, size), hashAt(stateOf(size)));
      const from = { size: before, root: rootAt(before) };
      const to = { size, root: rootAt(size) };
      assert.ok(isConsistent(sha256, { from, to, proof }));
      const altered = { ...from, root: flippedBit(from.root, flip) };
      assert.equal(isConsistent(sha256, { from: altered, to, proof }), false);
      const alteredTo = { ...to, root: flippedBit(to.root, flip) };
      // Any tree continues the empty tree.
      const continuesAny = before === 0 && size > 0;
      assert.equal(isConsistent(sha256, { from, to: alteredTo, proof }), continuesAny);
      assert.equal(isConsistent(sha256, { from: to, to: from, proof }), before === size);
      if (proof.length === 0) return;
      assert.equal(isConsistent(sha256, { from, to, proof: proof.slice(1) }), false);
      assert.equal(isConsistent(sha256, { from, to, proof: [...proof, from.root] }), false);
    }),
  );
});

test('invalid sizes prove nothing', () => {
  const leaf = hashAt(stateOf(1))({ level: 0, index: 0 });
  const shown = { leaf, index: 0, size: 1, root: rootAt(1), proof: [] };
  assert.ok(isIncluded(sha256, shown));
  for (const size of [0, -1, 0.5, Number.NaN, 2 ** 60]) {
    assert.equal(isIncluded(sha256, { ...shown, size }), false);
    const from = { size, root: rootAt(1) };
    assert.equal(isConsistent(sha256, { from, to: from, proof: [] }), size === 0);
  }
  assert.throws(() => inclusionPlan(1, 1), /in the tree/);
  assert.throws(() => consistencyPlan(2, 1), /grows/);
});

function flippedBit(bytes: Uint8Array, at: number): Uint8Array {
  const flipped = Uint8Array.from(bytes);
  const place = Math.floor(at / 8) % bytes.length;
  flipped[place] = (flipped[place] ?? 0) ^ (1 << (at % 8));
  return flipped;
}
