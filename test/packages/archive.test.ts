import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkImports, compiled } from '../../tools/packages/compile.ts';
import { productionTree } from '../../tools/packages/production_tree.ts';
import { type ArchivedFile, archive } from '../../tools/packages/tar.ts';

const folder = mkdtempSync(join(tmpdir(), 'keywright-archive-'));
after(() => rmSync(folder, { recursive: true }));

const fileOf = (path: string, text: string, isExecutable = false): ArchivedFile => ({
  path,
  bytes: Buffer.from(text),
  isExecutable,
});

test('tar extracts what was archived: names of every length, modes and times', () => {
  const long = `package/${'folder/'.repeat(19)}${'f'.repeat(80)}`;
  const files = [
    fileOf('package/b', 'b'.repeat(512)),
    fileOf('package/a', ''),
    fileOf(long, 'long'),
    fileOf('package/run', '#!/bin/sh\n', true),
  ];
  const path = join(folder, 'archive.tgz');
  writeFileSync(path, archive(files));
  const listed = execFileSync('tar', ['--list', '--file', path], { encoding: 'utf8' });
  assert.deepEqual(listed.trim().split('\n'), files.map((file) => file.path).sort());
  execFileSync('tar', ['--extract', '--file', path, '--directory', folder]);
  for (const file of files) {
    const extracted = join(folder, file.path);
    assert.deepEqual(readFileSync(extracted), file.bytes);
    const { mode, mtime } = statSync(extracted);
    assert.equal((mode & 0o100) !== 0, file.isExecutable);
    assert.equal(mtime.toISOString(), '1985-10-26T08:15:00.000Z');
  }
});

test('an archive does not depend on the order in which files are given', () => {
  const files = [fileOf('package/a', 'a'), fileOf('package/b', 'b')];
  assert.deepEqual(archive(files), archive(files.toReversed()));
});

test('a name that does not fit is refused', () => {
  assert.throws(() => archive([fileOf('n'.repeat(101), '')]), /too long/);
  assert.throws(() => archive([fileOf(`${'p'.repeat(156)}/n`, '')]), /too long/);
});

/** Line and column of each place of a text. */
const placesOf = (text: string, script: string): readonly string[] =>
  script.split('\n').flatMap((line, i) => {
    const column = line.indexOf(text);
    return column === -1 ? [] : [`${i}:${column}`];
  });

test('a compiled file has the places of its source and names compiled files', () => {
  const source = [
    '// A comment.',
    "import type { A } from './a.ts';",
    "import { type B, b } from '../b.ts';",
    'import {',
    '  c,',
    "} from './c.ts';",
    "export * from './d.ts';",
    "const text: string = './e.ts';",
    "export const f = async (): Promise<A> => await import('./f.ts');",
  ].join('\n');
  const script = compiled(source);
  for (const text of ['from ', 'c,', 'const text', "'./e.ts'", '=> await']) {
    assert.deepEqual(placesOf(text, script), placesOf(text, source.replace(/^.*type {.*$/m, '')));
  }
  assert.deepEqual(
    script.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' ')),
    [
      '',
      '',
      "import { b } from '../b.js';",
      'import {',
      'c,',
      "} from './c.js';",
      "export * from './d.js';",
      "const text = './e.ts';",
      "export const f = async () => await import('./f.js');",
    ],
  );
  const paths = new Set(['b.js', 'src/c.js', 'src/d.js', 'src/f.js']);
  checkImports('src/x.js', script, paths);
  paths.delete('src/f.js');
  assert.throws(() => checkImports('src/x.js', script, paths), /imports src\/f\.js/);
});

test('the production tree is what the dependencies reach, each where it lies', () => {
  const packages = {
    '': {},
    'node_modules/a': {
      dependencies: { b: '1', '@s/c': '1' },
      optionalDependencies: { absent: '1', d: '1' },
      peerDependencies: { e: '1', unwanted: '1' },
      peerDependenciesMeta: { unwanted: { optional: true } },
    },
    'node_modules/a/node_modules/b': { version: '2', dependencies: { d: '1' } },
    'node_modules/a/node_modules/d': { version: '2' },
    'node_modules/b': { version: '1', dev: true },
    'node_modules/@s/c': { dependencies: { b: '1' }, devOptional: true },
    'node_modules/d': { version: '1' },
    'node_modules/e': { dev: true },
    'node_modules/unwanted': {},
    'node_modules/tool': { dev: true },
  };
  const tree = productionTree({ packages }, ['a']);
  assert.deepEqual(Object.keys(tree), [
    'node_modules/@s/c',
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/a/node_modules/d',
    'node_modules/b',
    'node_modules/e',
  ]);
  assert.deepEqual(tree['node_modules/b'], { version: '1' });
  assert.throws(() => productionTree({ packages }, ['absent']), /no absent for the project/);
});
