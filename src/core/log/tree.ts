// Growth, proofs and consistency of the Merkle tree of RFC 6962, section 2.1.

import {
  type Hash,
  half,
  hashBytes,
  isTreeSize,
  maximumTreeSize,
  nodeHash,
  sameBytes,
} from './inclusion.ts';

/** The right edge of a tree: its size, and the roots of its complete subtrees, the largest first. */
export type Frontier = { readonly size: number; readonly peaks: readonly Uint8Array[] };

export const emptyFrontier: Frontier = { size: 0, peaks: [] };

/** A complete subtree of 2^level leaves. The first of them has the index `index` · 2^level. */
type Subtree = { readonly level: number; readonly index: number; readonly hash: Uint8Array };

/** Returns true if a frontier has the number of peaks that its size demands. */
export function isFrontier({ size, peaks }: Frontier): boolean {
  const isSize = Number.isSafeInteger(size) && size >= 0 && size <= maximumTreeSize;
  return isSize && peaks.length === bitsOf(size) && peaks.every((p) => p.length === hashBytes);
}

/** Returns the frontier with one more leaf, and the subtrees that the leaf completes, the smallest first. */
export function withLeaf(
  hash: Hash,
  frontier: Frontier,
  leaf: Uint8Array,
): { readonly frontier: Frontier; readonly completed: readonly Subtree[] } {
  const peaks = [...frontier.peaks];
  const completed: Subtree[] = [];
  let subtree: Subtree = { level: 0, index: frontier.size, hash: leaf };
  completed.push(subtree);
  while (subtree.index % 2 === 1) {
    const left = peaks.pop();
    if (left === undefined) throw new Error('a frontier has a peak for each bit of its size');
    const { level, index } = subtree;
    const joined = nodeHash(hash, left, subtree.hash);
    subtree = { level: level + 1, index: (index - 1) / 2, hash: joined };
    completed.push(subtree);
  }
  return { frontier: { size: frontier.size + 1, peaks: [...peaks, subtree.hash] }, completed };
}

/** Returns the root hash; of the empty tree the hash of no bytes. */
export function rootOf(hash: Hash, { peaks }: Frontier): Uint8Array {
  const root = peaks.reduceRight<Uint8Array | undefined>(
    (right, left) => (right === undefined ? left : nodeHash(hash, left, right)),
    undefined,
  );
  return root ?? hash(new Uint8Array(0));
}

/** Names a complete subtree. */
export type SubtreePlace = Pick<Subtree, 'level' | 'index'>;

/** Returns the complete subtrees of a range, whose hashes combine to its hash from right to left. */
function placesOfRange(start: number, end: number): readonly SubtreePlace[] {
  const places: SubtreePlace[] = [];
  for (let at = start; at < end; ) {
    let level = 0;
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level += 1;
    places.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return places;
}

/** Returns the subtrees at the right edge of a tree, the largest first. */
export const placesOfFrontier = (size: number): readonly SubtreePlace[] => placesOfRange(0, size);

/** A proof as lists of subtrees: the hashes of a list, combined from the right, give a hash of the proof. */
type Plan = readonly (readonly SubtreePlace[])[];

/** Returns the plan of an inclusion proof, starting with the sibling of the leaf. */
export function inclusionPlan(index: number, size: number): Plan {
  if (!(index >= 0 && index < size)) throw new Error('a proven entry is in the tree');
  return inclusionIn(index, 0, size);
}

function inclusionIn(index: number, start: number, end: number): Plan {
  if (end - start <= 1) return [];
  const middle = start + splitOf(end - start);
  return index < middle
    ? [...inclusionIn(index, start, middle), placesOfRange(middle, end)]
    : [...inclusionIn(index, middle, end), placesOfRange(start, middle)];
}

/** Returns the plan of a consistency proof; empty if `from` is 0 or equals `to`. */
export function consistencyPlan(from: number, to: number): Plan {
  if (!(from >= 0 && from <= to)) throw new Error('a tree grows');
  return from === 0 || from === to ? [] : consistencyIn(from, 0, to, true);
}

function consistencyIn(from: number, start: number, end: number, isOldTree: boolean): Plan {
  const size = end - start;
  if (from === size) return isOldTree ? [] : [placesOfRange(start, end)];
  const split = splitOf(size);
  const middle = start + split;
  return from <= split
    ? [...consistencyIn(from, start, middle, isOldTree), placesOfRange(middle, end)]
    : [...consistencyIn(from - split, middle, end, false), placesOfRange(start, middle)];
}

/** Returns the hashes of a plan. `hashAt` returns the hash of a complete subtree. */
export function proofOf(hash: Hash, plan: Plan, hashAt: (place: SubtreePlace) => Uint8Array) {
  return plan.map((places) => rootOf(hash, { size: 0, peaks: places.map(hashAt) }));
}

/** Returns true if a proof shows that the tree of `from` is the beginning of the tree of `to`. */
export function isConsistent(
  hash: Hash,
  {
    from,
    to,
    proof,
  }: {
    readonly from: { readonly size: number; readonly root: Uint8Array };
    readonly to: { readonly size: number; readonly root: Uint8Array };
    readonly proof: readonly Uint8Array[];
  },
): boolean {
  if (!isTreeSize(from.size) || !isTreeSize(to.size) || from.size > to.size) return false;
  if (from.size === to.size) return proof.length === 0 && sameBytes(from.root, to.root);
  const none = hash(new Uint8Array(0));
  if (from.size === 0) return proof.length === 0 && sameBytes(from.root, none);
  let node = from.size - 1;
  let last = to.size - 1;
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  // A complete old tree starts the proof with its own root, which the proof omits.
  const [first, ...rest] = node === 0 ? [from.root, ...proof] : proof;
  if (first?.length !== hashBytes) return false;
  let [older, newer] = [first, first];
  for (const sibling of rest) {
    if (last === 0 || sibling.length !== hashBytes) return false;
    if (node % 2 === 1 || node === last) {
      older = nodeHash(hash, sibling, older);
      newer = nodeHash(hash, sibling, newer);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, half(last)];
    } else {
      newer = nodeHash(hash, newer, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && sameBytes(older, from.root) && sameBytes(newer, to.root);
}

/** Returns the largest power of two below a size of 2 or more. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

function bitsOf(value: number): number {
  let bits = 0;
  for (let rest = value; rest > 0; rest = half(rest)) bits += rest % 2;
  return bits;
}
