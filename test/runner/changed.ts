// Finds the tests that a change affects, by the imports of the sources, read as text.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, normalize } from 'node:path';

/** Folders that no import connects to their tests. */
const testsOfFolders: readonly (readonly [folder: string, tests: string])[] = [
  ['dashboard/', 'test/dashboard/'],
  ['packaging/', 'test/packages/'],
  ['tools/packages/', 'test/packages/'],
  ['deploy/', 'test/deploy/'],
];

/** A change of one of these reaches every test. */
const reachesAll = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'test/run.ts',
  'test/runner/',
];

/** Tests that read the whole tree, but import little of it. */
const ofWholeTree = 'test/architecture/';

/**
 * Lists of operations. Each test that starts a service imports all operations through them, so they do not
 * propagate a change of one operation. Tests that import a list directly walk all operations, so they count.
 */
const listOfOperations = /^src\/operations\/(\w+\/)?index\.ts$/;

/** An operation: the tests of its resource ask for it through a service, without an import. */
const resourceOfOperation = /^src\/operations\/(\w+)\/(?!index\.ts$)\w+\.ts$/;

/** A relative path in quotation marks: an import, or a program that is started. */
const quotedPath = /(['"])(\.{1,2}\/[^'"\n]+|(?:src|test|tools|bench|examples)\/[^'"\n]+)\1/g;

/** Returns the paths that differ from a commit, with files that git does not track yet. */
export function changedSince(reference: string): readonly string[] {
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...git('diff', '--name-only', '--no-renames', reference),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

/**
 * Returns those of `tests` that reach one of the changed paths. `texts` holds all TypeScript sources, tests
 * included, by their paths.
 */
export function testsReaching(
  changed: readonly string[],
  {
    texts,
    tests,
  }: { readonly texts: ReadonlyMap<string, string>; readonly tests: readonly string[] },
): readonly string[] {
  if (changed.length === 0) return [];
  if (changed.some((path) => reachesAll.some((start) => path.startsWith(start)))) return tests;
  const reached = reachedFrom(changed, importersOf(texts));
  const folders = testFoldersOf(changed, reached);
  const data = changed.filter((path) => !texts.has(path)).map(nameInTexts);
  return tests.filter(
    (test) =>
      reached.has(test) ||
      folders.some((folder) => test.startsWith(folder)) ||
      data.some((name) => texts.get(test)?.includes(name)),
  );
}

/** A file without an extension has too common a name to search for, such as `.ci/run`. */
function nameInTexts(path: string): string {
  return extname(path) === '' ? path : basename(path);
}

/** Returns the folders in which every test is affected. */
function testFoldersOf(
  changed: readonly string[],
  reached: ReadonlySet<string>,
): readonly string[] {
  const ofFolders = testsOfFolders
    .filter(([folder]) => changed.some((path) => path.startsWith(folder)))
    .map(([, tests]) => tests);
  const ofResources = [...reached].flatMap((path) => {
    const [, resource] = resourceOfOperation.exec(path) ?? [];
    return resource === undefined ? [] : [`test/operations/${resource}/`];
  });
  return [ofWholeTree, ...ofFolders, ...new Set(ofResources)];
}

type Importers = ReadonlyMap<string, readonly string[]>;

/** Returns, for each source, the sources that name it. */
function importersOf(texts: ReadonlyMap<string, string>): Importers {
  const importers = new Map<string, string[]>();
  for (const [path, text] of texts) {
    for (const named of namedIn(path, text)) {
      if (!texts.has(named)) continue;
      const known = importers.get(named);
      if (known === undefined) importers.set(named, [path]);
      else known.push(path);
    }
  }
  return importers;
}

function namedIn(path: string, text: string): ReadonlySet<string> {
  const found = [...text.matchAll(quotedPath)].flatMap(([, , quoted = '']) =>
    quoted.startsWith('.') ? [normalize(join(dirname(path), quoted))] : [quoted],
  );
  return new Set(found);
}

function reachedFrom(changed: readonly string[], importers: Importers): ReadonlySet<string> {
  const reached = new Set(changed);
  const open = [...changed];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const isList = listOfOperations.test(path) && !changed.includes(path);
    for (const importer of importers.get(path) ?? []) {
      // A list leads only to the lists above it and the tests that walk it.
      if (isList && !listOfOperations.test(importer) && !importer.startsWith('test/')) continue;
      if (reached.has(importer)) continue;
      reached.add(importer);
      open.push(importer);
    }
  }
  return reached;
}

/** Returns true if the reference names a commit of this repository. */
export function isCommit(reference: string): boolean {
  if (existsSync(reference)) return false;
  try {
    execFileSync('git', ['rev-parse', '--verify', '--quiet', `${reference}^{commit}`]);
    return true;
  } catch {
    return false;
  }
}
