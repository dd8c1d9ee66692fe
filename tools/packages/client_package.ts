// Builds the package `@keywright/client`: ES modules and their types, for Node, browsers and other engines.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkImports, withCompiledNames } from './compile.ts';
import { copies, filesOfPackage, type Package, textFiles, textOfJson } from './package_files.ts';
import { lockfileOf, productionTree } from './production_tree.ts';

const folder = 'src/client';

/** The entry points of the package, by subpath, with their files. */
const entries: Readonly<Record<string, string>> = {
  '.': 'index',
  './bundles': 'bundles',
  './proofs': 'proofs',
  './webhooks': 'webhooks',
};

/** Returns the package of the project at `root`, whose packages are installed. */
export function clientPackage(root: string): Package {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const project = JSON.parse(read('package.json'));
  const there = Object.entries(entries).filter(([, file]) =>
    existsSync(join(root, folder, `${file}.ts`)),
  );
  const modules = compiledModules(
    root,
    there.map(([, file]) => `${folder}/${file}.ts`),
  );
  const paths = new Set(Object.keys(modules));
  for (const [path, text] of Object.entries(modules)) checkImports(path, text, paths);

  const versions = { ...project.devDependencies, ...project.dependencies };
  const dependencies = Object.fromEntries(
    importedPackages(modules).map((name) => [name, versions[name]]),
  );
  const manifest = {
    name: '@keywright/client',
    version: project.version,
    description: 'Client of Keywright, a self-hosted wallet and key management service.',
    license: project.license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22' },
    exports: Object.fromEntries([
      ...there.map(([name, file]) => [
        name,
        { types: `./lib/${file}.d.ts`, default: `./lib/${file}.js` },
      ]),
      ['./package.json', './package.json'],
    ]),
    dependencies,
    bundleDependencies: Object.keys(dependencies),
  };
  const tree = productionTree(JSON.parse(read('package-lock.json')), Object.keys(dependencies));
  const page = existsSync(join(root, 'docs', 'client.md')) ? read('docs/client.md') : undefined;
  const files = [
    ...textFiles({
      'package.json': textOfJson(manifest),
      ...(page === undefined ? {} : { 'README.md': page }),
      ...modules,
    }),
    ...copies(root, ['LICENSE']),
    ...Object.keys(tree).flatMap((path) => filesOfPackage(root, path, { withTypes: true })),
  ];
  return { manifest, lockfile: lockfileOf(manifest, tree), files };
}

/** Returns the compiled modules that the entries reach and their types, by path. */
function compiledModules(root: string, files: readonly string[]): Record<string, string> {
  const written = mkdtempSync(join(tmpdir(), 'keywright-client-'));
  try {
    const words = [
      ...['--ignoreConfig', '--strict', '--skipLibCheck', '--verbatimModuleSyntax'],
      ...['--target', 'es2023', '--lib', 'esnext,dom,dom.iterable', '--types', ''],
      ...['--module', 'nodenext', '--rewriteRelativeImportExtensions', '--declaration'],
      ...['--rootDir', folder, '--outDir', written],
    ];
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    execFileSync(process.execPath, [compiler, ...words, ...files], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return Object.fromEntries(
      readdirSync(written, { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.[jt]s$/.test(path))
        .sort()
        .map((path) => [
          `lib/${path}`,
          withCompiledNames(readFileSync(join(written, path), 'utf8')),
        ]),
    );
  } finally {
    rmSync(written, { recursive: true });
  }
}

/** Returns the names of the packages that modules import. */
function importedPackages(modules: Readonly<Record<string, string>>): readonly string[] {
  const specifiers = Object.values(modules).flatMap((text) =>
    [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^.'\n][^'\n]*)'/g)].map(
      ([, name = '']) => name,
    ),
  );
  const names = specifiers.map((specifier) =>
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/'),
  );
  return [...new Set(names)].sort();
}
