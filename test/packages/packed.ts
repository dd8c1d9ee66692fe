// The archive that `npm run pack` makes, for tests: in a folder of the test file, which is removed with it.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../e2e/service.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');

export type Packed = {
  readonly folder: string;
  /** The path of the one file whose name fits. */
  readonly file: (name: RegExp) => string;
};

/** Packs the project, or a copy of it, in a process of its own. */
export function pack({
  project = projectDirectory,
  environment = {},
}: {
  readonly project?: string;
  readonly environment?: Readonly<Record<string, string>>;
} = {}): Packed {
  const folder = join(temporaryDirectory(), 'dist');
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const [, ...words] = scripts.pack.split(' ');
  execFileSync(process.execPath, [...words, '--to', folder], {
    cwd: project,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    folder,
    file: (name) => {
      const [found, ...others] = readdirSync(folder).filter((each) => name.test(each));
      if (found === undefined || others.length > 0) throw new Error(`${name} is not one file`);
      return join(folder, found);
    },
  };
}

/**
 * Installs archives as somebody does who has nothing else: no network, and nothing that npm remembers.
 * Returns the folder of the project that they are installed in.
 */
export function installed(...archives: readonly string[]): string {
  const folder = join(temporaryDirectory(), 'stranger');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const cache = ['--cache', join(temporaryDirectory(), 'cache')];
  const offline = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...offline, ...cache, ...archives], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
}
