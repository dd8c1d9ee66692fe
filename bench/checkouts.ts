// Installs versions of this repository side by side, each in its own folder with its own packages.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { projectDirectory } from '../src/gateway/enclave/process.ts';

/** A version that the benchmark can start. */
export type Checkout = {
  /** The reference in the spelling of the caller. */
  readonly ref: string;
  /** The shortened commit hash, or `as it is` for the files of this folder. */
  readonly commit: string;
  readonly directory: string;
};

/** The reference of the files of this folder, committed or not. */
export const thisFolder = '.';

/** Outside of any `node_modules`, where Node runs no TypeScript. */
const cacheDirectory = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'keywright-versions',
);

/**
 * Installs the version of a reference, unless an earlier run did. Versions with equal lock files share
 * their packages.
 */
export function checkoutOf(ref: string): Checkout {
  if (ref === thisFolder) return { ref, commit: 'as it is', directory: projectDirectory };
  const revision = git(projectDirectory, 'rev-parse', '--verify', `${ref}^{commit}`).trim();
  const commit = revision.slice(0, 12);
  const directory = join(cacheDirectory, commit);
  if (!existsSync(join(directory, 'package.json'))) {
    mkdirSync(cacheDirectory, { recursive: true });
    git(cacheDirectory, 'clone', '--quiet', '--shared', '--no-checkout', projectDirectory, commit);
    git(directory, 'checkout', '--quiet', revision);
  }
  installPackages(directory);
  return { ref, commit, directory };
}

/**
 * Installs the packages of the lock file, once for each lock file. A version gets hard links, since its
 * enclave reads no file outside of its folder.
 */
function installPackages(directory: string): void {
  const own = join(directory, 'node_modules');
  if (existsSync(own)) return;
  const lock = readFileSync(join(directory, 'package-lock.json'));
  const name = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const shared = join(cacheDirectory, `packages-${name}`);
  const installed = join(shared, 'node_modules');
  // npm writes this list last, so its presence means a complete installation.
  if (!existsSync(join(installed, '.package-lock.json'))) {
    mkdirSync(shared, { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) {
      copyFileSync(join(directory, file), join(shared, file));
    }
    run(shared, 'npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline']);
  }
  const unfinished = `${own}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  run(directory, 'cp', ['-al', installed, unfinished]);
  renameSync(unfinished, own);
}

const git = (directory: string, ...words: readonly string[]): string =>
  run(directory, 'git', words);

function run(directory: string, command: string, words: readonly string[]): string {
  return execFileSync(command, words, { cwd: directory, encoding: 'utf8' });
}
