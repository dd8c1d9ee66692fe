// Hashes of the Merkle tree of RFC 6962, section 2.1, and the check of inclusion proofs. The enclave and the
// verifier of receipts share this file. It has no imports, and each caller passes its own SHA-256.

/** SHA-256. */
export type Hash = (bytes: Uint8Array) => Uint8Array;

/** Length of a hash. */
export const hashBytes = 32;
/** Maximum number of entries in a tree; indexes stay exact numbers. */
export const maximumTreeSize = 2 ** 52;

const leafPrefix = Uint8Array.of(0);
export const nodePrefix = Uint8Array.of(1);

/** Returns the hash of an entry. */
export function leafHash(hash: Hash, entry: Uint8Array): Uint8Array {
  return hash(joined(leafPrefix, entry));
}

/** Returns the hash of an inner node. */
export function nodeHash(hash: Hash, left: Uint8Array, right: Uint8Array): Uint8Array {
  return hash(joined(nodePrefix, left, right));
}

type LeafPlace = Readonly<Record<'leaf' | 'root', Uint8Array> & Record<'index' | 'size', number>>;

/** Returns true if a proof shows that a leaf is the entry `index` of the tree with this size and root. */
export function isIncluded(
  hash: Hash,
  { leaf, index, size, root, proof }: LeafPlace & { readonly proof: readonly Uint8Array[] },
): boolean {
  if (!isTreeSize(index) || !isTreeSize(size) || index >= size) return false;
  let node = index;
  let last = size - 1;
  let joined = leaf;
  for (const sibling of proof) {
    if (last === 0 || sibling.length !== hashBytes) return false;
    if (node % 2 === 1 || node === last) {
      joined = nodeHash(hash, sibling, joined);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, half(last)];
    } else {
      joined = nodeHash(hash, joined, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && sameBytes(joined, root);
}

/** Returns half of a whole number, rounded down. */
export const half = (value: number): number => Math.floor(value / 2);

/** Returns true for a valid size of a tree. */
export function isTreeSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= maximumTreeSize;
}

/** Compares hashes, which are public. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Concatenates the parts. */
export function joined(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
