// The first steps of README.md, and the commands for CI, as a reader would copy them.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { isAddress, recoverMessageAddress } from 'viem';
import { httpClient } from './clients.ts';
import { serviceOfThisFile, temporaryDirectory } from './service.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');

test('the commands of the first steps make a signature that verifies', async () => {
  const service = await serviceOfThisFile();
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-e', '-c', commandsOf('README.md', 'first-steps')],
    {
      cwd: projectDirectory,
      env: { ...process.env, KEYWRIGHT_DATA_DIR: service.dataDirectory },
    },
  );
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

test('the commands of the first screen create a wallet, sign with it and verify', async () => {
  const service = await serviceOfThisFile();
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-e', '-c', commandsOf('README.md', 'cli-steps')],
    {
      cwd: projectDirectory,
      env: {
        ...process.env,
        KEYWRIGHT_DATA_DIR: service.dataDirectory,
        XDG_CONFIG_HOME: service.dataDirectory,
      },
    },
  );
  assert.match(stdout, /^Wallet +shop$/m);
  assert.match(stdout, /^Verified +(true|yes)/im);
  assert.match(stdout, /^shop +[0-9a-f-]{36}/m);
});

test('the commands for CI start a service, use it and stop it', async () => {
  const commands = commandsOf('docs/operating.md', 'in-ci');
  const { stdout, stderr } = await promisify(execFile)('sh', ['-e', '-c', commands], {
    cwd: projectDirectory,
    // `mktemp` makes its folder here, so that it is removed with this file's others.
    env: { ...process.env, TMPDIR: temporaryDirectory() },
  });
  assert.match(stdout, /^verified +true$/m);
  const baseUrl = /^keywright is ready at (\S+)$/m.exec(stderr)?.[1];
  assert(baseUrl !== undefined);
  await assert.rejects(fetch(`${baseUrl}/health/live`), 'the service has ended');
});

/** The commands of a block that is marked in a page. */
function commandsOf(page: string, mark: string): string {
  const text = readFileSync(join(projectDirectory, page), 'utf8');
  const block = new RegExp(`<!-- ${mark} -->\\s*\`\`\`sh\\n(.*?)\`\`\``, 's');
  const [, commands] = block.exec(text) ?? [];
  assert(commands !== undefined, `${page} marks the block ${mark}`);
  return commands;
}
