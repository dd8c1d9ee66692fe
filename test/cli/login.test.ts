// A key of this machine: created, registered, used and deleted.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serviceOfThisFile } from '../e2e/service.ts';
import { startForwardingServer } from './forwarding_server.ts';
import { folderOfTests, runIn } from './terminal.ts';

const service = await serviceOfThisFile();
const rootFile = join(service.dataDirectory, 'root-credentials.json');
const at = ['--url', service.baseUrl];
const userId = service.credentials.userId;

test('login stores a profile with a registered key, readable only by its owner', async () => {
  const folder = folderOfTests();
  const { code, err } = await runIn(folder, ['login', '--with', rootFile, ...at]);
  assert.equal(code, 0, err);
  assert.match(err, /Move .* to a safe place/);
  const keyFile = join(folder, 'config', 'keywright', 'keys', 'default.json');
  assert.equal(statSync(keyFile).mode & 0o777, 0o600);
  assert.equal(statSync(join(folder, 'config', 'keywright')).mode & 0o777, 0o700);
  const { apiPublicKey, apiPrivateKey } = JSON.parse(readFileSync(keyFile, 'utf8'));
  assert.notEqual(apiPrivateKey, service.credentials.apiPrivateKey);

  const who = await runIn(folder, ['whoami', '--json']);
  assert.equal(JSON.parse(who.out).userId, userId);
  const keys = JSON.parse((await runIn(folder, ['api', 'get_api_keys', '--user-id', userId])).out);
  const own = keys.apiKeys.find(
    (key: { credential: { publicKey: string } }) => key.credential.publicKey === apiPublicKey,
  );
  assert.equal(own.expirationSeconds, String(30 * 86_400));

  const list = await runIn(folder, ['profile', 'list']);
  assert.match(list.out, /default +yes +Root user +http/);
});

test('logout deletes the key at the service and on this machine', async () => {
  const folder = folderOfTests();
  await runIn(folder, ['login', '--with', rootFile, '--profile', 'ops', ...at]);
  const keyFile = join(folder, 'config', 'keywright', 'keys', 'ops.json');
  const content = readFileSync(keyFile);
  assert.equal((await runIn(folder, ['logout'])).code, 0);
  assert(!existsSync(keyFile));
  assert.match((await runIn(folder, ['whoami'])).err, /no key to sign requests with/);
  const copy = join(folder, 'copy.json');
  writeFileSync(copy, content, { mode: 0o600 });
  const { code } = await runIn(folder, ['whoami', '--credentials', copy]);
  assert.equal(code, 4, 'the service knows the key no more');
});

test('a refused login leaves no files, and an older profile unchanged', async () => {
  const folder = folderOfTests();
  await runIn(folder, ['login', '--with', rootFile, ...at]);
  const config = join(folder, 'config', 'keywright', 'config.json');
  const before = readFileSync(config, 'utf8');
  const stranger = join(folder, 'stranger.json');
  const { organizationId } = service.credentials;
  const { apiPublicKey, apiPrivateKey } = JSON.parse(
    readFileSync(join(folder, 'config', 'keywright', 'keys', 'default.json'), 'utf8'),
  );
  await runIn(folder, ['logout', '--profile', 'default']);
  writeFileSync(stranger, JSON.stringify({ organizationId, apiPublicKey, apiPrivateKey }), {
    mode: 0o600,
  });
  writeFileSync(config, before, { mode: 0o600 });
  const { code } = await runIn(folder, ['login', '--with', stranger, '--profile', 'new', ...at]);
  assert.equal(code, 4);
  assert.equal(readFileSync(config, 'utf8'), before);
  assert(!existsSync(join(folder, 'config', 'keywright', 'keys', 'new.json.new')));
  assert(!existsSync(join(folder, 'config', 'keywright', 'keys', 'new.json')));
});

test('profiles are used and removed by name', async () => {
  const folder = folderOfTests();
  for (const name of ['one', 'two']) {
    await runIn(folder, ['login', '--with', rootFile, '--profile', name, ...at]);
  }
  assert.equal((await runIn(folder, ['profile', 'use', 'one'])).code, 0);
  assert.match((await runIn(folder, ['status'])).out, /^Profile +one$/m);
  assert.match((await runIn(folder, ['status', '--profile', 'two'])).out, /^Profile +two$/m);
  assert.equal((await runIn(folder, ['profile', 'use', 'tow'])).code, 2);
  assert.equal((await runIn(folder, ['profile', 'remove', 'one'])).code, 0);
  assert.equal((await runIn(folder, ['profile', 'list', '--quiet'])).out, 'two\n');
});

test('names that lead outside of the folder of keys are refused', async () => {
  const folder = folderOfTests();
  for (const name of ['../x', 'a/b', '', '.', 'a'.repeat(65)]) {
    const { code } = await runIn(folder, ['login', '--with', rootFile, '--profile', name, ...at]);
    assert.equal(code, 2, name);
  }
});

test('a program of the profile prints the key', async () => {
  const folder = folderOfTests();
  await runIn(folder, ['login', '--with', rootFile, ...at]);
  const config = join(folder, 'config', 'keywright', 'config.json');
  const document = JSON.parse(readFileSync(config, 'utf8'));
  const keyFile = join(folder, 'config', 'keywright', 'keys', 'default.json');
  document.profiles.default.keyCommand = ['cat', keyFile];
  writeFileSync(config, JSON.stringify(document), { mode: 0o600 });
  assert.equal((await runIn(folder, ['whoami'])).code, 0);
  document.profiles.default.keyCommand = ['echo', 'a secret'];
  writeFileSync(config, JSON.stringify(document), { mode: 0o600 });
  const { code, err } = await runIn(folder, ['whoami']);
  assert.equal(code, 2);
  assert.doesNotMatch(err, /a secret/);
});

test('a login with a lost answer continues with its registered key', async () => {
  const folder = folderOfTests();
  const proxy = await losesAnswersOf('create_api_keys');
  const typed = ['login', '--with', rootFile, '--url', proxy.url];
  const lost = await runIn(folder, typed);
  assert.equal(lost.code, 8, lost.err);
  const fresh = join(folder, 'config', 'keywright', 'keys', 'default.json.new');
  const { apiPublicKey } = JSON.parse(readFileSync(fresh, 'utf8'));
  const before = (await keysOf()).length;

  proxy.losesNothing();
  const again = await runIn(folder, typed);
  assert.equal(again.code, 0, again.err);
  assert(!existsSync(fresh));
  const file = join(folder, 'config', 'keywright', 'keys', 'default.json');
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).apiPublicKey, apiPublicKey);
  assert.equal((await keysOf()).length, before, 'no second key was registered');
  assert.equal((await runIn(folder, ['whoami'])).code, 0);
});

/** Returns the keys of the root user. */
async function keysOf(): Promise<readonly unknown[]> {
  const words = ['api', 'get_api_keys', '--user-id', userId, '--credentials', rootFile];
  const { out } = await runIn(folderOfTests(), [...words, ...at]);
  return JSON.parse(out).apiKeys;
}

/** Starts a server before the service that drops the answers to an operation after it was carried out. */
async function losesAnswersOf(operation: string) {
  let loses = true;
  const url = await startForwardingServer(service.baseUrl, async (name, ask) => {
    const answer = await ask();
    return loses && name === operation ? 'cut' : answer;
  });
  return {
    url,
    losesNothing: () => {
      loses = false;
    },
  };
}
