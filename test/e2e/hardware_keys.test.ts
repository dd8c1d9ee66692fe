// The recipes of docs/root-key.md for hardware and a key management service, with emulators: a service takes
// its root key from them and signs.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { freePort } from '../support/free_port.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { accountParameters, createAddress } from './clients.ts';
import { startService, temporaryDirectory, until } from './service.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/root-key.md'), 'utf8');

/** The commands or settings of a block that the page marks. */
function blockOf(mark: string): string {
  const [, block] = new RegExp(`<!-- ${mark} -->\\s*\`\`\`sh\\n(.*?)\`\`\``, 's').exec(page) ?? [];
  return block ?? assert.fail(`docs/root-key.md marks no block ${mark}`);
}

/** The settings of a block, as a shell reads them. */
function settingsOf(mark: string): Record<string, string> {
  const lines = blockOf(mark).trimEnd().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([A-Z0-9_]+)='?(.*?)'?$/.exec(line) ?? [];
      return [name, value];
    }),
  );
}

const missing = (...programs: readonly string[]): string | undefined => {
  const absent = programs.filter((name) => spawnSync('which', [name]).status !== 0);
  return absent.length === 0 ? undefined : `needs ${absent.join(', ')}`;
};

/** A folder with a new root key. */
function newFolder(): string {
  const folder = temporaryDirectory();
  const key = crypto.getRandomValues(new Uint8Array(32));
  writeFileSync(join(folder, 'root.key'), key, { mode: 0o600 });
  return folder;
}

/** Runs the block of a page, removes the key in the clear, and starts a service by its settings. */
async function signsWith(
  folder: string,
  mark: string,
  {
    environment,
    replaced,
  }: {
    readonly environment: Readonly<Record<string, string>>;
    readonly replaced: Readonly<Record<string, string>>;
  },
): Promise<void> {
  const env = { PATH: process.env['PATH'], HOME: folder, ...environment };
  execFileSync('sh', ['-ec', blockOf(mark)], { cwd: folder, env, stdio: 'pipe' });
  rmSync(join(folder, 'root.key'));
  const settings = settingsOf(`${mark}-settings`);
  for (const [from, to] of Object.entries(replaced)) {
    for (const name of Object.keys(settings))
      settings[name] = settings[name]?.replace(from, to) ?? '';
  }
  const start = {
    dataDirectory: join(folder, 'data'),
    environment: { ...environment, ...settings },
  };
  const service = await startService(start);
  const address = await createAddress(service, 'First', accountParameters.ethereum);
  await service.stop();
  // The key is the same each time, and is nowhere in the data folder.
  const again = await startService(start);
  assert.notEqual(await createAddress(again, 'Second', accountParameters.ethereum), address);
  await again.stop();
  assert.equal(existsSync(join(folder, 'data', 'root.key')), false);
}

const pkcs11 = testsThatNeed(missing('softhsm2-util', 'pkcs11-tool', 'openssl'));
pkcs11.test('PKCS #11: a service signs with a key that a module opens', async () => {
  const folder = newFolder();
  const module = '/usr/lib/softhsm/libsofthsm2.so';
  mkdirSync(join(folder, 'tokens'));
  const config = join(folder, 'softhsm2.conf');
  writeFileSync(config, `directories.tokendir = ${join(folder, 'tokens')}\n`);
  const environment = { SOFTHSM2_CONF: config, PKCS11_PIN: '271828', MODULE: module };
  execFileSync(
    'softhsm2-util',
    ['--init-token', '--free', '--label', 'keywright', '--so-pin', '314159', '--pin', '271828'],
    { env: { ...process.env, ...environment }, stdio: 'pipe' },
  );
  await signsWith(folder, 'pkcs11', {
    environment,
    replaced: { MODULE: module, '/etc/keywright/root.key.p11': join(folder, 'root.key.p11') },
  });
});

const tpm2 = testsThatNeed(missing('swtpm', 'tpm2_unseal'));
tpm2.test('TPM 2.0: a service signs with a key that the TPM unseals', async () => {
  const folder = newFolder();
  const state = join(folder, 'tpm');
  mkdirSync(state);
  const socket = join(folder, 'tpm.sock');
  const emulator = spawn(
    'swtpm',
    [
      ...['socket', '--tpm2', '--tpmstate', `dir=${state}`, '--flags'],
      ...['not-need-init,startup-clear', '--server', `type=unixio,path=${socket}`],
      ...['--ctrl', `type=unixio,path=${socket}.ctrl`],
    ],
    { stdio: 'ignore' },
  );
  after(() => emulator.kill('SIGKILL'));
  await until('the emulator listens', () => existsSync(socket));
  const environment = { TPM2TOOLS_TCTI: `swtpm:path=${socket}` };
  await signsWith(folder, 'tpm2', { environment, replaced: {} });
  emulator.kill('SIGKILL');
});

const awsKms = testsThatNeed(missing('aws', 'moto_server'));
awsKms.test('AWS KMS: a service signs with a key that the key service decrypts', async () => {
  const folder = newFolder();
  const port = String(await freePort());
  const emulator = spawn('moto_server', ['-H', '127.0.0.1', '-p', port], { stdio: 'ignore' });
  after(() => emulator.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  await until('the emulator answers', () =>
    fetch(`${url}/moto-api/`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const environment = {
    AWS_ENDPOINT_URL: url,
    AWS_DEFAULT_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  const aws = execFileSync('which', ['aws'], { encoding: 'utf8' }).trim();
  await signsWith(folder, 'aws-kms', {
    environment,
    replaced: { '/usr/bin/aws': aws, '/etc/keywright/root.key.kms': join(folder, 'root.key.kms') },
  });
  emulator.kill('SIGKILL');
});
