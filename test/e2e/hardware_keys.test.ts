// The recipes of docs/root-key.md for hardware and a key management service, with emulators. A service
// gets its root key from them and signs.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { freePort } from '../support/free_port.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { accountParameters, createAddress } from './clients.ts';
import {
  blockOf,
  type Environment,
  missing,
  missingForPkcs11,
  missingForTpm2,
  newToken,
  runIn,
  settingsOf,
  settingsOfToken,
  startTpm,
} from './hardware_recipes.ts';
import { startService, temporaryDirectory, until } from './service.ts';

/** Creates a folder with a new root key. */
function newFolder(): string {
  const folder = temporaryDirectory();
  const key = crypto.getRandomValues(new Uint8Array(32));
  writeFileSync(join(folder, 'root.key'), key, { mode: 0o600 });
  return folder;
}

/** Runs the block of a page, deletes the plain key, and starts a service with its settings. */
async function signsWith(
  folder: string,
  mark: string,
  { environment, settings }: { readonly environment: Environment; readonly settings: Environment },
): Promise<void> {
  runIn(folder, blockOf(mark), environment);
  rmSync(join(folder, 'root.key'));
  const start = {
    dataDirectory: join(folder, 'data'),
    environment: { ...environment, ...settings },
  };
  const service = await startService(start);
  const address = await createAddress(service, 'First', accountParameters.ethereum);
  await service.stop();
  // The key is the same each time, and is not in the data folder.
  const again = await startService(start);
  assert.notEqual(await createAddress(again, 'Second', accountParameters.ethereum), address);
  await again.stop();
  assert.equal(existsSync(join(folder, 'data', 'root.key')), false);
}

const pkcs11 = testsThatNeed(missingForPkcs11);
pkcs11.test('PKCS #11: a service signs with a key that a module opens', async () => {
  const folder = newFolder();
  const environment = newToken(folder);
  const settings = settingsOfToken(join(folder, 'root.key.p11'));
  await signsWith(folder, 'pkcs11', { environment, settings });
});

const tpm2 = testsThatNeed(missingForTpm2);
tpm2.test('TPM 2.0: a service signs with a key that the TPM unseals', async () => {
  const folder = newFolder();
  const { environment, stop } = await startTpm(folder);
  await signsWith(folder, 'tpm2', { environment, settings: settingsOf('tpm2', {}) });
  stop();
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
  const settings = settingsOf('aws-kms', {
    '/usr/bin/aws': aws,
    '/etc/keywright/root.key.kms': join(folder, 'root.key.kms'),
  });
  await signsWith(folder, 'aws-kms', { environment, settings });
  emulator.kill('SIGKILL');
});
