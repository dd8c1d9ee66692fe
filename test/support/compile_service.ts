// Compiles the service to JavaScript and prints the folder. The enclave cannot write a compile cache, so
// most of its start time would be type stripping, reading hundreds of modules and compiling. The modules are
// bundled once for each state of the sources: the enclave in one file, the program in parts that load on use.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  globSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { enclaveFlags } from '../../src/gateway/enclave/process.ts';
import { compiled, compiledPath } from '../../tools/packages/compile.ts';
import { productionTree } from '../../tools/packages/production_tree.ts';
import { madeOnce } from './made_once.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/compiled_service');
/** Compiled services are removed after this time without use. */
const unusedMs = 2 * 60 * 60 * 1000;

/** Only some services load these packages, and tests check it. They stay outside the bundles. */
const unbundled = Object.keys(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies,
).filter((name) => /^(pg|prom-client|nodemailer|@opentelemetry\/.*)$/.test(name));

const scriptName = 'program.cjs';
const codeFolder = 'code';
const codeName = 'program.code';
const codeWriter = join(import.meta.dirname, 'write_enclave_code.ts');

/**
 * A script with its code loads in half the time of a module. Importing `node:fs` would load its streams. The
 * bundler escapes other characters than ASCII outside of comments, so the script is read as Latin-1.
 */
const loader = `
const { readFileSync } = process.getBuiltinModule('node:fs');
const { createRequire } = process.getBuiltinModule('node:module');
const { Script } = process.getBuiltinModule('node:vm');
const path = (name) => import.meta.dirname + '/' + name;
const script = new Script(readFileSync(path('${scriptName}'), 'latin1'), {
  filename: path('${scriptName}'),
  cachedData: readFileSync(path('${codeFolder}/${codeName}')),
});
script.runInThisContext()(createRequire(import.meta.url));
`;

const folder = folderOfSources();
removeUnused();
await madeOnce(folder, compileInto);
await madeOnce(join(folder, 'src/enclave', codeFolder), writeEnclaveCode);
process.stdout.write(folder);

/** Returns the folder for this state of the sources. */
function folderOfSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const name of [import.meta.filename, codeWriter]) hash.update(readFileSync(name));
  for (const [path, text] of sources()) hash.update(`${path}\0${text.length}\0`).update(text);
  return join(cache, hash.digest('hex').slice(0, 32));
}

function sources(): readonly (readonly [path: string, text: string])[] {
  return globSync(['src/**/*.{ts,json}', 'package.json', 'package-lock.json'], { cwd: root })
    .sort()
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
}

/** Compiles the sources into a folder that gets its name afterwards. */
function compileInto(made: string): void {
  for (const [path, text] of sources()) {
    const isScript = path.endsWith('.ts');
    // The bundler needs data next to the scripts, and the program needs its own files at the top.
    if (!path.startsWith('src/')) write(join(made, path), text);
    write(
      join(made, 'unbundled', isScript ? compiledPath(path) : path),
      isScript ? placed(compiled(text), join(folder, compiledPath(path))) : text,
    );
  }
  bundle(made, ['src/main.js', 'src/gateway/http/openapi_thread.js'], {
    chunkNames: 'src/chunks/[name]-[hash]',
    splitting: true,
    format: 'esm',
    // Packages in CommonJS form `require` the modules of Node.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  makeEnclave(made);
  rmSync(join(made, 'unbundled'), { recursive: true });
  for (const path of packageFolders()) linkFiles(path, made);
}

/** Makes the program of the enclave: a script in one file, and the module that loads it with its code. */
function makeEnclave(made: string): void {
  bundle(made, ['src/enclave/main.js'], {
    format: 'cjs',
    banner: { js: '(function (require) {' },
    footer: { js: '})' },
  });
  const main = join(made, 'src/enclave/main.js');
  const script = join(made, 'src/enclave', scriptName);
  renameSync(main, script);
  // `import.meta` has no value in a script.
  assert(!readFileSync(script, 'latin1').includes('import_meta'));
  write(main, loader);
}

/** Writes the code that V8 compiles from the script under the flags that the gateway gives to the enclave. */
function writeEnclaveCode(made: string): void {
  const flags = enclaveFlags().filter((flag) => !/^--(permission$|allow-fs-read=)/.test(flag));
  const files = [join(folder, 'src/enclave', scriptName), join(made, codeName)];
  execFileSync(process.execPath, [...flags, codeWriter, ...files], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Bundles entry points. With splitting they share modules, and dynamic imports stay dynamic. */
function bundle(made: string, waysIn: readonly string[], more: BuildOptions): void {
  buildSync({
    entryPoints: waysIn.map((path) => join(made, 'unbundled', path)),
    outbase: join(made, 'unbundled'),
    outdir: made,
    bundle: true,
    external: unbundled,
    platform: 'node',
    target: 'esnext',
    // Error reports contain class names.
    keepNames: true,
    logLevel: 'error',
    ...more,
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
