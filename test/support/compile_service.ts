// Compiles the service to JavaScript and prints the folder. The enclave cannot write a compile cache, so
// most of its start time would be type stripping, reading hundreds of modules and compiling. The modules are
// bundled once for each state of the sources. The enclave is one script, the commands that start a service
// share another, and those that work on a stopped service share a third. The code that V8 compiled is stored
// with them. The other commands are parts that load on use.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  globSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type BuildOptions, buildSync } from 'esbuild';
import { enclaveFlags, startEnclaveProcess } from '../../src/gateway/enclave/process.ts';
import type { RootCredentials } from '../../src/gateway/enclave/root_credentials.ts';
import { serve } from '../../src/gateway/serve.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { compiled, compiledPath } from '../../tools/packages/compile.ts';
import { productionTree } from '../../tools/packages/production_tree.ts';
import { leastCost } from './cheap_sealing.ts';
import { withoutGivenNames } from './given_names.ts';
import { madeOnce } from './made_once.ts';
import { sendUsualRequests } from './usual_requests.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/compiled_service');
/** Compiled services are removed after this time without use. */
const unusedMs = 2 * 60 * 60 * 1000;

/** Only some services load these packages, and tests check it. They stay outside the bundles. */
const unbundled = Object.keys(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies,
).filter((name) => /^(pg|prom-client|nodemailer|@opentelemetry\/.*)$/.test(name));

/** Modules that the service reads, and that browsers load in its frames. */
const forBrowsers = /^src\/(frame_pages|client)\/\w+\.ts$/;
const openApiThread = 'src/gateway/http/openapi_thread.js';
const scriptName = 'program.cjs';
/** A folder that does not exist. A script would load the commands that it omits from it. */
const omitted = '/omitted';
/** The commands that tests start most often, by their script. Each has its own compiled code of it. */
const commandsOf = {
  service: ['serve', 'dev'],
  offline: ['backup', 'restore', 'keys', 'root-key'],
} as const;
type Offline = (typeof commandsOf.offline)[number];
const codeFolder = 'code';
const codeName = 'program.code';
const codeWriter = join(import.meta.dirname, 'write_code.ts');
const givenNames = join(import.meta.dirname, 'given_names.ts');
const usualRequests = join(import.meta.dirname, 'usual_requests.ts');
const cheapSealing = join(import.meta.dirname, 'cheap_sealing.ts');
const settingsOfWarmUp = { KEYWRIGHT_PORT: '0', KEYWRIGHT_ENCLAVES: '1' };

const folder = folderOfSources();
removeUnused();
await madeOnce(folder, readable(compileInto));
await madeOnce(join(folder, 'src/enclave', codeFolder), readable(writeCodeOfEnclave));
for (const command of commandsOf.service) {
  await madeOnce(
    join(folder, 'src/service', command),
    readable((made) => writeCodeOf(command, made)),
  );
}
await madeOnce(join(folder, 'src/offline', codeFolder), readable(writeCodeOfOfflineCommands));
process.stdout.write(folder);

/** Returns the folder for this state of the sources. */
function folderOfSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const name of [import.meta.filename, givenNames, codeWriter, usualRequests, cheapSealing])
    hash.update(readFileSync(name));
  for (const [path, text] of sources()) hash.update(`${path}\0${text.length}\0`).update(text);
  return join(cache, hash.digest('hex').slice(0, 32));
}

function sources(): readonly (readonly [path: string, text: string])[] {
  return globSync(['src/**/*.{ts,json}', 'package.json', 'package-lock.json'], { cwd: root })
    .sort()
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
}

/** Lets other users read a folder, because tests start services as them. */
function readable(make: (made: string) => unknown): (made: string) => Promise<void> {
  return async (made) => {
    await make(made);
    chmodSync(made, 0o755);
  };
}

/** Compiles the sources into a folder that gets its name afterwards. */
function compileInto(made: string): void {
  for (const [path, text] of sources()) {
    const isScript = path.endsWith('.ts');
    // The bundler needs data next to the scripts, and the program needs its own files at the top.
    if (!path.startsWith('src/')) write(join(made, path), text);
    if (forBrowsers.test(path)) write(join(made, compiledPath(path)), compiled(text));
    write(
      join(made, 'unbundled', isScript ? compiledPath(path) : path),
      isScript
        ? withCheapSeals(path, placed(compiled(text), join(folder, compiledPath(path))))
        : text,
    );
  }
  bundle(made, ['src/main.js', openApiThread], {
    chunkNames: 'src/chunks/[name]-[hash]',
    splitting: true,
    format: 'esm',
    // Packages in CommonJS form `require` the modules of Node.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  renameSync(join(made, 'src/main.js'), join(made, 'src/parts.js'));
  makeScriptsOfCommands(made);
  const loads = [
    ['service', "' + process.argv[2] + '"],
    ['offline', `${codeFolder}/' + process.argv[2] + '`],
  ] as const;
  const branches = loads.map(([script, code]) => {
    const isCompiled = `${JSON.stringify(commandsOf[script])}.includes(process.argv[2])`;
    return `if (${isCompiled}) {${scriptLoader(`${script}/`, code)}} else `;
  });
  write(join(made, 'src/main.js'), `${branches.join('')}await import('./parts.js');\n`);
  makeScript(made, 'src/enclave');
  write(join(made, 'src/enclave/main.js'), scriptLoader('', codeFolder));
  rmSync(join(made, 'unbundled'), { recursive: true });
  for (const path of packageFolders()) linkFiles(path, made);
}

/**
 * Bundles the commands of each script. The table of commands omits the others. Otherwise the script would
 * contain them, and its code would take twice the time to load.
 */
function makeScriptsOfCommands(made: string): void {
  const main = readFileSync(join(made, 'unbundled/src/main.js'), 'utf8').replace(/^#!.*/, '');
  const path = join(made, 'unbundled/src/cli/commands.js');
  const table = readFileSync(path, 'utf8');
  for (const [script, commands] of Object.entries(commandsOf)) {
    const isKept = (name: string) => commands.some((command) => name.split(' ')[0] === command);
    const shorter = table.replaceAll(
      /^( *'?)([\w -]+)('?: \(\) => )import\('\.\/commands\/([\w/]+)\.js'\)/gm,
      (load, before, name, between, file) =>
        isKept(name) ? load : `${before}${name}${between}import('${omitted}/${file}.js')`,
    );
    assert.notEqual(shorter, table);
    write(path, shorter);
    // A script has no `await` at its top.
    const text = `(async () => {${main.replaceAll('./', '../')}})();`;
    write(join(made, `unbundled/src/${script}/main.js`), text);
    makeScript(made, `src/${script}`);
  }
}

/** Bundles the main file of a folder into one script. */
function makeScript(made: string, within: string): void {
  bundle(made, [`${within}/main.js`], {
    format: 'cjs',
    banner: { js: '(function (require) {' },
    footer: { js: '})' },
  });
  const script = join(made, within, scriptName);
  renameSync(join(made, within, 'main.js'), script);
  // `import.meta` has no value in a script.
  assert(!readFileSync(script, 'latin1').includes('import_meta'));
}

/**
 * Returns a module that loads a script with its code, which takes half the time of a module. Importing
 * `node:fs` would load its streams. The bundler escapes other characters than ASCII outside of comments, so
 * the script is read as Latin-1.
 */
function scriptLoader(within: string, code: string): string {
  return `
const { readFileSync } = process.getBuiltinModule('node:fs');
const { createRequire } = process.getBuiltinModule('node:module');
const { constants, Script } = process.getBuiltinModule('node:vm');
const path = (name) => import.meta.dirname + '/${within}' + name;
const script = new Script(readFileSync(path('${scriptName}'), 'latin1'), {
  filename: path('${scriptName}'),
  cachedData: readFileSync(path('${code}/${codeName}')),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
script.runInThisContext()(createRequire(import.meta.url));
`;
}

/**
 * Writes the code of the enclave under its flags of V8, after the usual requests. The enclave may not write
 * files, so it runs here without this restriction. This process runs its gateway.
 */
async function writeCodeOfEnclave(made: string): Promise<void> {
  const flags = enclaveFlags().filter((flag) => !/^--(permission$|allow-fs-read=)/.test(flag));
  const data = mkdtempSync(join(tmpdir(), 'keywright-code-'));
  const service = await serve(readSettings({ KEYWRIGHT_DATA_DIR: data, ...settingsOfWarmUp }, []), {
    log: () => {},
    launch: () =>
      startEnclaveProcess({
        log: () => {},
        flags: [...flags, codeWriter, join(made, codeName)],
        entry: join(folder, 'src/enclave', scriptName),
      }),
  });
  await sendUsualRequests(service.baseUrl, credentialsIn(data));
  await service.stop();
  rmSync(data, { recursive: true });
}

/** Writes the code of a command that starts a service, which answers the usual requests and stops. */
async function writeCodeOf(command: string, made: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'keywright-code-'));
  const data = join(home, '.keywright');
  const files = [join(made, codeName), join(folder, 'src/service', scriptName)];
  const service = spawn(process.execPath, [codeWriter, ...files, command], {
    cwd: home,
    env: { KEYWRIGHT_DATA_DIR: data, ...settingsOfWarmUp },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(service, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: service.stderr })) {
    lines.push(line);
    const address = /^keywright (?:dev )?is ready at (\S+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    await (await fetch(`${address}/health/ready`)).text();
    await sendUsualRequests(address, credentialsIn(data));
    service.kill('SIGTERM');
  }
  const [code] = await ended;
  rmSync(home, { recursive: true });
  assert.equal(code, 0, lines.join('\n'));
}

/** Writes the code of each command that works on a stopped service, with the data of one. */
async function writeCodeOfOfflineCommands(made: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'keywright-code-'));
  const at = (name: string) => join(home, name);
  const data = ['--data-dir', at('data')];
  const service = await serve(
    readSettings({ KEYWRIGHT_DATA_DIR: at('data'), ...settingsOfWarmUp }, []),
    {
      log: () => {},
      launch: () =>
        startEnclaveProcess({
          log: () => {},
          flags: enclaveFlags(folder),
          entry: join(folder, 'src/enclave/main.js'),
        }),
    },
  );
  await sendUsualRequests(service.baseUrl, credentialsIn(at('data')));
  await service.stop();
  const key = ['--root-key-file', join(at('data'), 'root.key')];
  const words: Readonly<Record<Offline, readonly string[]>> = {
    backup: ['--to', at('backup'), ...data],
    restore: ['--from', at('backup'), '--data-dir', at('restored'), ...key, '--yes'],
    keys: data,
    'root-key': ['rotate', '--yes', ...data],
  };
  for (const command of commandsOf.offline) {
    const files = [join(made, command, codeName), join(folder, 'src/offline', scriptName)];
    mkdirSync(join(made, command));
    chmodSync(join(made, command), 0o755);
    execFileSync(process.execPath, [codeWriter, ...files, command, ...words[command]], {
      cwd: home,
      env: {},
      stdio: 'pipe',
    });
  }
  rmSync(home, { recursive: true });
}

function credentialsIn(data: string): RootCredentials {
  return JSON.parse(readFileSync(join(data, 'root-credentials.json'), 'utf8'));
}

/** Bundles entry points. With splitting they share modules, and dynamic imports stay dynamic. */
function bundle(made: string, waysIn: readonly string[], more: BuildOptions): void {
  const { outputFiles = [] } = buildSync({
    entryPoints: waysIn.map((path) => join(made, 'unbundled', path)),
    write: false,
    outbase: join(made, 'unbundled'),
    outdir: made,
    bundle: true,
    external: [...unbundled, join(folder, openApiThread), `${omitted}/*`],
    platform: 'node',
    target: 'esnext',
    // Error reports contain class names.
    keepNames: true,
    logLevel: 'error',
    ...more,
  });
  for (const { path, text } of outputFiles) write(path, withoutGivenNames(text));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Replaces the location of a script by that before the bundling. The thread stays a separate file. */
function placed(script: string, path: string): string {
  return script
    .replace(
      /\bimport\('[^']*\/openapi_thread\.js'\)/,
      `import(${JSON.stringify(join(folder, openApiThread))})`,
    )
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
    .replaceAll('import.meta.filename', JSON.stringify(path));
}

/** Returns the script of a source in which new sealed root keys have the least cost of a guess. */
function withCheapSeals(path: string, script: string): string {
  if (path !== 'src/gateway/root_key/sealed_key.ts') return script;
  const cheap = script.replace(
    /(\bpassphraseCost *= )\{[^}]*\}/,
    (_, before) => `${before}${JSON.stringify(leastCost)}`,
  );
  assert.notEqual(cheap, script);
  return cheap;
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
  // A new clone has no cache yet.
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > unusedMs) rmSync(path, { recursive: true, force: true });
  }
}
