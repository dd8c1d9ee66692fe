// A resource has one name: the folder of its operations, their tag in the OpenAPI document and the heading
// in docs/operations.md.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { resources } from '../../src/operations/index.ts';
import { root, textOf } from './sources.ts';

const names = Object.keys(resources).sort();

test('each folder of operations has the name of its resource', () => {
  const folders = globSync('*/index.ts', { cwd: `${root}/src/operations` })
    .map((file) => file.replace('/index.ts', ''))
    .filter((folder) => folder !== 'vocabulary');
  assert.deepEqual(folders.sort(), names);
});

test('each folder of operation tests has the name of a resource', () => {
  const folders = globSync('*/*.test.ts', { cwd: `${root}/test/operations` }).map(
    (file) => file.split('/')[0] ?? '',
  );
  assert.deepEqual(
    [...new Set(folders)].filter((folder) => !names.includes(folder)),
    [],
  );
});

test('docs/operations.md has a heading for each resource', () => {
  const page = textOf('docs/operations.md').toLowerCase();
  const missing = names.filter((name) => !page.includes(`\n## ${name.replaceAll('_', ' ')}\n`));
  assert.deepEqual(missing, []);
});
