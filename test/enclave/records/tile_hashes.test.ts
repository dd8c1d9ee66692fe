// The hashes of subtrees in tiles, and the tiles that stay in memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concatBytes } from '../../../src/core/base/bytes.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { nodeHash } from '../../../src/core/log/inclusion.ts';
import { tileWidth } from '../../../src/core/log/tiles.ts';
import { RecordRefusedError } from '../../../src/enclave/records/record_codec.ts';
import { createRecentTiles, readTiles } from '../../../src/enclave/records/tile_hashes.ts';

const leaves = Array.from({ length: tileWidth }, (_, i) => sha256(Uint8Array.of(i)));

/** Computes the root of a subtree from its leaves alone. */
function rootOf(first: number, count: number): Uint8Array {
  if (count === 1) return leaves[first] ?? assert.fail('a leaf');
  const half = count / 2;
  return nodeHash(sha256, rootOf(first, half), rootOf(first + half, half));
}

/** Tiles of a level whose widths may grow, and the names of each read. */
function sourceOf(widths: Map<string, number>) {
  const reads: string[][] = [];
  const tiles = async (names: readonly string[]) => {
    reads.push([...names]);
    return new Map(
      names.flatMap((name): [string, Uint8Array][] => {
        const width = widths.get(name);
        return width === undefined ? [] : [[name, concatBytes(...leaves.slice(0, width))]];
      }),
    );
  };
  return { reads, source: { tiles, recent: createRecentTiles() } };
}

test('a tile returns the root of each of its subtrees', async () => {
  const { source } = sourceOf(new Map([['0/0', tileWidth]]));
  const tile = (await readTiles(source, [{ level: 0, index: 0, length: tileWidth }]))(0, 0);
  for (let count = 1; count <= tileWidth; count *= 2) {
    for (let first = 0; first < tileWidth; first += count) {
      assert.deepEqual(tile.rootAt(first, count), rootOf(first, count), `${first}+${count}`);
    }
  }
});

test('tiles are read together and once, and again after they grew', async () => {
  const widths = new Map([
    ['0/3', 5],
    ['1/0', 3],
  ]);
  const { source, reads } = sourceOf(widths);
  const needed = [
    { level: 0, index: 3, length: 4 },
    { level: 1, index: 0, length: 3 },
    { level: 0, index: 3, length: 5 },
  ];
  await readTiles(source, needed);
  await readTiles(source, needed);
  assert.deepEqual(reads, [['0/3', '1/0']]);
  widths.set('0/3', 8);
  const tileAt = await readTiles(source, [{ level: 0, index: 3, length: 8 }]);
  assert.deepEqual(tileAt(0, 3).rootAt(0, 8), rootOf(0, 8));
  assert.deepEqual(reads.slice(1), [['0/3']]);
});

test('a missing tile and a tile that is too short are refused', async () => {
  const { source } = sourceOf(new Map([['0/0', 7]]));
  for (const needed of [
    { level: 0, index: 1, length: 1 },
    { level: 0, index: 0, length: 8 },
  ]) {
    await assert.rejects(readTiles(source, [needed]), RecordRefusedError);
  }
});
