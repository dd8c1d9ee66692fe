// The Debian package: the paths of its files, and a service that is started with the command of its unit.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { accountParameters, createAddress } from '../e2e/clients.ts';
import { startService, temporaryDirectory } from '../e2e/service.ts';
import { packed } from './packed.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8'));

const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    // The program is missing or not executable.
    return false;
  }
};

describe('the Debian package', {
  skip: has('dpkg-deb') ? false : 'needs dpkg-deb, which every Debian has',
}, () => {
  const root = join(temporaryDirectory(), 'root');
  let archive = '';
  const inRoot = (path: string) => join(root, path);

  before(async () => {
    archive = (await packed()).file(/\.deb$/);
    execFileSync('dpkg-deb', ['--extract', archive, root]);
  });

  const field = (name: string) =>
    execFileSync('dpkg-deb', ['--field', archive, name], { encoding: 'utf8' }).trim();

  test('names itself, its version and the Node that it needs', () => {
    assert.equal(field('Package'), 'keywright');
    assert.equal(field('Version'), version);
    assert.match(field('Depends'), /^nodejs \(>= 26\)/);
  });

  test('gives all files to root, none to be written by others, and keeps settings to root', () => {
    const listed = execFileSync('dpkg-deb', ['--contents', archive], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    const lines = listed.trim().split('\n');
    assert.deepEqual(
      lines.filter((line) => !/^(-rw-r--r--|-rwxr-xr-x|drwxr-xr-x|l\S+) root\/root /.test(line)),
      lines.filter((line) => line.endsWith(' ./etc/keywright/environment')),
    );
    assert.equal(statSync(inRoot('etc/keywright/environment')).mode & 0o777, 0o600);
    const settings = execFileSync('dpkg-deb', ['--ctrl-tarfile', archive]);
    const kept = execFileSync('tar', ['--extract', '--to-stdout', './conffiles'], {
      input: settings,
      encoding: 'utf8',
    });
    assert.equal(kept, '/etc/keywright/environment\n');
  });

  const linter = has('lintian') ? false : 'needs lintian, the linter of Debian packages';
  test('gives lintian nothing to name', { skip: linter }, () => {
    const named = execFileSync('lintian', ['--allow-root', '--tag-display-limit', '0', archive]);
    assert.equal(named.toString(), '');
  });

  test('has scripts that a shell reads, and none that removes data', () => {
    const scripts = join(temporaryDirectory(), 'control');
    execFileSync('dpkg-deb', ['--control', archive, scripts]);
    for (const name of ['postinst', 'prerm', 'postrm']) {
      execFileSync('sh', ['-n', join(scripts, name)]);
      assert.doesNotMatch(readFileSync(join(scripts, name), 'utf8'), /\brm\b/);
    }
  });

  test('brings the command', () => {
    const command = inRoot('usr/bin/keywright');
    assert.ok(lstatSync(command).isSymbolicLink());
    const said = execFileSync(process.execPath, [realpathSync(command), 'version'], {
      encoding: 'utf8',
    });
    assert.equal(said, `keywright ${version}\n`);
  });

  test('brings what completes commands in three shells', () => {
    const bash = inRoot('usr/share/bash-completion/completions/keywright');
    execFileSync('bash', ['-n', bash]);
    for (const path of [
      bash,
      inRoot('usr/share/zsh/vendor-completions/_keywright'),
      inRoot('usr/share/fish/vendor_completions.d/keywright.fish'),
    ]) {
      assert.match(readFileSync(path, 'utf8'), /wallet/);
    }
  });

  test('brings the units of the documentation', () => {
    const shown = ['deployment.md', 'external-keys.md'].flatMap((name) => {
      const page = readFileSync(join(projectDirectory, 'docs', name), 'utf8');
      return [...page.matchAll(/```ini\n(.*?)```/gs)].map(([, text]) => text);
    });
    const brought = [
      'usr/lib/systemd/system/keywright.service',
      'usr/lib/systemd/system/keywright-enclave.service',
      'usr/share/keywright/two-users.conf',
      'usr/lib/systemd/system/keywright-key-holder.service',
      'usr/share/keywright/key-holder.conf',
    ];
    assert.deepEqual(
      shown,
      brought.map((path) => readFileSync(inRoot(path), 'utf8')),
    );
  });

  test('brings a unit whose words start the service', async () => {
    const unit = readFileSync(inRoot('usr/lib/systemd/system/keywright.service'), 'utf8');
    const [, words = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
    const [node, ...program] = words.split(' ');
    assert.equal(node, '/usr/bin/node');
    assert.equal(program.pop(), 'serve');
    assert.match(unit, /^User=keywright$/m);
    const service = await startService({
      dataDirectory: temporaryDirectory(),
      program: program.map((word) => (word.startsWith('/') ? inRoot(word) : word)),
    });
    assert.match(
      await createAddress(service, 'First', accountParameters.ethereum),
      /^0x[0-9a-fA-F]{40}$/,
    );
    await service.stop();
  });
});
