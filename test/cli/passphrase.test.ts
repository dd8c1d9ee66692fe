// Keys under a passphrase are created, read and sealed again, and a wrong passphrase never opens them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serviceOfThisFile } from '../e2e/service.ts';
import { folderOfTests, type Ran, runIn } from './terminal.ts';

const service = await serviceOfThisFile();
const rootFile = join(service.dataDirectory, 'root-credentials.json');
const folder = folderOfTests();
const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const inFolder = (name: string) => join(folder, name);
const contentOf = (name: string) => JSON.parse(readFileSync(inFolder(name), 'utf8'));
const write = (name: string, text: string): string => {
  writeFileSync(inFolder(name), text, { mode: 0o600 });
  return inFolder(name);
};

const right = write('right.txt', 'correct horse battery staple\n');
const other = write('other.txt', 'another passphrase of mine');
const keyFile = inFolder('config/keywright/keys/default.json');
const nowhere = ['--url', 'http://127.0.0.1:9'];

/** Returns the typed answer to each question. */
const typing = (...lines: readonly string[]) => {
  const left = [...lines];
  return { askSecret: async () => Buffer.from(left.shift() ?? '') };
};

test('login --new-passphrase-file stores a key without its private half in the clear', async () => {
  const words = ['login', '--with', rootFile, '--url', service.baseUrl];
  const { code, err } = await runIn(folder, [...words, '--new-passphrase-file', right]);
  assert.equal(code, 0, err);
  const { apiPublicKey, sealedPrivateKey, ...others } = JSON.parse(readFileSync(keyFile, 'utf8'));
  assert.match(
    sealedPrivateKey,
    new RegExp(`^keywright sealed API key ${apiPublicKey}, version 1`),
  );
  assert(!('apiPrivateKey' in others));
  assert.equal(statSync(keyFile).mode & 0o777, 0o600);
});

test('the passphrase comes from a file, from the variable that names it, or from a person', async () => {
  const XDG_CONFIG_HOME = inFolder('config');
  const KEYWRIGHT_KEY_PASSPHRASE_FILE = right;
  const environment = { XDG_CONFIG_HOME, KEYWRIGHT_KEY_PASSPHRASE_FILE };
  const ways: readonly Ran[] = [
    await runIn(folder, ['whoami', '--key-passphrase-file', right]),
    await runIn(folder, ['whoami'], { environment }),
    await runIn(folder, ['whoami'], typing('wrong', 'wrong', 'correct horse battery staple')),
  ];
  for (const { code, err } of ways) assert.equal(code, 0, err);
});

test('the passphrase comes from a descriptor, and is in no argument or variable', () => {
  const script = `"$0" ${main} whoami --key-passphrase-file /dev/fd/3 3< <(cat ${right})`;
  const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: inFolder('config') };
  const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath], { env });
  assert.equal(status, 0, String(stderr));
});

test('a wrong or missing passphrase ends with 2 before any request', async () => {
  // Nothing listens there, so a request would end with 8.
  const refusals = {
    wrong_passphrase: await runIn(folder, [
      'whoami',
      ...nowhere,
      '--json',
      '--key-passphrase-file',
      other,
    ]),
    no_passphrase: await runIn(folder, ['whoami', ...nowhere, '--json']),
    file_missing: await runIn(folder, [
      'whoami',
      ...nowhere,
      '--json',
      '--key-passphrase-file',
      inFolder('none.txt'),
    ]),
  };
  for (const [expected, { code, err }] of Object.entries(refusals)) {
    assert.equal(code, 2, err);
    assert.equal(JSON.parse(err).error.code, expected);
  }
  const thrice = await runIn(folder, ['whoami', ...nowhere], typing('a', 'b', 'c', 'right late'));
  assert.equal(thrice.code, 2);
  assert.match(thrice.err, /the passphrase does not open/);
});

test('a passphrase file that others can read, or of several lines, is refused', async () => {
  const loose = inFolder('loose.txt');
  writeFileSync(loose, 'correct horse battery staple', { mode: 0o644 });
  const lines = write('lines.txt', 'one line\nand another\n');
  for (const file of [
    loose,
    lines,
    write('empty.txt', '\n'),
    write('long.txt', 'x'.repeat(3000)),
  ]) {
    const { code, err } = await runIn(folder, ['whoami', '--key-passphrase-file', file]);
    assert.equal(code, 2, err);
    assert.doesNotMatch(err, /horse|another/);
  }
});

test('keywright passphrase seals, seals again and opens a file with the same key', async () => {
  const before = JSON.parse(readFileSync(rootFile, 'utf8'));
  write('ops.json', JSON.stringify(before));
  const words = ['passphrase', inFolder('ops.json')];
  const run = async (more: readonly string[]) => {
    const { code, err } = await runIn(folder, [...words, ...more]);
    assert.equal(code, 0, err);
    assert.equal(statSync(inFolder('ops.json')).mode & 0o777, 0o600);
    return contentOf('ops.json');
  };
  const sealed = await run(['--new-passphrase-file', right]);
  assert(!JSON.stringify(sealed).includes(before.apiPrivateKey));
  const again = await run(['--new-passphrase-file', other, '--key-passphrase-file', right]);
  assert.notEqual(again.sealedPrivateKey, sealed.sealedPrivateKey);
  const old = await runIn(folder, [...words, '--remove', '--key-passphrase-file', right]);
  assert.equal(old.code, 2, 'the passphrase of before opens it no more');
  const opened = await run(['--remove', '--key-passphrase-file', other]);
  assert.equal(opened.apiPrivateKey, before.apiPrivateKey);
  assert.equal((await runIn(folder, [...words, '--remove'])).code, 2, 'it has none');
});

test('a short passphrase or two different ones leave the file unchanged', async () => {
  const before = readFileSync(write('ops.json', readFileSync(rootFile, 'utf8')));
  const words = ['passphrase', inFolder('ops.json')];
  const short = await runIn(folder, words, typing('short', 'short'));
  assert.equal(short.code, 2);
  assert.match(short.err, /5 bytes, at least 12/);
  const typed = typing('correct horse battery', 'correct house battery');
  assert.equal((await runIn(folder, words, typed)).code, 2);
  assert.deepEqual(readFileSync(inFolder('ops.json')), before);
});

test('the target of a link is sealed, and the link stays', async () => {
  write('real.json', readFileSync(rootFile, 'utf8'));
  symlinkSync(inFolder('real.json'), inFolder('link.json'));
  const words = ['passphrase', inFolder('link.json'), '--new-passphrase-file', right];
  assert.equal((await runIn(folder, words)).code, 0);
  assert(lstatSync(inFolder('link.json')).isSymbolicLink());
  assert('sealedPrivateKey' in contentOf('real.json'));
});

test('a file whose public key or cost was altered is refused', async () => {
  const stored = JSON.parse(readFileSync(keyFile, 'utf8'));
  const altered = [
    { ...stored, apiPublicKey: service.credentials.apiPublicKey },
    {
      ...stored,
      sealedPrivateKey: stored.sealedPrivateKey.replace('memory=65536', 'memory=9999999'),
    },
    { ...stored, sealedPrivateKey: stored.sealedPrivateKey.replace('passes=3', 'passes=1') },
    { ...stored, sealedPrivateKey: `${stored.sealedPrivateKey}\n` },
  ];
  for (const content of altered) {
    const file = write('altered.json', JSON.stringify(content));
    const words = ['whoami', '--credentials', file, '--key-passphrase-file', right];
    const { code, err } = await runIn(folder, words);
    assert.equal(code, 2, err);
  }
});

test('user create --passphrase seals the key of the new user, and a short passphrase creates nothing', async () => {
  const as = ['--credentials', rootFile, '--url', service.baseUrl];
  const words = ['user', 'create', 'dave', '--key-file', inFolder('dave.json'), ...as];
  const short = write('short.txt', 'short');
  assert.equal((await runIn(folder, [...words, '--new-passphrase-file', short])).code, 2);
  assert(!existsSync(inFolder('dave.json')));
  const typed = typing('six random words', 'six random words');
  const made = await runIn(folder, [...words, '--passphrase'], typed);
  assert.equal(made.code, 0, made.err);
  const daves = ['whoami', '--credentials', inFolder('dave.json'), '--json'];
  const who = await runIn(folder, daves, typing('six random words'));
  assert.equal(JSON.parse(who.out).username, 'dave', who.err);
  const without = await runIn(folder, ['user', 'create', 'erin', '--passphrase', ...as]);
  assert.equal(without.code, 2, 'there is no key to seal');
});

test('a continued login keeps the passphrase of its key', async () => {
  const words = ['login', '--with', rootFile, '--profile', 'later'];
  const seal = ['--new-passphrase-file', right];
  const sealedFile = inFolder('config/keywright/keys/later.json.new');
  const target = JSON.parse(readFileSync(keyFile, 'utf8'));
  write('config/keywright/keys/later.json.new', JSON.stringify(target));
  const lost = await runIn(folder, [...words, '--url', service.baseUrl]);
  assert.equal(lost.code, 2, 'nobody gives its passphrase');
  assert(existsSync(sealedFile), 'the key is not lost');
  const { code, err } = await runIn(folder, [...words, '--url', service.baseUrl, ...seal]);
  assert.equal(code, 0, err);
  const stored = JSON.parse(readFileSync(inFolder('config/keywright/keys/later.json'), 'utf8'));
  assert.equal(stored.sealedPrivateKey, target.sealedPrivateKey);
});
