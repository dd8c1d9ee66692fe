// An export that no other file imports is dead code, or a detail of its file that looks like an interface.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { resolve, root, textOf } from './sources.ts';

/** Files whose exports are used outside this tree: the client package. */
const published = ['src/client/index.ts', 'src/client/generated/operations.ts'];
/** Every name of the file is in use. */
const everyName = '*';

test('another file imports every export of the product', () => {
  const product = sourcesIn('src', 'dashboard');
  const users = [...product, ...sourcesIn('test', 'tools', 'bench', 'examples')];
  const used = new Map<string, Set<string>>();
  for (const file of users) {
    for (const [target, name] of importedNames(file, textOf(file))) {
      used.set(target, (used.get(target) ?? new Set()).add(name));
    }
  }
  const unused = product
    .filter((file) => !published.includes(file) && !used.get(file)?.has(everyName))
    .flatMap((file) =>
      exportedNames(textOf(file))
        .filter((name) => !used.get(file)?.has(name))
        .map((name) => `${file}: ${name}`),
    );
  assert(product.length > 1_000, `only ${product.length} files were found`);
  assert.deepEqual(unused, []);
});

test('exports and imports of each form are found', () => {
  const source = `export const one = 1;
export async function two() {}
export type Three = 3;
export class Four {}
export { five, six as seven };
export type { Eight } from './a.ts';
export default 9;
`;
  assert.deepEqual(exportedNames(source), [
    'one',
    'two',
    'Three',
    'Four',
    'five',
    'seven',
    'Eight',
    'default',
  ]);
  const importing = `import first, { second, type Third as Other } from './a.ts';
import type { Fourth } from './b.ts';
import * as all from './c.ts';
export { fifth } from './d.ts';
const { sixth } = await import('./e.ts');
import { join } from 'node:path';
`;
  assert.deepEqual(importedNames('src/x.ts', importing), [
    ['src/a.ts', 'default'],
    ['src/a.ts', 'second'],
    ['src/a.ts', 'Third'],
    ['src/b.ts', 'Fourth'],
    ['src/c.ts', everyName],
    ['src/d.ts', 'fifth'],
    ['node:path', 'join'],
    ['src/e.ts', everyName],
  ]);
});

function sourcesIn(...folders: readonly string[]): string[] {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx}`);
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] }).sort();
}

function exportedNames(text: string): string[] {
  const declarations =
    /^export (?:default|(?:declare |abstract |async )*(?:const|let|function\*?|type|interface|class) (\w+)|(?:type )?\{([^}]*)\})/gm;
  return [...text.matchAll(declarations)].flatMap(([statement, name, list]) => {
    if (name !== undefined) return [name];
    if (list === undefined) return statement.endsWith('default') ? ['default'] : [];
    return namesIn(list).map((entry) => entry.replace(/^.* as /, ''));
  });
}

/** Returns the files from which a file imports, each with the imported name. */
function importedNames(file: string, text: string): [file: string, name: string][] {
  const statements =
    /^(?:import|export) (?:type )?(?:(\w+)(?:, )?)?(?:\{([^}]*)\}|\*(?: as \w+)?)? ?from '([^']+)'/gm;
  const fixed = [...text.matchAll(statements)].flatMap(([, main, list, specifier = '']) => {
    const names =
      list === undefined ? [] : namesIn(list).map((entry) => entry.replace(/ as .*$/, ''));
    if (main !== undefined) names.unshift('default');
    if (names.length === 0) names.push(everyName);
    return names.map((name): [string, string] => [resolve(file, specifier), name]);
  });
  const dynamic = [...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)].map(
    ([, specifier = '']): [string, string] => [resolve(file, specifier), everyName],
  );
  return [...fixed, ...dynamic];
}

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim().replace(/^type /, ''))
    .filter((entry) => entry !== '');
