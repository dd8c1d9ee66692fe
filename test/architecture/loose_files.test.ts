// A folder is either a room, which holds files, or a floor, which holds rooms and a few files beside
// them. Those few are the loose files.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { root } from './sources.ts';

/** The maximum number of loose files in one folder. */
const maximumOfFolder = 12;
/** The maximum number of loose files in all folders together. It is only lowered. */
const maximum = 60;

// Generated files belong to the room above them.
const files = globSync(['src/**/*.ts', 'dashboard/**/*.{ts,tsx}'], { cwd: root }).filter(
  (file) => !file.includes('/generated/'),
);
const foldersOfFiles = new Set(files.map((file) => dirname(file)));
const floors = new Set([...foldersOfFiles].flatMap(foldersAbove));
const loose = files.filter((file) => floors.has(dirname(file)) && !isCommand(file));

test('a folder that holds folders has at most 12 files beside them', () => {
  const rows = Object.entries(Object.groupBy(loose, (file) => dirname(file)));
  assert(rows.length > 5, `only ${rows.length} folders with loose files were found`);
  const crowded = rows.filter(([, found = []]) => found.length > maximumOfFolder);
  assert.deepEqual(
    crowded.map(([folder, found = []]) => `${folder} has ${found.length}`),
    [],
  );
});

test('the loose files of all folders become fewer', () => {
  assert(loose.length <= maximum, `${loose.length} files are loose: put new files into a room`);
});

/** The path of a command is its words: `org create` next to `org quorum set`. */
function isCommand(file: string): boolean {
  return file.startsWith('src/cli/commands/');
}

function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === '.' ? [] : [above, ...foldersAbove(above)];
}
