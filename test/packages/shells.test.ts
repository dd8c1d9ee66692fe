// Shell scripts: those of the project, those of the Debian package, and the completion of commands.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { completionScript, type Shell } from '../../src/cli/command_line/completion.ts';
import { loadAll } from '../../src/cli/commands.ts';
import { temporaryDirectory } from '../e2e/service.ts';

const root = join(import.meta.dirname, '..', '..');
const needs = (program: string) =>
  spawnSync(program, ['--version']).status === 0 ? false : `needs ${program}, as Debian has it`;
const commands = await loadAll();

test('a linter has nothing to say of any script of the project', {
  skip: needs('shellcheck'),
}, () => {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
  const isScript = (path: string) =>
    /^(\.ci|packaging|tools|deploy)\//.test(path) &&
    /^#!.*\b(ba|da)?sh\b/.test(readFileSync(join(root, path), 'utf8').split('\n', 1)[0] ?? '');
  const scripts = files.filter((path) => path !== '' && isScript(path));
  assert(scripts.includes('.ci/run') && scripts.includes('packaging/debian/postinst'));
  execFileSync('shellcheck', scripts, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
});

test('a linter has nothing to say of what completes commands in bash', {
  skip: needs('shellcheck'),
}, () => {
  const input = completionScript('bash', commands);
  execFileSync('shellcheck', ['--shell=bash', '-'], { input });
});

for (const shell of ['zsh', 'fish'] as const satisfies readonly Shell[]) {
  test(`${shell} reads what completes commands in it`, { skip: needs(shell) }, () => {
    const script = join(temporaryDirectory(), 'script');
    writeFileSync(script, completionScript(shell, commands));
    execFileSync(shell, ['-n', script], { stdio: ['ignore', 'inherit', 'inherit'] });
  });
}

/** The units with their drop-ins, as an operator installs them. */
function installedUnits(): readonly string[] {
  const folder = temporaryDirectory();
  const from = (name: string) => join(root, 'packaging', 'debian', name);
  mkdirSync(join(folder, 'keywright.service.d'));
  for (const name of ['two-users.conf', 'key-holder.conf']) {
    copyFileSync(from(name), join(folder, 'keywright.service.d', name));
  }
  const names = ['keywright.service', 'keywright-enclave.service', 'keywright-key-holder.service'];
  for (const name of names) copyFileSync(from(name), join(folder, name));
  return names.map((name) => join(folder, name));
}

const units = installedUnits();

test('systemd finds nothing wrong with the units and their drop-ins', {
  skip: needs('systemd-analyze'),
}, () => {
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
    encoding: 'utf8',
  });
  // The program of the unit exists only where the package is installed with its Node.
  const findings = stderr
    .split('\n')
    .filter((line) => /keywright(-enclave|-key-holder)?\.service/.test(line));
  assert.deepEqual(
    findings.filter((line) => !/not executable: No such file/.test(line)),
    [],
    String(status),
  );
});

test('systemd rates the exposure of the units as low', { skip: needs('systemd-analyze') }, () => {
  // A threshold of 25 is an exposure of 2.5. Services without restrictions have about 9.6.
  const exposure = ['security', '--offline=true', '--no-pager', '--threshold=25'];
  const { status, stdout } = spawnSync('systemd-analyze', [...exposure, ...units], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout);
});
