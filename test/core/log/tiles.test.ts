import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  bundleOf,
  entriesOf,
  lengthOfLevel,
  pathOfTile,
  readTilePath,
  tileOf,
} from '../../../src/core/log/tiles.ts';

test('the path of a tile has the spelling of the format', () => {
  assert.equal(pathOfTile({ level: 0, index: 1234067, width: 256 }), 'tile/0/x001/x234/067');
  assert.equal(pathOfTile({ level: 'entries', index: 0, width: 7 }), 'tile/entries/000.p/7');
  assert.equal(pathOfTile({ level: 3, index: 1000, width: 256 }), 'tile/3/x001/000');
});

test('a path is read only in that spelling', () => {
  const level = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant('entries' as const));
  const index = fc.integer({ min: 0, max: 10 ** 9 });
  fc.assert(
    fc.property(level, index, fc.integer({ min: 1, max: 256 }), (at, place, width) => {
      const name = { level: at, index: place, width };
      assert.deepEqual(readTilePath(pathOfTile(name)), name);
    }),
  );
  const others = [
    'tile/0/1',
    'tile/0/x000/001',
    'tile/0/001.p/0',
    'tile/0/001.p/256',
    'tile/0/001.p/07',
  ];
  for (const path of others) assert.equal(readTilePath(path), undefined, path);
});

test('the hash of a subtree is found in the tile that spans it', () => {
  assert.deepEqual(tileOf({ level: 0, index: 257 }), { level: 0, index: 1, first: 1, count: 1 });
  assert.deepEqual(tileOf({ level: 7, index: 3 }), { level: 0, index: 1, first: 128, count: 128 });
  assert.deepEqual(tileOf({ level: 8, index: 3 }), { level: 1, index: 0, first: 3, count: 1 });
  assert.equal(lengthOfLevel(1, 511), 1);
  assert.equal(lengthOfLevel('entries', 511), 511);
});

test('entries are read back from a bundle, and a cut bundle is rejected', () => {
  const entry = fc.uint8Array({ maxLength: 70 });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 40 }), fc.nat(), (entries, cut) => {
      const bundle = bundleOf(entries);
      assert.deepEqual(
        entriesOf(bundle)?.map((each) => Uint8Array.from(each)),
        entries,
      );
      if (entries.length === 0) return;
      const read = entriesOf(bundle.subarray(0, bundle.length - 1 - (cut % bundle.length)));
      assert.ok(read === undefined || read.length < entries.length);
    }),
  );
  assert.equal(entriesOf(bundleOf(Array.from({ length: 257 }, () => Uint8Array.of(1)))), undefined);
});
