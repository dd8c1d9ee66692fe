// The package `keywright`: the service and the command line as JavaScript, with the packages they need as
// the lockfile names them, and without Node, the tools of development and the tests.

import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundled } from './bundle.ts';
import { checkImports, compiled, compiledPath } from './compile.ts';
import { type LockedPackage, productionTree } from './production_tree.ts';
import type { ArchivedFile } from './tar.ts';

const launcher = 'bin/keywright.cjs';

/** Where bundled modules may come from, beside those that they import in any case. */
const commands = ['src/cli/', 'src/client/'];

/** Returns all files of the package, by their paths in it. */
export async function servicePackage(root: string): Promise<readonly ArchivedFile[]> {
  const read = (path: string) => readFileSync(join(root, path));
  const project = JSON.parse(read('package.json').toString());
  const tree = productionTree(
    JSON.parse(read('package-lock.json').toString()),
    Object.keys(project.dependencies),
  );
  const sources = globSync('src/**/*.ts', { cwd: root }).map((path) => ({
    path: compiledPath(path),
    text: compiled(read(path).toString()),
  }));
  const scripts = [...sources, ...(await bundled(root, project.bin.keywright, 'cli', commands))];
  const paths = new Set(['package.json', ...scripts.map(({ path }) => path)]);
  for (const { path, text } of scripts) checkImports(path, text, paths);

  const manifest = manifestOf(project);
  const texts = {
    'package.json': textOfJson(manifest),
    'package-lock.json': textOfJson(lockfileOf(manifest, tree)),
    ...Object.fromEntries(scripts.map(({ path, text }) => [path, text])),
  };
  return [
    ...Object.entries(texts).map(([path, text]) => ({
      path,
      bytes: Buffer.from(text),
      isExecutable: false,
    })),
    { path: launcher, bytes: read(`packaging/${launcher}`), isExecutable: true },
    ...pages(root).map((path) => ({ path, bytes: read(path), isExecutable: false })),
    ...Object.keys(tree).flatMap((path) => filesOfPackage(root, path)),
  ];
}

type Manifest = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly version: string;
};

/** The `package.json` of the package, from the project's. */
function manifestOf(project: {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}): Manifest {
  const { name, version, description, license, dependencies } = project;
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { keywright: launcher },
    // The launcher tells an older Node what is missing; npm need not refuse it.
    engines: { node: '>=18' },
    exports: { './package.json': './package.json' },
    dependencies,
    // What was tested is what runs: the packages come inside, in the versions of the lockfile.
    bundleDependencies: Object.keys(dependencies),
  };
}

/** A lockfile of the packages inside; the enclave states its digest. */
function lockfileOf(
  { name, version, license, bin, engines, dependencies, bundleDependencies }: Manifest,
  tree: Readonly<Record<string, LockedPackage>>,
): unknown {
  const top = { name, version, license, bin, engines, dependencies, bundleDependencies };
  return { name, version, lockfileVersion: 3, requires: true, packages: { '': top, ...tree } };
}

/** What people read, as far as it is about using the service. */
function pages(root: string): readonly string[] {
  return [
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...globSync('docs/*.md', { cwd: root }),
  ];
}

/** What a running Node does not load: types, source maps, and settings of other tools. */
const unloaded = /\.[cm]?ts$|\.map$|(^|\/)\.[^/]*$/;
const unloadedFolders = /^(tests?|bench(marks?)?|examples?|docs|\..*)$/;

/** A package as it was published, as far as it runs; packages inside it are entries of their own. */
function filesOfPackage(root: string, folder: string): readonly ArchivedFile[] {
  const { bin } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const programs: readonly string[] = typeof bin === 'string' ? [bin] : Object.values(bin ?? {});
  const executables = programs.map((path) => join(folder, path));
  return namesBelow(root, folder)
    .filter((path) => {
      const [first = '', ...others] = path.slice(folder.length + 1).split('/');
      return !unloaded.test(path) && !(others.length > 0 && unloadedFolders.test(first));
    })
    .map((path) => ({
      path,
      bytes: readFileSync(join(root, path)),
      isExecutable: executables.includes(path),
    }));
}

/** Paths of the files below a folder, without the packages in it. */
function namesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : namesBelow(root, path);
    assert(entry.isFile(), `${path} is a file`);
    return [path];
  });
}

function textOfJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
