// Builds the package `@keywright/receipts`: the receipt verifier and its single-file page, without the
// service.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { checkImports, compiled, compiledPath } from './compile.ts';
import { copies, filesOfPackage, type Package, textFiles, textOfJson } from './package_files.ts';
import { lockfileOf, productionTree } from './production_tree.ts';

const entry = 'src/receipts/verify_receipt.ts';
const dependencies = ['@noble/curves', '@noble/hashes'];
const folder = 'packaging/receipts';
const program = 'bin/keywright-receipt.js';

/** Returns the sources of the verifier by path: the entry point and all its imports. */
export function sourcesOfVerifier(root: string): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  const waiting: string[] = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (sources.has(path)) continue;
    const text = readFileSync(join(root, path), 'utf8');
    sources.set(path, text);
    for (const [, target = ''] of text.matchAll(/\bfrom '(\.{1,2}\/[^']+)'/g)) {
      waiting.push(join(path, '..', target));
    }
  }
  return sources;
}

/** Returns the page. Its content security policy allows only its own script and no connections. */
export async function verifierPage(root: string): Promise<string> {
  const bundle = await rolldown({
    cwd: root,
    input: join(root, folder, 'page.js'),
    platform: 'browser',
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const [{ code: script }] = output;
  assert(!/<\/script|<!--/i.test(script), 'a script does not end its element');
  const read = (file: string) => readFileSync(join(root, folder, file), 'utf8');
  const style = read('page.css');
  const [ofScript, ofStyle] = [script, style].map((text) => {
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  });
  const policy = `default-src 'none'; script-src ${ofScript}; style-src ${ofStyle}`;
  return read('page.html')
    .replace('POLICY', () => policy)
    .replace('/* STYLE */', () => style)
    .replace('/* SCRIPT */', () => script);
}

/** Returns the files of the package. The project at `root` must have its packages installed. */
export async function verifierPackage(root: string): Promise<Package> {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const project = JSON.parse(read('package.json'));
  const modules = Object.fromEntries(
    [...sourcesOfVerifier(root)].map(([path, text]) => [
      compiledPath(path.replace(/^src\//, 'lib/')),
      compiled(text),
    ]),
  );
  const paths = new Set(Object.keys(modules));
  for (const [path, text] of Object.entries(modules)) checkImports(path, text, paths);
  const manifest = {
    name: '@keywright/receipts',
    version: project.version,
    description: 'Verifies receipts of Keywright offline.',
    license: project.license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=25' },
    exports: { '.': './lib/receipts/verify_receipt.js', './package.json': './package.json' },
    bin: { 'keywright-receipt': program },
    dependencies: Object.fromEntries(
      dependencies.map((name) => [name, project.dependencies[name]]),
    ),
    bundleDependencies: dependencies,
  };
  const tree = productionTree(JSON.parse(read('package-lock.json')), dependencies);
  const files = [
    ...textFiles({
      'package.json': textOfJson(manifest),
      'README.md': read(`${folder}/README.md`),
      'receipt.html': await verifierPage(root),
      'bin/facts.js': read(`${folder}/facts.js`),
      [program]: read(`${folder}/keywright-receipt.js`),
      ...modules,
    }),
    ...copies(root, ['LICENSE']),
    ...Object.keys(tree).flatMap((path) => filesOfPackage(root, path)),
  ];
  return { manifest, lockfile: lockfileOf(manifest, tree), files };
}
