// The size of the dashboard in bytes, in the compressed form of the build.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { dashboardBuild } from './build.ts';

const folder = await dashboardBuild();
const assets = readdirSync(join(folder, 'assets')).filter((file) => !file.endsWith('.br'));
const bytesOf = (path: string): number => {
  const compressed = readFileSync(join(folder, `${path}.br`));
  assert.deepEqual(brotliDecompressSync(compressed), readFileSync(join(folder, path)));
  return compressed.length;
};
const kilobyte = 1000;
const script = (name: string): string =>
  assets.find((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file)) ??
  assert.fail(`there is no ${name} among ${assets.join(', ')}`);

/** Returns the static imports of a module, including indirect ones. */
function staticImports(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const next of importsOf(file)) staticImports(next, found);
  return found;
}

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(folder, 'assets', file), 'utf8');
  const statements = /(?:\bimport|\bfrom)\s*["']\.\/([\w.-]+\.js)["']/g;
  return [...text.matchAll(statements)].map(([, next = '']) => next);
}

function weightOf(modules: readonly string[]): number {
  const files = new Set(modules.flatMap((name) => [...staticImports(script(name))]));
  const styles = assets.filter((file) => /\.(css|svg)$/.test(file));
  return [...files, ...styles].reduce(
    (sum, file) => sum + bytesOf(`assets/${file}`),
    bytesOf('index.html'),
  );
}

test('the first screen takes at most 60 kB', () => {
  // The page looks for a stored session.
  const weight = weightOf(['index', 'session_store']);
  assert(weight <= 60 * kilobyte, `${weight} bytes`);
});

test('a wallet list takes at most 90 kB', () => {
  const weight = weightOf(['index', 'answer_shapes', 'client', 'work', 'en_screens']);
  assert(weight <= 90 * kilobyte, `${weight} bytes`);
});

test('a later chunk takes at most 130 kB, and all chunks at most 400', () => {
  const weights = assets.map((file) => [bytesOf(`assets/${file}`), file] as const);
  const heavy = weights.filter(([bytes]) => bytes > 130 * kilobyte);
  assert.deepEqual(heavy, []);
  const all = weights.reduce((sum, [bytes]) => sum + bytes, bytesOf('index.html'));
  assert(all <= 400 * kilobyte, `${all} bytes`);
});

test('no two chunks import each other, so each is loaded before its importers run', () => {
  const inCircle = assets.filter((file) => {
    if (!file.endsWith('.js')) return false;
    const found = new Set<string>();
    for (const next of importsOf(file)) staticImports(next, found);
    return found.has(file);
  });
  assert.deepEqual(inCircle, []);
});

test('the import map of the page pins every module, and the headers name its digest', () => {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const [, map = '{}'] = /<script type="importmap">(.*?)<\/script>/.exec(html) ?? [];
  const pinned = Object.keys(JSON.parse(map).integrity).sort();
  const modules = assets.filter((file) => file.endsWith('.js'));
  assert.deepEqual(pinned, modules.map((file) => `/dashboard/assets/${file}`).sort());
  assert.match(html, /<link rel="stylesheet"[^>]* integrity="sha256-/);
});
