// The hashes of complete subtrees in the tiles of the log. Recently used tiles stay in memory. The hashes in
// a tile never change, and the enclave verifies each proof against a signed root before it returns it.

import { createRecentCache, type RecentCache } from '../../core/base/lru_cache.ts';
import { publicSha256 } from '../../core/crypto/hashes.ts';
import { hashBytes, nodePrefix } from '../../core/log/inclusion.ts';
import { type TileLevel, tileWidth } from '../../core/log/tiles.ts';
import { logId } from './log_codec.ts';
import { refuseRecord } from './record_codec.ts';

type TileHashes = {
  /** Number of hashes in the tile. */
  readonly width: number;
  /** Returns the root of `count` hashes, a power of two, that begin at a multiple of `count`. */
  rootAt(first: number, count: number): Uint8Array;
};

type RecentTiles = RecentCache<TileHashes>;

/** Maximum number of tiles in memory. Each has up to 16 KiB. */
const maximumTiles = 256;

export const createRecentTiles = (): RecentTiles => createRecentCache<TileHashes>(maximumTiles);

export const nameOfTile = (level: TileLevel, index: number): string => `${level}/${index}`;

export function refuseTile(level: TileLevel, index: number): never {
  const id = nameOfTile(level, index);
  return refuseRecord({ organizationId: logId, kind: 'log_tile', id, version: 0 });
}

/** The part of a tile that a caller uses: its first `length` hashes. */
export type NeededTile = {
  readonly level: TileLevel;
  readonly index: number;
  readonly length: number;
};

/** Source of tiles. The optional `recent` keeps them in memory. */
export type TileSource = {
  /** Returns the existing tiles by name. */
  tiles(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  readonly recent?: RecentTiles;
};

/** Reads the tiles that are not in memory together. Raises `record_refused` for a tile that is too short. */
export async function readTiles(
  { tiles: read, recent }: TileSource,
  needed: readonly NeededTile[],
): Promise<(level: TileLevel, index: number) => TileHashes> {
  const found = new Map<string, TileHashes>();
  const missing = new Set<string>();
  for (const { level, index, length } of needed) {
    const name = nameOfTile(level, index);
    const known = found.get(name) ?? recent?.get(name);
    if (known !== undefined) found.set(name, known);
    if (known === undefined || known.width < length) missing.add(name);
  }
  if (missing.size > 0) {
    for (const [name, tile] of await read([...missing])) {
      const hashes = hashesOf(tile);
      found.set(name, hashes);
      recent?.set(name, hashes);
    }
  }
  const tileAt = (level: TileLevel, index: number) =>
    found.get(nameOfTile(level, index)) ?? refuseTile(level, index);
  for (const { level, index, length } of needed) {
    if (tileAt(level, index).width < length) refuseTile(level, index);
  }
  return tileAt;
}

/** Computes each inner hash of a tile when it is first used. */
function hashesOf(tile: Uint8Array): TileHashes {
  const width = Math.floor(tile.length / hashBytes);
  // The hash of the subtree at `place` of a level with `length` subtrees is at `length + place`.
  const nodes = new Uint8Array(tileWidth * hashBytes);
  const isComputed = new Uint8Array(tileWidth);
  const input = new Uint8Array(nodePrefix.length + 2 * hashBytes);
  input.set(nodePrefix);

  function rootAt(first: number, count: number): Uint8Array {
    if (count === 1) return hashAt(tile, first);
    const node = (tileWidth + first) / count;
    if (isComputed[node] === 0) {
      const left = rootAt(first, count / 2);
      const right = rootAt(first + count / 2, count / 2);
      input.set(left, nodePrefix.length);
      input.set(right, nodePrefix.length + hashBytes);
      nodes.set(publicSha256(input), node * hashBytes);
      isComputed[node] = 1;
    }
    return hashAt(nodes, node);
  }

  return { width, rootAt };
}

const hashAt = (hashes: Uint8Array, place: number): Uint8Array =>
  hashes.subarray(place * hashBytes, (place + 1) * hashBytes);
