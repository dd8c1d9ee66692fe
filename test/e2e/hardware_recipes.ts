// The hardware recipes of docs/root-key.md, run as its readers type them, and emulators of the hardware.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './service.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/root-key.md'), 'utf8');

export type Environment = Readonly<Record<string, string>>;

/** Returns the commands or settings of a marked block of the page. */
export function blockOf(mark: string): string {
  const [, block] = new RegExp(`<!-- ${mark} -->\\s*\`\`\`sh\\n(.*?)\`\`\``, 's').exec(page) ?? [];
  return block ?? assert.fail(`docs/root-key.md marks no block ${mark}`);
}

/** Returns the settings of a block as a shell reads them, with words replaced. */
export function settingsOf(mark: string, replaced: Environment): Record<string, string> {
  const lines = blockOf(`${mark}-settings`).trimEnd().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([A-Z0-9_]+)='?(.*?)'?$/.exec(line) ?? [];
      const words = Object.entries(replaced);
      return [name, words.reduce((text, [from, to]) => text.replace(from, to), value)];
    }),
  );
}

/** Runs commands of a block in a folder. */
export function runIn(folder: string, commands: string, environment: Environment): void {
  const env = { PATH: process.env['PATH'], HOME: folder, ...environment };
  execFileSync('sh', ['-ec', commands], { cwd: folder, env, stdio: 'pipe' });
}

/** Returns why a test is skipped; undefined if all programs exist. */
export function missing(...programs: readonly string[]): string | undefined {
  const absent = programs.filter((name) => spawnSync('which', [name]).status !== 0);
  return absent.length === 0 ? undefined : `needs ${absent.join(', ')}`;
}

export const missingForPkcs11 = missing('softhsm2-util', 'pkcs11-tool', 'openssl');
export const missingForTpm2 = missing('swtpm', 'tpm2_unseal');

const module = '/usr/lib/softhsm/libsofthsm2.so';

/** Configures the token in a folder, which may be a copy. Returns the environment of its programs. */
export function tokenIn(folder: string) {
  const config = join(folder, 'softhsm2.conf');
  writeFileSync(config, `directories.tokendir = ${join(folder, 'tokens')}\n`);
  return { SOFTHSM2_CONF: config, PKCS11_PIN: '271828', MODULE: module };
}

/** Creates an empty token in a folder. */
export function newToken(folder: string) {
  mkdirSync(join(folder, 'tokens'));
  const environment = tokenIn(folder);
  execFileSync(
    'softhsm2-util',
    ['--init-token', '--free', '--label', 'keywright', '--so-pin', '314159', '--pin', '271828'],
    { env: { ...process.env, ...environment }, stdio: 'pipe' },
  );
  return environment;
}

/** Returns the settings of a service that decrypts its root key from a file with the token. */
export const settingsOfToken = (keyFile: string) =>
  settingsOf('pkcs11', { MODULE: module, '/etc/keywright/root.key.p11': keyFile });

/** Starts an emulated TPM in a folder. */
export async function startTpm(folder: string) {
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
  // A running emulator does not keep the process of the tests alive.
  emulator.unref();
  const stop = () => void emulator.kill('SIGKILL');
  process.once('exit', stop);
  await until('the emulator listens', () => existsSync(socket));
  return { environment: { TPM2TOOLS_TCTI: `swtpm:path=${socket}` }, stop };
}
