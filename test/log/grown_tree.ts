import assert from 'node:assert/strict';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { leafHash } from '../../src/core/log/inclusion.ts';
import {
  emptyFrontier,
  type Frontier,
  rootOf,
  type SubtreePlace,
  withLeaf,
} from '../../src/core/log/tree.ts';

/** Grows a tree of entries; returns the root of each size, and the hashes of complete subtrees. */
export function growTree(entries: readonly Uint8Array[]) {
  const hashes = new Map<string, Uint8Array>();
  let frontier: Frontier = emptyFrontier;
  const roots = [rootOf(sha256, frontier)];
  for (const entry of entries) {
    const added = withLeaf(sha256, frontier, leafHash(sha256, entry));
    for (const { level, index, hash } of added.completed) hashes.set(`${level}/${index}`, hash);
    frontier = added.frontier;
    roots.push(rootOf(sha256, frontier));
  }
  const hashAt = ({ level, index }: SubtreePlace) =>
    hashes.get(`${level}/${index}`) ?? assert.fail('a plan names complete subtrees alone');
  return { roots, hashAt };
}
