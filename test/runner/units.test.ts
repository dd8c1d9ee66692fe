// Checks the order in which the files of a run start.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type KnownSeconds, readKnownSeconds } from './known_seconds.ts';
import { unitsOf } from './units.ts';

/** Files that do not share a process. */
const files = globSync('test/runner/*.test.ts').sort();
const known = Object.fromEntries(files.map((file, i) => [file, i < 3 ? 10 + i : 1]));
const orderOf = (shuffle?: string) =>
  unitsOf(files, { shuffle, known }).flatMap((unit) => unit.files);

test('the longest files start first, and the shuffle text draws the order of short files', () => {
  const long = files.slice(0, 3).reverse();
  const texts = ['one', 'two', 'three', 'four'];
  for (const text of [undefined, ...texts]) assert.deepEqual(orderOf(text).slice(0, 3), long);
  assert.deepEqual(orderOf('one'), orderOf('one'));
  assert.ok(new Set(texts.map((text) => orderOf(text).join())).size > 1);
  assert.deepEqual(orderOf('one').toSorted(), files);
});

test('a new clone knows the seconds of long files', () => {
  const stored: KnownSeconds = JSON.parse(
    readFileSync(join(import.meta.dirname, 'usual_seconds.json'), 'utf8'),
  );
  const all = globSync('test/**/*.test.ts');
  assert.deepEqual(
    Object.keys(stored).filter((file) => !all.includes(file)),
    [],
  );
  const known = readKnownSeconds();
  assert.ok(Object.keys(stored).length > 10);
  assert.ok(Object.keys(stored).every((file) => (known[file] ?? 0) > 0));
});
