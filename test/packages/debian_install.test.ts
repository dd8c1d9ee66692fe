// The Debian package, installed by dpkg into a copy of this machine. The service of its unit signs there,
// and its keys and data stay when the package is removed.

import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { signOnce } from '../e2e/clients.ts';
import { startService } from '../e2e/service.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { copyMachine, noCopies } from './machines.ts';
import { packed } from './packed.ts';

const missing = existsSync('/usr/bin/dpkg') ? noCopies() : 'needs dpkg, which every Debian has';
const { test } = testsThatNeed(missing);

test('dpkg installs the package, its service signs, and its data stays when it is removed', async () => {
  const machine = await copyMachine();
  const inMachine = (path: string) => join(machine.root, path);
  const done = (...words: readonly string[]): string => {
    const { status, stdout, stderr } = machine.run(...words);
    assert.equal(status, 0, `${words.join(' ')}: ${stderr}`);
    return stdout;
  };
  copyFileSync((await packed()).file(/\.deb$/), inMachine('keywright.deb'));
  rmSync(inMachine('usr/bin/node'), { force: true });
  copyFileSync(process.execPath, inMachine('usr/bin/node'));
  chmodSync(inMachine('usr/bin/node'), 0o755);

  // After each installation, man-db would read all manual pages of the machine.
  rmSync(inMachine('var/lib/man-db/auto-update'), { force: true });
  // The Node of this machine does not come from a Debian package.
  done('dpkg', '--force-depends', '--install', '/keywright.deb');
  assert.match(done('getent', 'passwd', 'keywright'), /:\/var\/lib\/keywright:.*nologin$/m);
  const data = inMachine('var/lib/keywright');
  const { uid, mode } = statSync(data);
  assert.equal(mode & 0o777, 0o700);
  assert.equal(String(uid), done('id', '-u', 'keywright').trim());
  const keyFolder = statSync(inMachine('var/lib/keywright-enclave'));
  assert.equal(keyFolder.mode & 0o777, 0o700);
  assert.equal(String(keyFolder.uid), done('id', '-u', 'keywright-enclave').trim());
  assert.notEqual(keyFolder.uid, uid);
  assert.match(done('keywright', 'version'), /^keywright \d/);

  const unit = readFileSync(inMachine('usr/lib/systemd/system/keywright.service'), 'utf8');
  const [, words = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
  const user = ['--userspec=keywright:keywright', ...machine.inside.slice(-1)];
  const settings = ['KEYWRIGHT_DATA_DIR=/var/lib/keywright', 'KEYWRIGHT_PORT=0'];
  const service = await startService({
    dataDirectory: data,
    command: [
      ...machine.inside.slice(0, -1),
      ...user,
      ...['env', '--ignore-environment', '--chdir=/var/lib/keywright'],
      ...settings,
      ...words.split(' '),
    ],
  });
  await signOnce(service);
  await service.stop();

  done('dpkg', '--purge', 'keywright');
  assert(!existsSync(inMachine('usr/lib/keywright')));
  assert(!existsSync(inMachine('etc/keywright')));
  assert.equal(statSync(join(data, 'root.key')).uid, uid, 'no backup opens without it');
  assert(!existsSync('/usr/lib/keywright/bin'), 'the machine itself is as it was');
});
