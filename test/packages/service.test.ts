// The packages, installed from their archives by a new user: without a network, into an empty folder.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { hashMessage, recoverAddress, serializeSignature } from 'viem';
import { unknownCredentials } from '../cli/unknown_credentials.ts';
import {
  childrenOf,
  type RunningService,
  startService,
  temporaryDirectory,
} from '../e2e/service.ts';
import { expectedOutcomes, startProbed } from '../enclave/probed_sandbox.ts';
import { installedService, packed, projectWithClient } from './packed.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');
const project = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8'));

const archives = await packed();
const archive = archives.file(/^keywright-[0-9].*\.tgz$/);
const { homeDirectory, home, launcher } = await installedService();
const stranger = await projectWithClient();
copyFileSync(join(import.meta.dirname, 'stranger.mjs'), join(stranger, 'stranger.mjs'));

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The packages inside, by the paths of their folders in the package. */
const inside = globSync('node_modules/**/package.json', { cwd: home })
  .map(dirname)
  .filter((path) => /(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/.test(path))
  .sort();

test('at most 15 MB are fetched, dependencies included', (t) => {
  const { size } = statSync(archive);
  t.diagnostic(`${(size / 1e6).toFixed(1)} MB to fetch, ${inside.length} packages inside`);
  assert.ok(size <= 15e6);
});

test('the packages inside are those that the dependencies reach, as the lockfile names them', () => {
  // npm lists the packages of a production install.
  const listed = execFileSync(
    'npm',
    ['ls', '--all', '--parseable', '--omit=dev', '--omit=optional', '--loglevel=error'],
    { cwd: projectDirectory, encoding: 'utf8' },
  );
  const expected = listed
    .trim()
    .split('\n')
    .slice(1)
    .map((path) => path.slice(projectDirectory.length + 1));
  assert.deepEqual(inside, expected.sort());
  const { packages } = JSON.parse(
    readFileSync(join(projectDirectory, 'package-lock.json'), 'utf8'),
  );
  for (const path of inside) {
    assert.equal(manifestOf(join(home, path)).version, packages[path].version, path);
  }
});

test('there is no Node inside, no tool of development, no test and no TypeScript', () => {
  assert.deepEqual(
    globSync('**/*.{ts,mts,cts,map,node}', { cwd: home }).filter((each) =>
      statSync(join(home, each)).isFile(),
    ),
    [],
  );
  const own = globSync('**', { cwd: home, exclude: ['node_modules'] }).filter((path) =>
    statSync(join(home, path)).isFile(),
  );
  assert.deepEqual([...new Set(own.map((path) => path.split('/')[0]))].sort(), [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bin',
    'cli',
    'dashboard',
    'docs',
    'man',
    'package-lock.json',
    'package.json',
    'recover.mjs',
    'src',
  ]);
  assert.deepEqual(
    own.filter(
      (path) =>
        !/\.([cm]?js|md|json|html|css|svg|png|webmanifest|br)$/.test(path) &&
        !['LICENSE', 'man/keywright.1'].includes(path),
    ),
    [],
  );
  const { scripts, devDependencies, optionalDependencies, dependencies } = manifestOf(home);
  assert.deepEqual(
    { scripts, devDependencies, optionalDependencies, dependencies },
    {
      scripts: undefined,
      devDependencies: undefined,
      optionalDependencies: undefined,
      dependencies: project.dependencies,
    },
  );
});

test('every compiled file can be loaded', async () => {
  // The last one, and those of the frames, are programs of pages, which need a browser.
  const entries = ['src/main.js', 'src/enclave/main.js', 'src/holder_page/program.js'];
  const others = globSync('src/**/*.js', { cwd: home })
    .filter((path) => !entries.includes(path) && !path.startsWith('src/frame_pages/'))
    .sort();
  const script = 'for (const path of process.argv.slice(1)) await import(path);';
  const urls = others.map((path) => pathToFileURL(join(home, path)).href);
  assert.ok(urls.length > 500);
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, ...urls]);
});

const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);

/** Runs the command that a shell finds. */
async function keywright(...words: readonly string[]) {
  return await promisify(execFile)(launcher, words, {
    cwd: temporaryDirectory(),
    env: { PATH: path },
  });
}

test('the command says its version and helps', async () => {
  assert.equal((await keywright('version')).stdout, `keywright ${project.version}\n`);
  const main = await promisify(execFile)(process.execPath, [join(home, 'src/main.js'), 'version']);
  assert.equal(main.stdout, `keywright ${project.version}\n`);
  assert.match((await keywright('help')).stdout, /^ {2}serve /m);
  assert.match((await keywright('serve', '--help')).stdout, /--data-dir/);
});

test('a command loads few files before its first request', (t) => {
  const preload = join(projectDirectory, 'test', 'cli', 'preload_files.ts');
  const asked = unknownCredentials(temporaryDirectory());
  for (const words of [['whoami'], ['wallet', 'list'], ['api', 'list_users']]) {
    const loaded = execFileSync(
      process.execPath,
      ['--import', preload, launcher, ...words, ...asked],
      { env: { HOME: homeDirectory }, encoding: 'utf8' },
    );
    const files = loaded.split('\n').filter((url) => url.startsWith('file:'));
    t.diagnostic(`${files.length} files for ${words.join(' ')}`);
    assert.ok(files.length <= 7, files.join('\n'));
    // These entries load everything that they export.
    assert.doesNotMatch(loaded, /^node:(fs|fs\/promises|net|util)$/m);
  }
});

test('a command that cannot go on says why in one sentence', async () => {
  const ended = await keywright('keys', '--data-dir', temporaryDirectory()).then(
    () => assert.fail('it printed keys'),
    (error) => error,
  );
  assert.match(ended.stderr, /^keywright: there is no root key at /);
  assert.doesNotMatch(ended.stderr, /^ {4}at /m);
});

/** Signs the text `hello` by EIP-191 with a program in the user's folder. */
async function signsFor(node: string, { baseUrl, dataDirectory }: RunningService): Promise<void> {
  const hash = hashMessage('hello');
  const { stdout } = await promisify(execFile)(
    node,
    ['stranger.mjs', baseUrl, join(dataDirectory, 'root-credentials.json'), hash],
    { cwd: stranger },
  );
  const { address, r, s, v } = JSON.parse(stdout);
  const signature = serializeSignature({ r: `0x${r}`, s: `0x${s}`, yParity: Number(v) });
  assert.equal(await recoverAddress({ hash, signature }), address);
}

const dataDirectory = temporaryDirectory();
const service = await startService({ dataDirectory, program: [launcher] });

describe('the service', () => {
  after(() => service.stop());

  test('makes a first signature for the client of the other package', () =>
    signsFor(process.execPath, service));

  test('serves the dashboard, each file as the list of the build has it', async () => {
    const get = async (path: string) => {
      const answer = await fetch(`${service.baseUrl}/dashboard/${path}`);
      assert.equal(answer.status, 200, path);
      return Buffer.from(await answer.arrayBuffer());
    };
    const { version, files } = JSON.parse((await get('integrity.json')).toString());
    assert.equal(version, project.version);
    assert.ok(Object.keys(files).length > 2);
    for (const [path, digest] of Object.entries(files)) {
      assert.equal(
        createHash('sha256')
          .update(await get(path))
          .digest('hex'),
        digest,
        path,
      );
    }
  });

  test('has keys that the command prints', async () => {
    const { stdout } = await keywright('keys', '--data-dir', dataDirectory);
    assert.match(stdout, /[0-9a-f]{64}/);
  });

  test('has an enclave that may read the files of the package alone', () => {
    const [enclave] = childrenOf(service.pid);
    const words = readFileSync(`/proc/${enclave}/cmdline`, 'utf8').split('\0');
    assert.ok(words.includes('--permission'));
    assert.ok(words.includes(join(home, 'src/enclave/main.js')));
    assert.deepEqual(
      words.filter((word) => word.startsWith('--allow')),
      [
        ...['src', 'node_modules', 'package.json', 'package-lock.json'].map(
          (name) => `--allow-fs-read=${join(home, name)}`,
        ),
        '--allow-fs-read=/dev/urandom',
      ],
    );
  });

  test('states the files of its enclave as they are in the package', async () => {
    const { readProgram } = await import(join(home, 'src/enclave/program.js'));
    const read = (file: string) => readFileSync(join(home, file));
    const program = readProgram('src/enclave/main.js', read, 'runtime');
    assert.equal(program.version, project.version);
    assert.notEqual(program.lockfileDigest, '');
    assert.ok(program.sources.split('\n').length > 100);
    execFileSync('sha256sum', ['--check', '--quiet'], { cwd: home, input: program.sources });
  });
});

test('the enclave of the package is refused what that of the sources is', async () => {
  const launching = await import(join(home, 'src/gateway/enclave/process.js'));
  const { enclave, report } = startProbed(launching);
  try {
    const { outcomes, environment } = await report;
    assert.deepEqual(outcomes, expectedOutcomes);
    assert.deepEqual(environment.toSorted(), ['MALLOC_ARENA_MAX', 'UV_THREADPOOL_SIZE']);
  } finally {
    enclave.kill();
  }
});

test('the bill of materials names every package inside, with license and digest', () => {
  const bill = JSON.parse(readFileSync(archives.file(/^keywright-[0-9].*\.cdx\.json$/), 'utf8'));
  assert.equal(bill.bomFormat, 'CycloneDX');
  assert.equal(bill.metadata.component.purl, `pkg:npm/keywright@${project.version}`);
  type Component = { name: string; version: string; licenses: unknown[]; hashes: unknown[] };
  const named = bill.components.map(({ name, version }: Component) => `${name}@${version}`);
  const there = inside.map((folder) => {
    const { name, version } = manifestOf(join(home, folder));
    return `${name}@${version}`;
  });
  assert.deepEqual(named.sort(), [...new Set(there)].sort());
  for (const { name, licenses, hashes } of bill.components as readonly Component[]) {
    assert.ok(licenses?.length > 0 && hashes?.length > 0, name);
  }
});

/** Returns an older Node; the tests that need it are skipped if no variable names one. */
function olderNode(variable: string) {
  const node = process.env[variable] ?? '';
  const skip = existsSync(node)
    ? false
    : `needs an older Node: name its path in the variable ${variable}`;
  const run = async (
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ) =>
    await promisify(execFile)(node, [launcher, ...words], {
      cwd: temporaryDirectory(),
      env: environment,
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  return { path: node, skip, run };
}

const node18 = olderNode('NODE_18');
const node22 = olderNode('NODE_22');

/** The line starts this program, and fetches nothing of its name from a registry. */
const nextUnderNode26 = (words = ''): RegExp =>
  new RegExp(`^next: npx -p node@26 node "/.*keywright[^/"]*" ${words}$`, 'm');

test('under Node 18 each command names the one line that fetches another', {
  skip: node18.skip,
}, async () => {
  for (const words of [['dev'], ['serve', '--port', '0'], ['wallet', 'list'], ['version']]) {
    const { code, stdout, stderr } = await node18.run(words);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    const [sentence, next, ...more] = stderr.trimEnd().split('\n');
    assert.match(sentence, /^keywright: .* needs Node 22\.3 or later, and this is v18/);
    assert.match(next, nextUnderNode26(words[0]));
    assert.deepEqual(more, []);
  }
});

test('under Node 22 the service names the one line that fetches another', {
  skip: node22.skip,
}, async () => {
  const { code, stdout, stderr } = await node22.run(['serve', '--port', '0']);
  assert.notEqual(code, 0);
  assert.equal(stdout, '');
  assert.match(stderr, /serve needs Node 26 or later, and this is v22/);
  assert.match(stderr, nextUnderNode26('serve'));
});

test('under Node 22 the program helps', { skip: node22.skip }, async () => {
  const { stderr, stdout } = await node22.run(['help', '--json']);
  assert.equal(stderr, '');
  assert.ok(JSON.parse(stdout).commands.length > 5);
});

test('under Node 22 clients ask a service', { skip: node22.skip }, async () => {
  const service = await startService({
    dataDirectory: temporaryDirectory(),
    program: [launcher],
  });
  const { baseUrl: url, dataDirectory, credentials } = service;
  const file = join(dataDirectory, 'root-credentials.json');
  const asked = ['--url', url, '--credentials', file, '--json'];
  const whoami = await node22.run(['whoami', ...asked]);
  assert.equal(whoami.stderr, '');
  assert.match(whoami.stdout, new RegExp(credentials.userId));
  const made = await node22.run(['wallet', 'create', 'shop', ...asked]);
  assert.equal(made.code, 0, made.stderr);
  assert.match((await node22.run(['wallet', 'list', ...asked])).stdout, /shop/);
  await signsFor(node22.path, service);
  await service.stop();
});

test('the page for passkeys of key holders loads modules of the package', async () => {
  const files = pathToFileURL(join(home, 'src/holder_page/files.js')).href;
  const { pageFiles } = await import(files);
  const pages: ReadonlyMap<string, { readonly text: string }> = await pageFiles();
  const scripts = [...pages].filter(([path]) => path.endsWith('.js'));
  assert.deepEqual(scripts.map(([path]) => path).toSorted(), [
    '/client/bytes.js',
    '/client/hpke.js',
    '/client/sealed_secret.js',
    '/holder_page/program.js',
  ]);
  for (const [path, { text }] of scripts) {
    for (const [, imported = ''] of text.matchAll(/\bfrom\s*'([^']+)'/g)) {
      assert(pages.has(new URL(imported, `file://${path}`).pathname), `${path}: ${imported}`);
    }
  }
});

test('the frames load modules of the package', async () => {
  const files = pathToFileURL(join(home, 'src/gateway/frames/files.js')).href;
  const { createFrames } = await import(files);
  const frames: { readonly files: ReadonlyMap<string, { readonly text: string }> } =
    await createFrames(['https://app.example']);
  const scripts = [...frames.files].filter(([path]) => path.endsWith('.js'));
  assert(scripts.length > 10, `${scripts.length} modules`);
  for (const [path, { text }] of scripts) {
    for (const [, imported = ''] of text.matchAll(/\bfrom\s*'([^']+)'/g)) {
      const target = new URL(imported, `file://${path}`).pathname;
      assert(frames.files.has(target), `${path}: ${imported}`);
    }
  }
});
