// The first steps of README.md, as a reader would copy them.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { isAddress, recoverMessageAddress } from 'viem';
import { httpClient } from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');

test('the commands of the first steps make a signature that verifies', async () => {
  const service = await serviceOfThisFile();
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', firstSteps()], {
    cwd: projectDirectory,
    env: { ...process.env, KEYWRIGHT_DATA_DIR: service.dataDirectory },
  });
  const printed = Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/)),
  );
  assert.deepEqual(Object.keys(printed), ['wallet', 'address', 'signature', 'verified']);
  assert.equal(printed.verified, 'true');
  assert(isAddress(printed.address));
  const { signature } = printed;
  assert.equal(await recoverMessageAddress({ message: 'hello', signature }), printed.address);

  const { organizationId } = service.credentials;
  const { accounts } = await httpClient(service).getWalletAccounts({
    organizationId,
    walletId: printed.wallet,
  });
  assert.deepEqual(
    accounts.map((account) => account.address),
    [printed.address],
  );
});

/** The commands of the block that is marked in README.md. */
function firstSteps(): string {
  const readme = readFileSync(join(projectDirectory, 'README.md'), 'utf8');
  const [, commands] = /<!-- first-steps -->\s*```sh\n(.*?)```/s.exec(readme) ?? [];
  assert(commands !== undefined, 'README.md marks the block of its first steps');
  return commands;
}
