// The inclusion proof of an entry in a tree of the log.

import { sha256 } from '../../core/crypto/hashes.ts';
import { isIncluded } from '../../core/log/inclusion.ts';
import { inclusionPlan, placesOfFrontier, proofOf, rootOf } from '../../core/log/tree.ts';
import type { LogRows } from '../records/log_rows.ts';
import { readHashes } from '../records/log_tiles.ts';

/** An entry and the size of the tree that has it. */
export type ProvenPlace = {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  /** The peaks of the tree, if the caller knows them. */
  readonly peaks?: readonly Uint8Array[] | undefined;
};

/** Returns the inclusion proof of an entry in the tree with this size; undefined for a missing entry. */
export async function proveEntry(
  rows: Pick<LogRows, 'tile' | 'subtrees'>,
  { leaf, index, size, peaks }: ProvenPlace,
): Promise<readonly Uint8Array[] | undefined> {
  if (index >= size) return undefined;
  const plan = inclusionPlan(index, size);
  const places = peaks === undefined ? placesOfFrontier(size) : [];
  const hashAt = await readHashes(rows, [...plan.flat(), ...places]);
  const root = rootOf(sha256, { size, peaks: peaks ?? places.map(hashAt) });
  const proof = proofOf(sha256, plan, hashAt);
  return isIncluded(sha256, { leaf, index, size, root, proof }) ? proof : undefined;
}
