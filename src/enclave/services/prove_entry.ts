// The inclusion proof of an entry in a tree of the log.

import { publicSha256 } from '../../core/crypto/hashes.ts';
import { isIncluded } from '../../core/log/inclusion.ts';
import { readCheckpoint, readNote } from '../../core/log/note.ts';
import { inclusionPlan, placesOfFrontier, proofOf, rootOf } from '../../core/log/tree.ts';
import { readHashes } from '../records/log_tiles.ts';
import type { TileSource } from '../records/tile_hashes.ts';

/** An entry and the size of the tree that has it. */
export type ProvenPlace = {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  /** The root of the tree. Optional: without it, the hashes of the tree's right edge are read too. */
  readonly root?: Uint8Array | undefined;
};

/** Returns the root that a signed checkpoint names; undefined for a text of another form. */
export function rootOfNote(note: string): Uint8Array | undefined {
  return readCheckpoint(readNote(note)?.text ?? '')?.root;
}

/** Returns the inclusion proof of an entry in the tree with this size; undefined for a missing entry. */
export async function proveEntry(
  rows: TileSource,
  { leaf, index, size, root: known }: ProvenPlace,
): Promise<readonly Uint8Array[] | undefined> {
  if (index >= size) return undefined;
  const plan = inclusionPlan(index, size);
  const places = known === undefined ? placesOfFrontier(size) : [];
  const hashAt = await readHashes(rows, [...plan.flat(), ...places]);
  const root = known ?? rootOf(publicSha256, { size, peaks: places.map(hashAt) });
  const proof = proofOf(publicSha256, plan, hashAt);
  return isIncluded(publicSha256, { leaf, index, size, root, proof }) ? proof : undefined;
}
