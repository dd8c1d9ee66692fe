// `doctor`: all lines are green without a fault, and each fault has a red line and its exit code.

import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveSealed } from '../../src/gateway/root_key/sealed_server.ts';
import { serviceOfThisFile } from '../e2e/service.ts';
import { folderOfTests, runIn } from './terminal.ts';

const service = await serviceOfThisFile();
const folder = folderOfTests();
const rootFile = join(service.dataDirectory, 'root-credentials.json');
const login = await runIn(folder, ['login', '--with', rootFile, '--url', service.baseUrl]);
assert.equal(login.code, 0, login.err);
const keyFile = join(folder, 'config', 'keywright', 'keys', 'default.json');

type Row = { readonly name: string; readonly state: string };
const statesOf = (out: string): Readonly<Record<string, string>> =>
  Object.fromEntries(JSON.parse(out).checks.map(({ name, state }: Row) => [name, state]));

test('without a fault all lines are green', async () => {
  const { code, out } = await runIn(folder, ['doctor', '--json']);
  assert.equal(code, 0);
  assert.deepEqual(statesOf(out), {
    Profile: 'ok',
    Key: 'ok',
    Service: 'ok',
    Ready: 'ok',
    Transport: 'ok',
    Clock: 'ok',
    Credential: 'ok',
    'Service keys': 'ok',
    Backup: 'warning',
    'Root credentials': 'ok',
  });
  const table = await runIn(folder, ['doctor']);
  assert.match(table.out, /^Check +State +Finding/);
});

test('root credentials in the data folder of `KEYWRIGHT_DATA_DIR` cause a warning', async () => {
  const environment = {
    XDG_CONFIG_HOME: join(folder, 'config'),
    KEYWRIGHT_DATA_DIR: service.dataDirectory,
  };
  const { code, out } = await runIn(folder, ['doctor', '--json'], { environment });
  assert.equal(code, 0);
  assert.equal(statesOf(out)['Root credentials'], 'warning');
  assert(out.includes(rootFile), out);
});

for (const [fault, words, change, red, code] of [
  ['a clock that is an hour ahead', [], { clock: () => Date.now() + 3_600_000 }, 'Clock', 4],
  ['an address without a service', ['--url', 'http://127.0.0.1:9'], {}, 'Service', 8],
  ['a name that nobody knows', ['--url', 'http://keys.invalid'], {}, 'Service', 8],
  [
    'another organization',
    ['--organization', '01900000-0000-7000-8000-000000000000'],
    {},
    'Credential',
    5,
  ],
  ['a missing profile', ['--profile', 'gone'], {}, 'Profile', 2],
  ['a missing key file', ['--credentials', 'gone.json'], {}, 'Profile', 2],
] as const) {
  test(`${fault} is red`, async () => {
    const { out, err, code: ended } = await runIn(folder, ['doctor', '--json', ...words], change);
    assert.equal(statesOf(out)[red], 'failed', out);
    assert.equal(ended, code, err);
    assert.equal(JSON.parse(err.trim().split('\n').at(-1) ?? '').error.code, 'unwell');
  });
}

test('a sealed service is red, with a hint to unseal it', async () => {
  const reasons = ['sealed: waiting for the passphrase'];
  const sealed = await serveSealed({ host: '127.0.0.1', port: 0 }, () => reasons);
  try {
    const url = `http://127.0.0.1:${sealed.port}`;
    const { out, err, code } = await runIn(folder, ['doctor', '--json', '--url', url]);
    assert.equal(statesOf(out)['Ready'], 'failed', out);
    assert.equal(code, 8);
    const { next, message } = JSON.parse(err.trim().split('\n').at(-1) ?? '').error;
    assert.match(message, /waits for its root key: .*sealed: waiting for the passphrase/);
    assert.match(next, /^keywright unseal/);
  } finally {
    await sealed.release();
  }
});

test('a key file that others can read is red', async () => {
  chmodSync(keyFile, 0o644);
  try {
    const { out, code } = await runIn(folder, ['doctor', '--json']);
    assert.equal(statesOf(out)['Key'], 'failed');
    assert.equal(code, 2);
  } finally {
    chmodSync(keyFile, 0o600);
  }
});

test('service keys other than the pinned ones are red and end with 9', async () => {
  const config = join(folder, 'config', 'keywright', 'config.json');
  const document = JSON.parse(readFileSync(config, 'utf8'));
  document.profiles.default.pinnedKeys = { exports: '04'.padEnd(130, '1') };
  writeFileSync(config, JSON.stringify(document), { mode: 0o600 });
  const { out, code } = await runIn(folder, ['doctor', '--json']);
  assert.equal(statesOf(out)['Service keys'], 'failed');
  assert.equal(code, 9);
});
