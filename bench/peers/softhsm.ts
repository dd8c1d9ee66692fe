// SoftHSM2, the software token of the OpenDNSSEC project, driven through PKCS #11 by a program in C. It signs
// in the process of its caller: it has no requests, stamps, policies or durable records.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Peer } from './peer.ts';

const module = '/usr/lib/softhsm/libsofthsm2.so';
const headers = '/usr/include/p11-kit-1';
const pin = '1234';

/** Returns a new token of SoftHSM2, or a sentence that names what is not installed. */
export function openSoftHsm(): Peer | string {
  const missing = [module, headers].find((path) => !existsSync(path));
  if (missing !== undefined) {
    return `SoftHSM2 is left out: ${missing} is missing (packages softhsm2 and libp11-kit-dev)`;
  }
  const directory = mkdtempSync(join(tmpdir(), 'keywright-softhsm-'));
  const configuration = join(directory, 'softhsm2.conf');
  const program = join(directory, 'pkcs11');
  mkdirSync(join(directory, 'tokens'));
  writeFileSync(configuration, `directories.tokendir = ${join(directory, 'tokens')}\n`);
  const run = (command: string, words: readonly string[]): string =>
    execFileSync(command, words, {
      env: { ...process.env, SOFTHSM2_CONF: configuration },
      encoding: 'utf8',
    });
  const token = ['--init-token', '--free', '--label', 'bench', '--pin', pin, '--so-pin', pin];
  run('softhsm2-util', token);
  const source = join(import.meta.dirname, 'pkcs11.c');
  run('cc', ['-O2', `-I${headers}`, '-o', program, source, '-lpthread', '-ldl']);
  return {
    name: 'SoftHSM2',
    sign: async (callers, signatures) => {
      const words = [module, pin, String(callers), String(signatures)];
      const [perSecond = Number.NaN, cpu = Number.NaN, p50 = Number.NaN] = run(program, words)
        .split(' ')
        .map(Number);
      return { perSecond, cpu, p50Ms: p50 / 1000 };
    },
    remove: async () => rmSync(directory, { recursive: true }),
  };
}
