// A release, signed and checked by the commands of docs/deployment.md, with a key of this test. It is packed
// in another checkout, by another user: the same sources and packages give the same bytes.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test as testAlways } from 'node:test';
import { runIn } from '../cli/terminal.ts';
import { startDev } from '../e2e/dev_service.ts';
import { temporaryDirectory } from '../e2e/service.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { type Packed, pack, packed } from './packed.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(projectDirectory, 'docs', 'deployment.md'), 'utf8');
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const { test } = testsThatNeed(hasOpenssl ? undefined : 'openssl is not installed');

/** Returns the commands of a block that the page marks. */
function commandsOf(mark: string): string {
  const [, commands] =
    new RegExp(`<!-- ${mark} -->\\s*\`\`\`sh\\n(.*?)\`\`\``, 's').exec(page) ?? [];
  return commands ?? assert.fail(`docs/deployment.md marks no block ${mark}`);
}

const follow = (mark: string, cwd: string): string =>
  execFileSync('sh', ['-e', '-c', commandsOf(mark)], { cwd, encoding: 'utf8', stdio: 'pipe' });

const home = temporaryDirectory();
const keyFile = join(home, 'release.key');

/** Creates another checkout of the same state, with the packages that are installed here. */
function copyOfProject(): string {
  const copy = join(temporaryDirectory(), 'elsewhere');
  mkdirSync(copy);
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: projectDirectory,
    encoding: 'utf8',
  });
  const parts = new Set(tracked.split('\n').map((path) => path.split('/')[0] ?? ''));
  for (const part of ['test', 'examples', 'bench', '']) parts.delete(part);
  for (const part of parts) {
    cpSync(join(projectDirectory, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(projectDirectory, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Packs the copy with the settings of another user, and signs it if openssl can create keys. */
function packElsewhere(): Packed {
  const mask = process.umask(0o077);
  try {
    const environment = { TZ: 'Asia/Kathmandu', LC_ALL: 'C', USER: 'somebody', ...signing() };
    return pack({ project: copyOfProject(), environment });
  } finally {
    process.umask(mask);
  }
}

/** Creates the key, and returns the variable that names it. */
function signing(): Readonly<Record<string, string>> {
  if (!hasOpenssl) return {};
  follow('release-key', home);
  // The block runs `npm run pack`; `pack` runs the command of that script, into a folder of this test.
  const [, variable = ''] =
    /^(\w+)="\$PWD\/release\.key" npm run pack$/m.exec(commandsOf('release')) ?? [];
  return { [variable]: keyFile };
}

const release = packElsewhere();

testAlways('two builds are the same to the last bit, but for signatures', async () => {
  const here = await packed();
  const files = ({ folder }: Packed) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  const read = ({ folder }: Packed, name: string) => readFileSync(join(folder, name));
  const signatures = ['SHA256SUMS.sig', 'integrity.json.sig', 'release.pub'];
  const expected = [...files(here), ...(hasOpenssl ? signatures : [])].sort();
  assert.deepEqual(files(release), expected);
  assert.ok(files(here).some((name) => name.endsWith('.tgz')));
  const sums = 'SHA256SUMS';
  assert.deepEqual(
    files(here).filter((name) => name !== sums && !read(here, name).equals(read(release, name))),
    [],
    'these files differ',
  );
  const signed = read(release, sums)
    .toString()
    .split(/(?<=\n)/);
  const alike = signed.filter((line) => !line.endsWith('  integrity.json.sig\n'));
  assert.equal(alike.join(''), read(here, sums).toString());
  execFileSync('sha256sum', ['--check', '--quiet', sums], { cwd: here.folder });
});

test('an operator checks a release by the documented commands, and finds one changed byte', () => {
  const publicHalf = (folder: string) => readFileSync(join(folder, 'release.pub'), 'utf8');
  assert.equal(publicHalf(release.folder), publicHalf(home));
  assert.match(follow('release-check', release.folder), /Signature Verified Successfully/);
  const sums = join(release.folder, 'SHA256SUMS');
  const text = readFileSync(sums, 'utf8');
  assert.match(text, / {2}integrity\.json\.sig$/m);
  const archive = release.file(/^keywright-[0-9].*\.tgz$/);
  const bytes = readFileSync(archive);
  for (const [file, changed, back] of [
    [sums, text.replace(/^./, (digit) => (digit === '0' ? '1' : '0')), text],
    [archive, Buffer.concat([bytes, Buffer.of(0)]), bytes],
  ] as const) {
    writeFileSync(file, changed);
    assert.throws(() => follow('release-check', release.folder));
    writeFileSync(file, back);
  }
});

test('“dashboard verify” takes the signature that the release brings, and that of no other key', async (t) => {
  const folder = temporaryDirectory();
  const built = join(release.folder, 'keywright', 'dashboard');
  const service = await startDev(folder, '--dashboard-dir', built);
  t.after(() => service.stop());
  const verify = (key: string) =>
    runIn(folder, [
      ...['dashboard', 'verify', service.baseUrl, '--from', built, '--json'],
      ...['--release-key', key, '--signature', join(release.folder, 'integrity.json.sig')],
    ]);
  assert.equal((await verify(join(home, 'release.pub'))).code, 0);
  const other = join(folder, 'other.pub');
  const { publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(other, publicKey.export({ type: 'spki', format: 'pem' }));
  assert.equal((await verify(other)).code, 9);
});

test('no file of a release holds the private half', () => {
  const [, body = ''] = /-\n(.*)\n-/.exec(readFileSync(keyFile, 'utf8')) ?? [];
  assert.ok(body.length > 40);
  const found = spawnSync(
    'grep',
    ['--recursive', '--text', '--files-with-matches', '--fixed-strings', body, release.folder],
    { encoding: 'utf8' },
  );
  assert.deepEqual([found.status, found.stdout], [1, '']);
});

test('a key that others can read, and one of another kind, end the build before it begins', () => {
  const { folder } = release;
  const build = (file: string) =>
    spawnSync(process.execPath, ['tools/build.ts', '--pack', '--to', folder], {
      cwd: projectDirectory,
      env: { ...process.env, RELEASE_KEY_FILE: file },
      encoding: 'utf8',
    });
  const open = join(home, 'open.key');
  copyFileSync(keyFile, open);
  chmodSync(open, 0o644);
  const other = join(home, 'other.key');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(other, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const publicHalf = join(home, 'release.pub');
  chmodSync(publicHalf, 0o600);
  for (const [file, reason] of [
    [open, /can be read by others than its owner: chmod 600/],
    [other, /holds no Ed25519 private key/],
    [publicHalf, /holds no Ed25519 private key/],
    [join(dirname(home), 'nowhere.key'), /ENOENT/],
  ] as const) {
    const { status, stderr } = build(file);
    assert.notEqual(status, 0);
    assert.match(stderr, reason);
  }
  assert.ok(existsSync(join(folder, 'SHA256SUMS.sig')), 'the release is still there');
});
