// Protection against other users of this machine, and against hostile files and programs.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, mock, test } from 'node:test';
import { readPrivateText } from '../../src/cli/files/files.ts';
import { newKey } from '../../src/cli/service/new_key.ts';
import { until } from '../e2e/service.ts';
import { compileCache } from '../support/compile_cache.ts';
import { folderOfTests, runIn } from './terminal.ts';

const organizationId = '01a205ac-48e3-74b0-9a8f-4777ece305a4';
const folder = folderOfTests();
const config = join(folder, 'config', 'keywright', 'config.json');
mkdirSync(join(folder, 'config', 'keywright', 'keys'), { recursive: true, mode: 0o700 });
const key = { ...(await newKey()), organizationId };
const keyText = JSON.stringify(key);
const write = (path: string, content: string) => writeFileSync(path, content, { mode: 0o600 });
const needsRoot = process.getuid?.() === 0 ? false : 'needs root, to give files to another user';

/** Every received request in its original form. */
const requests: string[] = [];
let hangs = false;
const server = createServer((request, response) => {
  void text(request).then((body) => {
    requests.push(`${request.url}\n${JSON.stringify(request.headers)}\n${body}`);
    if (!hangs) response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => {
  server.closeAllConnections();
  server.close();
});
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const profileWith = (members: object) =>
  write(
    config,
    JSON.stringify({ current: 'p', profiles: { p: { url, organizationId, ...members } } }),
  );

for (const [members, says] of [
  [{ keyCommand: 'pass show keywright' }, /profile p: keyCommand is not a list of words/],
  [{ keyCommand: [] }, /keyCommand is not a list of words/],
  [{ keyCommand: [1] }, /keyCommand is not a list of words/],
  [{ keyCommand: null }, /keyCommand is not a list of words/],
  [{ url: 7 }, /profile p: url is not a text/],
  [{ organizationId: [] }, /profile p: organizationId is not a text/],
  [{ pinnedKeys: 'none' }, /profile p: pinnedKeys is not an object of texts/],
  [{ pinnedKeys: { quorum: 1 } }, /profile p: pinnedKeys is not an object of texts/],
] as const) {
  test(`a profile with ${JSON.stringify(members)} is refused, and nothing is run or sent`, async () => {
    profileWith(members);
    requests.length = 0;
    for (const words of [['whoami'], ['profile', 'list']]) {
      const { code, err } = await runIn(folder, words);
      assert.equal(code, 2, err);
      assert.match(err, says);
    }
    assert.deepEqual(requests, []);
  });
}

for (const content of ['null', '[]', '{"profiles":[]}', '{"profiles":{"p":null}}', '', '\u0000']) {
  test(`profiles that are ${JSON.stringify(content)} are refused with the name of the file`, async () => {
    write(config, content);
    const { code, err } = await runIn(folder, ['whoami', '--profile', 'p']);
    assert.equal(code, 2, err);
    assert(err.includes(config), err);
  });
}

/** Writes a program of a few lines into a file. */
function program(lines: string): readonly string[] {
  const path = join(folder, 'program.mjs');
  write(path, lines);
  return [process.execPath, path];
}

const print = (content: string) => `process.stdout.write(${JSON.stringify(content)});`;
const secret = key.apiPrivateKey;
for (const [what, lines] of [
  ['nothing', ''],
  ['half a key', print(keyText.slice(0, -20))],
  ['a key and more', print(`${keyText}\n${keyText}`)],
  ['a list', print(`[${keyText}]`)],
  ['the key as a text', print(secret)],
  ['a key without end', `for (;;) process.stdout.write('${secret.repeat(100)}');`],
  ['a key, and fails', `${print(keyText)} process.exitCode = 1;`],
  ['a key of other digits', print(keyText.replace(secret, secret.slice(2)))],
  ['codes of a terminal', print('\u001b[2J{"apiPublicKey":"\u001b[2J"}')],
] as const) {
  test(`a program that prints ${what} ends the command, which prints nothing of it`, async () => {
    profileWith({ keyCommand: program(lines) });
    requests.length = 0;
    const { code, out, err } = await runIn(folder, ['whoami', '--verbose']);
    assert.equal(code, 2, err);
    assert(!`${out}${err}`.includes(secret.slice(0, 16)), err);
    assert.doesNotMatch(err.replaceAll('\n', ''), /\p{C}/u);
    assert.deepEqual(requests, []);
  });
}

test('a program may print other text besides the key', async () => {
  const lines = `${print(`\ufeff${keyText}\r\n`)} process.stderr.write('unlocked\\u001b[2J');`;
  profileWith({ keyCommand: program(lines) });
  requests.length = 0;
  const { err } = await runIn(folder, ['whoami', '--verbose']);
  assert.equal(requests.length, 1, err);
  assert(!err.includes('unlocked'));
});

test('no part of the key is sent, printed, shown by --verbose or in a curl command', async () => {
  profileWith({ keyCommand: program(print(keyText)) });
  requests.length = 0;
  const shown: string[] = [];
  for (const words of [
    ['whoami', '--verbose'],
    ['whoami', '--verbose', '--json'],
    ['wallet', 'create', 'shop', '--curl'],
    ['wallet', 'create', 'shop', '--verbose', '--dry-run'],
    ['status', '--json'],
    ['profile', 'list', '--json'],
    ['doctor', '--verbose'],
  ]) {
    const { out, err } = await runIn(folder, words);
    shown.push(out, err);
  }
  assert(requests.length > 3 && shown.some((each) => each.startsWith('curl ')));
  const forms = [secret, Buffer.from(secret, 'hex').toString('base64url')];
  for (const each of [...shown, ...requests]) {
    for (const form of forms) assert(!each.includes(form.slice(0, 16)));
  }
});

test('a symbolic link is followed, and the mode of its file counts', async () => {
  const [file, link] = [join(folder, 'target.json'), join(folder, 'link.json')];
  write(file, keyText);
  symlinkSync(file, link);
  assert.equal(await readPrivateText(link), keyText);
  for (const mode of [0o640, 0o604, 0o620, 0o660]) {
    chmodSync(file, mode);
    await assert.rejects(readPrivateText(link), { code: 'file_open_to_others' });
  }
});

test('a key file that is replaced after the check of its mode is not read', async () => {
  const [file, other] = [join(folder, 'checked.json'), join(folder, 'other.json')];
  write(file, keyText);
  writeFileSync(other, 'replaced', { mode: 0o666 });
  const open = fs.open;
  const replaced = mock.method(fs, 'open', async (path: string, ...rest: never[]) => {
    const handle = await open(path, ...rest);
    const stat = handle.stat.bind(handle);
    handle.stat = (async () => {
      const found = await stat();
      if (existsSync(other)) renameSync(other, file);
      return found;
    }) as typeof handle.stat;
    return handle;
  });
  syncBuiltinESMExports();
  try {
    assert.equal(await readPrivateText(file), keyText);
  } finally {
    replaced.mock.restore();
    syncBuiltinESMExports();
  }
});

test('credentials of another user in this folder are not used by default', {
  skip: needsRoot,
}, async () => {
  const here = folderOfTests();
  mkdirSync(join(here, 'data'));
  const planted = join(here, 'data', 'root-credentials.json');
  write(planted, JSON.stringify({ ...key, baseUrl: url }));
  chownSync(planted, 65_534, 65_534);
  requests.length = 0;
  const refused = await runIn(here, ['whoami']);
  assert.equal(refused.code, 2, refused.err);
  assert.match(refused.err, /belongs to another user/);
  assert.deepEqual(requests, []);
  // A user who names the file has chosen it.
  await runIn(here, ['whoami', '--credentials', planted]);
  assert.equal(requests.length, 1);
});

test('pinned keys and profiles that others can write are not trusted', async () => {
  profileWith({ keyCommand: program(print(keyText)) });
  const pins = join(folder, 'config', 'keywright', 'pinned_keys.json');
  const keyFile = join(folder, 'own.json');
  write(keyFile, JSON.stringify({ ...key, baseUrl: url }));
  write(pins, '{}');
  for (const [file, words] of [
    [config, ['whoami']],
    [pins, ['whoami', '--credentials', keyFile]],
  ] as const) {
    chmodSync(file, 0o666);
    const { code, err } = await runIn(folder, words);
    chmodSync(file, 0o600);
    assert.equal(code, 2, err);
    assert.match(err, /chmod 600/);
  }
  rmSync(pins);
});

test('a failure to create the folder of settings is an error with a sentence', async () => {
  const blocked = join(folder, 'file');
  writeFileSync(blocked, '');
  const keyFile = join(folder, 'own.json');
  const { code, err } = await runIn(folder, ['login', '--with', keyFile, '--url', url], {
    environment: { XDG_CONFIG_HOME: blocked },
  });
  assert.notEqual(code, 1, err);
});

test('an interrupt ends a command whose service does not answer', async () => {
  const keyFile = join(folder, 'hung.json');
  write(keyFile, JSON.stringify({ ...key, baseUrl: url }));
  requests.length = 0;
  hangs = true;
  const child = spawn(process.execPath, ['src/main.ts', 'whoami', '--credentials', keyFile], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  await until('the service gets the request', () => requests.length > 0);
  child.kill('SIGINT');
  const code = await ended;
  hangs = false;
  assert.equal(code, 130);
  assert.equal(requests.length, 1, 'no further request after an interrupt');
});

test('an interrupt ends a command that waits for input or for a hanging key program', async () => {
  const keyFile = join(folder, 'interrupted.json');
  const started = join(folder, 'started');
  write(keyFile, JSON.stringify({ ...key, baseUrl: url }));
  profileWith({
    keyCommand: program(
      `import { writeFileSync } from 'node:fs'; process.on('SIGINT', () => {});
      writeFileSync(${JSON.stringify(started)}, String(process.pid)); setInterval(() => {}, 1000);`,
    ),
  });
  const begin = (words: readonly string[]) => {
    const env = {
      ...compileCache,
      PATH: process.env['PATH'],
      XDG_CONFIG_HOME: join(folder, 'config'),
    };
    const child = spawn(process.execPath, ['src/main.ts', ...words], {
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    return { child, ended: new Promise((resolve) => child.once('exit', resolve)) };
  };
  const reading = begin(['stamp', '-', '--credentials', keyFile]);
  // A text larger than a pipe's buffer is written while the command reads, and the command then waits for
  // the end.
  await new Promise((resolve) => reading.child.stdin.write(new Uint8Array(1_000_000), resolve));
  reading.child.kill('SIGINT');
  assert.equal(await reading.ended, 130);
  const hanging = begin(['whoami']);
  await until('the program runs', () => existsSync(started) && readFileSync(started).length > 0);
  const pid = Number(readFileSync(started, 'utf8'));
  hanging.child.kill('SIGINT');
  assert.equal(await hanging.ended, 130);
  await until('the program has ended', () => !existsSync(`/proc/${pid}`));
});

test('a remaining file of a killed command does not affect later commands', async () => {
  profileWith({ keyCommand: program(print(keyText)) });
  writeFileSync(`${config}.${process.pid}.new`, 'half');
  const { code, err } = await runIn(folder, ['profile', 'use', 'p']);
  assert.equal(code, 0, err);
  assert.equal(JSON.parse(readFileSync(config, 'utf8')).current, 'p');
});
