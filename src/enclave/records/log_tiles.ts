// The tiles of the log: reads hashes of subtrees, and appends to the right edge.

import { concatBytes } from '../../core/base/bytes.ts';
import { sha256 } from '../../core/crypto/hashes.ts';
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
  rootOf,
  type SubtreePlace,
  withLeaf,
} from '../../core/log/tree.ts';
import { logId } from './log_codec.ts';
import type { LogRows } from './log_rows.ts';
import { refuseRecord } from './record_codec.ts';

/** Number of tile levels. A log cannot have 256^7 entries. */
const tileLevels = 7;

type ReadTile = Pick<LogRows, 'tile' | 'subtrees'>;

const nameOf = (level: TileLevel, index: number): string => `${level}/${index}`;

function refuseTile(level: TileLevel, index: number): never {
  return refuseRecord({
    organizationId: logId,
    kind: 'log_tile',
    id: nameOf(level, index),
    version: 0,
  });
}

/** Reads the tiles of complete subtrees; the result returns their hashes. Raises `record_refused`. */
export async function readHashes(
  { tile: read, subtrees }: ReadTile,
  places: readonly SubtreePlace[],
): Promise<(place: SubtreePlace) => Uint8Array> {
  const tiles = new Map<string, Uint8Array>();
  const found = new Map<string, Uint8Array>();
  for (const place of places) {
    const { level, index, first, count } = tileOf(place);
    const name = nameOf(level, index);
    const subtree = `${name}/${first}/${count}`;
    const known = found.get(subtree) ?? subtrees?.get(subtree);
    if (known !== undefined) {
      found.set(subtree, known);
      continue;
    }
    const tile = tiles.get(name) ?? (await read(level, index));
    tiles.set(name, tile);
    const hash = joined(
      Array.from({ length: count }, (_, i) => hashIn(tile, first + i) ?? refuseTile(level, index)),
    );
    found.set(subtree, hash);
    // Three proofs of a receipt share their tiles: in two trees, and of the boot entry.
    subtrees?.set(subtree, hash);
  }
  return (place) => {
    const { level, index, first, count } = tileOf(place);
    const hash = found.get(`${nameOf(level, index)}/${first}/${count}`);
    assert(hash !== undefined, 'the tile of a hash was read');
    return hash;
  };
}

/** Returns the root of a complete subtree of hashes. */
function joined(hashes: readonly Uint8Array[]): Uint8Array {
  const frontier = hashes.reduce<Frontier>(
    (grown, each) => withLeaf(sha256, grown, each).frontier,
    emptyFrontier,
  );
  return rootOf(sha256, frontier);
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
    const name = nameOf(level, index);
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
      const added = withLeaf(sha256, frontier, leafHash(sha256, entry));
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
    edges.set(nameOf(level, index), { level, index, hashes: hashes.map((each) => each.slice()) });
  }
  return edges;
}

/** Returns true if the hashes of a partial tile produce the peaks of the frontier at its levels. */
function fits(frontier: Frontier, level: TileLevel, hashes: readonly Uint8Array[]): boolean {
  const tileLevel = level === 'entries' ? 0 : level;
  const leaves = level === 'entries' ? hashes.map((entry) => leafHash(sha256, entry)) : hashes;
  const edge = leaves.reduce<Frontier>(
    (grown, each) => withLeaf(sha256, grown, each).frontier,
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
