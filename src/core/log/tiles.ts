// Tiles of C2SP's tlog-tiles: 256 consecutive hashes of one level, and bundles of 256 entries.

import { hashBytes } from './inclusion.ts';
import type { SubtreePlace } from './tree.ts';

/** Number of hashes in a full tile, and of entries in a full bundle. */
export const tileWidth = 256;
/** Number of tree levels in one level of tiles. */
export const tileHeight = 8;

/** A level of tiles, or `entries` for bundles. */
export type TileLevel = number | 'entries';

/** Maximum length of an entry in a bundle. */
const maximumEntryBytes = 0xffff;

/** Identifies a tile; a `width` below 256 means a partial tile. */
export type TileName = {
  readonly level: TileLevel;
  readonly index: number;
  readonly width: number;
};

/** Returns the path of a tile below the prefix of a log. */
export function pathOfTile({ level, index, width }: TileName): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const groups = padded.match(/.{3}/g) ?? [];
  const last = groups.length - 1;
  const path = groups.map((group, i) => (i < last ? `x${group}` : group)).join('/');
  return `tile/${level}/${path}${width === tileWidth ? '' : `.p/${width}`}`;
}

/** Parses the path of a tile. Returns undefined unless `pathOfTile` writes the same path. */
export function readTilePath(path: string): TileName | undefined {
  const match =
    /^tile\/(entries|[0-9]{1,2})\/((?:x[0-9]{3}\/){0,4}[0-9]{3})(?:\.p\/([0-9]{1,3}))?$/.exec(path);
  const [, levelText = '', indexText = '', widthText] = match ?? [];
  if (match === null) return undefined;
  const level: TileLevel = levelText === 'entries' ? 'entries' : Number(levelText);
  const index = Number(indexText.replaceAll('x', '').replaceAll('/', ''));
  const name: TileName = {
    level,
    index,
    width: widthText === undefined ? tileWidth : Number(widthText),
  };
  const isWidth = name.width >= 1 && name.width <= tileWidth;
  return isWidth && pathOfTile(name) === path ? name : undefined;
}

/** Location of the hash of a complete subtree: its tile, and the hashes of the tile below it. */
type HashInTile = {
  readonly level: number;
  readonly index: number;
  /** Index of the first of `count` hashes whose root is the subtree's hash. */
  readonly first: number;
  readonly count: number;
};

/** Returns the location of a complete subtree's hash. */
export function tileOf({ level, index }: SubtreePlace): HashInTile {
  const count = 2 ** (level % tileHeight);
  const start = index * count;
  const at = Math.floor(start / tileWidth);
  const first = start - at * tileWidth;
  return { level: Math.floor(level / tileHeight), index: at, first, count };
}

/** Returns the number of hashes, or of entries, that a level has in a log of a size. */
export function lengthOfLevel(level: TileLevel, size: number): number {
  return level === 'entries' ? size : Math.floor(size / tileWidth ** level);
}

/** Returns the hash at a place of a tile. */
export function hashIn(tile: Uint8Array, place: number): Uint8Array | undefined {
  const hash = tile.subarray(place * hashBytes, (place + 1) * hashBytes);
  return hash.length === hashBytes ? hash : undefined;
}

/** Returns a bundle of entries, each after its length in two bytes. */
export function bundleOf(entries: readonly Uint8Array[]): Uint8Array {
  const bundle = new Uint8Array(entries.reduce((sum, { length }) => sum + 2 + length, 0));
  const view = new DataView(bundle.buffer);
  let at = 0;
  for (const entry of entries) {
    if (entry.length > maximumEntryBytes) throw new Error('an entry fits its bundle');
    view.setUint16(at, entry.length);
    bundle.set(entry, at + 2);
    at += 2 + entry.length;
  }
  return bundle;
}

/** Reads a bundle. Returns undefined if it ends within an entry, or holds more than 256 entries. */
export function entriesOf(bundle: Uint8Array): readonly Uint8Array[] | undefined {
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.length);
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bundle.length; ) {
    if (at + 2 > bundle.length || entries.length === tileWidth) return undefined;
    const end = at + 2 + view.getUint16(at);
    if (end > bundle.length) return undefined;
    entries.push(bundle.subarray(at + 2, end));
    at = end;
  }
  return entries;
}
