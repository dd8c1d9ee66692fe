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

test('docs/operations.md has a heading for each resource, whose page describes its operations', () => {
  const index = textOf('docs/operations.md').toLowerCase();
  const missing = names.filter((name) => !index.includes(`\n## ${name.replaceAll('_', ' ')}\n`));
  const undescribed = Object.entries(resources).flatMap(([resource, { activities, queries }]) => {
    const page = textOf(`docs/operations/${resource}.md`);
    return Object.keys({ ...activities, ...queries }).filter(
      (operation) => !page.includes(`\n## ${operation}\n`),
    );
  });
  assert.deepEqual([...missing, ...undescribed], []);
});
