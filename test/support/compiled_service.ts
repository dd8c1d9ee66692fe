// Compiles the service to JavaScript for tests that start it as a process. The enclave cannot read a compile
// cache, so most of its start time is type stripping and reading hundreds of modules. The modules are bundled
// once for each state of the sources: the enclave in one file, the program in parts that load on use.
// `test/packages` tests the program as a package contains it.

import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { compiled, compiledPath } from '../../tools/packages/compile.ts';
import { productionTree } from '../../tools/packages/production_tree.ts';
import { compileCache } from './compile_cache.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/compiled_service');
/** Compiled services are removed after this time without use. */
const unusedMs = 2 * 60 * 60 * 1000;

/** Only some services load these packages, and tests check it. They stay outside the bundles. */
const unbundled = Object.keys(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies,
).filter((name) => /^(pg|prom-client|nodemailer|@opentelemetry\/.*)$/.test(name));

/** The folder of the test run; undefined for a test file started on its own. */
const runFolder = process.env['TEST_RUN_FOLDER'];

export type Program = {
  /** The path of the command. */
  readonly main: string;
  /** Environment variables with which it loads in a third of the time. */
  readonly environment: Readonly<Record<string, string>>;
};

let found: Program | undefined;

/** Returns the compiled command in a test run, else the source. */
export function serviceProgram(): Program {
  found ??=
    runFolder === undefined
      ? { main: join(root, 'src/main.ts'), environment: compileCache }
      : compiledProgram(runFolder);
  return found;
}

function compiledProgram(run: string): Program {
  const note = join(run, 'compiled_service');
  const folder = existsSync(note) ? readFileSync(note, 'utf8') : makeFolder();
  if (!existsSync(note)) {
    // Concurrent test files write the same text.
    writeFileSync(`${note}.${process.pid}`, folder);
    renameSync(`${note}.${process.pid}`, note);
  }
  const now = new Date();
  utimesSync(folder, now, now);
  return {
    main: join(folder, 'src/main.js'),
    environment: { NODE_COMPILE_CACHE: join(folder, 'cache') },
  };
}

/** Compiles the sources, unless another test file has. Two concurrent compilations give the same folder. */
function makeFolder(): string {
  const sources = globSync(['src/**/*.{ts,json}', 'package.json', 'package-lock.json'], {
    cwd: root,
  }).sort();
  const texts = sources.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
  const hash = createHash('sha256').update(process.version);
  hash.update(readFileSync(import.meta.filename));
  for (const [path, text] of texts) hash.update(`${path}\0${text.length}\0`).update(text);
  const folder = join(cache, hash.digest('hex').slice(0, 32));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  removeUnused();
  const made = mkdtempSync(join(cache, 'making-'));
  for (const [path, text] of texts) {
    const isScript = path.endsWith('.ts');
    // The bundler needs data next to the scripts, and the program needs its own files at the top.
    if (!path.startsWith('src/')) write(join(made, path), text);
    write(
      join(made, 'unbundled', isScript ? compiledPath(path) : path),
      isScript ? placed(compiled(text), join(folder, compiledPath(path))) : text,
    );
  }
  bundle(made, ['src/enclave/main.js'], { splitting: false });
  bundle(made, ['src/main.js', 'src/gateway/http/openapi_thread.js'], { splitting: true });
  rmSync(join(made, 'unbundled'), { recursive: true });
  for (const path of packageFolders()) linkFiles(path, made);
  try {
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Bundles entry points. With splitting they share modules, and dynamic imports stay dynamic. */
function bundle(
  made: string,
  waysIn: readonly string[],
  { splitting }: { readonly splitting: boolean },
): void {
  buildSync({
    entryPoints: waysIn.map((path) => join(made, 'unbundled', path)),
    outbase: join(made, 'unbundled'),
    outdir: made,
    chunkNames: 'src/chunks/[name]-[hash]',
    bundle: true,
    splitting,
    external: unbundled,
    format: 'esm',
    platform: 'node',
    target: 'esnext',
    // Packages in CommonJS form `require` the modules of Node.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    // Error reports contain class names.
    keepNames: true,
    logLevel: 'error',
  });
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Replaces the location of a script by the location before the bundling. */
function placed(script: string, path: string): string {
  return script
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
    .replaceAll('import.meta.filename', JSON.stringify(path));
}

/** Returns the folders of the packages that are not bundled. */
function packageFolders(): readonly string[] {
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.keys(productionTree(lockfile, unbundled));
}

function linkFiles(folder: string, to: string): void {
  mkdirSync(join(to, folder), { recursive: true });
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') linkFiles(path, to);
    // Source maps and types are never loaded.
    if (!entry.isFile() || /\.(map|[cm]?ts)$/.test(entry.name)) continue;
    try {
      linkSync(join(root, path), join(to, path));
    } catch {
      copyFileSync(join(root, path), join(to, path));
    }
  }
}

function removeUnused(): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > unusedMs) rmSync(path, { recursive: true, force: true });
  }
}
