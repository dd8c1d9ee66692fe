// The tiles of the log: reads hashes of subtrees, and appends to the right edge.

import { concatBytes } from '../../core/base/bytes.ts';
import { publicSha256 } from '../../core/crypto/hashes.ts';
import { assert } from '../../core/errors/errors.ts';
import { leafHash, sameBytes } from '../../core/log/inclusion.ts';
import {
  hashIn,
  lengthOfLevel,
  type TileLevel,
  tileHeight,
  tileOf,
  tileWidth,
} from '../../core/log/tiles.ts';
import {
  emptyFrontier,
  type Frontier,
  placesOfFrontier,
  type SubtreePlace,
  withLeaf,
} from '../../core/log/tree.ts';
import type { LogRows } from './log_rows.ts';
import { nameOfTile, readTiles, refuseTile, type TileSource } from './tile_hashes.ts';

/** Number of tile levels. A log cannot have 256^7 entries. */
const tileLevels = 7;

type ReadTile = Pick<LogRows, 'tile'>;

/** Reads the tiles of complete subtrees; the result returns their hashes. Raises `record_refused`. */
export async function readHashes(
  rows: TileSource,
  places: readonly SubtreePlace[],
): Promise<(place: SubtreePlace) => Uint8Array> {
  const needed = places.map((place) => {
    const { level, index, first, count } = tileOf(place);
    return { level, index, length: first + count };
  });
  const tileAt = await readTiles(rows, needed);
  return (place) => {
    const { level, index, first, count } = tileOf(place);
    return tileAt(level, index).rootAt(first, count);
  };
}

type Edge = { readonly level: TileLevel; readonly index: number; hashes: Uint8Array[] };

export type GrowingTree = {
  size(): number;
  add(entry: Uint8Array): void;
  /** Returns the frontier and the changed tiles. */
  finish(): {
    readonly frontier: Frontier;
    readonly tiles: readonly {
      readonly level: TileLevel;
      readonly index: number;
      readonly hashes: Uint8Array;
    }[];
  };
};

/** Reads the right edge of a tree for appends. Rejects a tile that does not match the frontier. */
export async function growTree(rows: ReadTile, start: Frontier): Promise<GrowingTree> {
  const edges = await readEdges(rows, start);
  const changed = new Set<Edge>();
  let frontier = start;

  function put(level: TileLevel, place: number, hash: Uint8Array): void {
    const index = Math.floor(place / tileWidth);
    const name = nameOfTile(level, index);
    const edge = edges.get(name) ?? { level, index, hashes: [] };
    assert(edge.hashes.length === place % tileWidth, 'a tile grows at its end');
    edge.hashes.push(hash);
    edges.set(name, edge);
    changed.add(edge);
  }

  return {
    size: () => frontier.size,
    add: (entry) => {
      put('entries', frontier.size, entry);
      const added = withLeaf(publicSha256, frontier, leafHash(publicSha256, entry));
      for (const { level, index, hash } of added.completed) {
        if (level % tileHeight === 0) put(level / tileHeight, index, hash);
      }
      frontier = added.frontier;
    },
    finish: () => ({
      frontier,
      tiles: [...changed].map(({ hashes, ...edge }) => ({
        ...edge,
        hashes: concatBytes(...hashes),
      })),
    }),
  };
}

async function readEdges(rows: ReadTile, frontier: Frontier): Promise<Map<string, Edge>> {
  const edges = new Map<string, Edge>();
  const levels: TileLevel[] = ['entries', ...Array.from({ length: tileLevels }, (_, i) => i)];
  for (const level of levels) {
    const length = lengthOfLevel(level, frontier.size);
    const width = length % tileWidth;
    if (width === 0) continue;
    const index = Math.floor(length / tileWidth);
    const tile = await rows.tile(level, index);
    const hashes = Array.from(
      { length: width },
      (_, i) => hashIn(tile, i) ?? refuseTile(level, index),
    );
    if (!fits(frontier, level, hashes)) refuseTile(level, index);
    edges.set(nameOfTile(level, index), {
      level,
      index,
      hashes: hashes.map((each) => each.slice()),
    });
  }
  return edges;
}

/** Returns true if the hashes of a partial tile produce the peaks of the frontier at its levels. */
function fits(frontier: Frontier, level: TileLevel, hashes: readonly Uint8Array[]): boolean {
  const tileLevel = level === 'entries' ? 0 : level;
  const leaves =
    level === 'entries' ? hashes.map((entry) => leafHash(publicSha256, entry)) : hashes;
  const edge = leaves.reduce<Frontier>(
    (grown, each) => withLeaf(publicSha256, grown, each).frontier,
    emptyFrontier,
  );
  const lowest = tileLevel * tileHeight;
  const expected = placesOfFrontier(frontier.size).flatMap((place, i) => {
    const isOfTile = place.level >= lowest && place.level < lowest + tileHeight;
    return isOfTile ? [frontier.peaks[i]] : [];
  });
  return (
    expected.length === edge.peaks.length &&
    edge.peaks.every((peak, i) => {
      const other = expected[i];
      return other !== undefined && sameBytes(peak, other);
    })
  );
}
