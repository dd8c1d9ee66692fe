// The first steps of README.md and the commands for CI, run as a reader copies them.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { isAddress, recoverMessageAddress } from 'viem';
import { serviceProgram } from '../support/compiled_service.ts';
import { httpClient } from './clients.ts';
import { serviceOfThisFile, temporaryDirectory } from './service.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');

test('the commands of the first steps create a valid signature', async () => {
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

test('the commands of the tutorial end with a signature after the approval of two users', async () => {
  const service = await serviceOfThisFile();
  const [folder, programs] = [temporaryDirectory(), temporaryDirectory()];
  // An installed package contains this program.
  const { main, environment } = serviceProgram();
  const program = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`;
  writeFileSync(join(programs, 'keywright'), program, { mode: 0o755 });
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-e', '-c', blocksOf('docs/tutorial.md', 'tutorial').join('\n')],
    {
      cwd: projectDirectory,
      env: {
        ...process.env,
        ...environment,
        PATH: `${programs}:${process.env['PATH']}`,
        TMPDIR: folder,
        KEYWRIGHT_DATA_DIR: service.dataDirectory,
        XDG_CONFIG_HOME: folder,
      },
    },
  );
  assert.match(stdout, /^Approved +[0-9a-f-]{36}$/m);
  assert.match(stdout, /^Activity [0-9a-f-]{36}: done$/m);
  assert.match(stdout, /treasurer approved[\s\S]+auditor approved/);
  assert.match(stdout, /^\d+ +ACTIVITY_UPDATES/m);
});

test('the commands for CI start a service, use it and stop it', async () => {
  const commands = commandsOf('docs/operating.md', 'in-ci');
  const { stdout, stderr } = await promisify(execFile)('sh', ['-e', '-c', commands], {
    cwd: projectDirectory,
    // `mktemp` creates its folder here, so that the end of the tests removes it.
    env: { ...process.env, TMPDIR: temporaryDirectory() },
  });
  assert.match(stdout, /^verified +true$/m);
  const baseUrl = /^keywright is ready at (\S+)$/m.exec(stderr)?.[1];
  assert(baseUrl !== undefined);
  await assert.rejects(fetch(`${baseUrl}/health/live`), 'the service has ended');
});

/** Returns the commands of the only marked block of a page. */
function commandsOf(page: string, mark: string): string {
  const [commands, ...more] = blocksOf(page, mark);
  assert(commands !== undefined && more.length === 0, `${page} marks the block ${mark}`);
  return commands;
}

/** Returns the commands of each block of a page with this mark. */
function blocksOf(page: string, mark: string): readonly string[] {
  const text = readFileSync(join(projectDirectory, page), 'utf8');
  const block = new RegExp(`<!-- ${mark} -->\\s*\`\`\`sh\\n(.*?)\`\`\``, 'gs');
  const found = [...text.matchAll(block)].map(([, commands = '']) => commands);
  assert(found.length > 0, `${page} marks the block ${mark}`);
  return found;
}
