// Kills rotations of the root key and prints one line for each kill: npm run kills. The tests of every run
// kill a few. This kills as many for each provider: file, passphrase, command, PKCS #11, TPM 2.0 and shares.
// It also kills the gateway and the enclaves of a service with two users, as root. It prints the name of a
// provider without its emulator.
//
// KILLED_ROTATIONS   kills for each provider (50)
// KILLED_PROVIDERS   names of providers, separated by commas; by default all

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { temporaryDirectory } from '../store/temporary_directory.ts';

const suites: Readonly<Record<string, readonly string[]>> = {
  'rotated_online.test.ts': ['file', 'passphrase', 'command', 'pkcs11', 'tpm2'],
  'rotated_shares.test.ts': ['shares'],
  'two_users_rotation.test.ts': ['two-users'],
};

const chosen = process.env['KILLED_PROVIDERS']?.split(',');
const known = Object.values(suites).flat();
const unknown = chosen?.filter((name) => !known.includes(name)) ?? [];
if (unknown.length > 0) throw new Error(`no ${unknown.join(', ')}; there are ${known.join(', ')}`);

// Tests of a run compile the service once.
const folder = temporaryDirectory();
const rotations = process.env['KILLED_ROTATIONS'] ?? '50';
if (process.getuid?.() !== 0) process.stdout.write('not root: both users are this user\n');
for (const [file, providers] of Object.entries(suites)) {
  const names = providers.filter((name) => chosen?.includes(name) ?? true);
  if (names.length === 0) continue;
  const environment = {
    KILLED_ROTATIONS: rotations,
    KILLED_PROVIDERS: names.join(','),
    TEST_RUN_FOLDER: folder.path,
  };
  const words = ['--test', '--test-reporter=spec', join(import.meta.dirname, '../e2e', file)];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'close');
  if (code !== 0) process.exitCode = 1;
}
folder.remove();
