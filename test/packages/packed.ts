// The archives that `npm run pack` makes, and the service installed from one. The files of a run share both;
// a file that runs alone has its own. Tests must not change them.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { temporaryDirectory } from '../e2e/service.ts';
import { madeOnce } from '../support/made_once.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');

export type Packed = {
  readonly folder: string;
  /** Returns the path of the only file whose name matches. */
  readonly file: (name: RegExp) => string;
};

/** The folder of the run, or of this file if it runs alone. */
const sharedFolder = process.env['TEST_RUN_FOLDER'] ?? temporaryDirectory();

/** Returns the archives of the current project. */
export async function packed(): Promise<Packed> {
  const made = await madeOnce(join(sharedFolder, 'packed'), (folder) => {
    packTo(join(folder, 'dist'), projectDirectory, {});
  });
  return packedIn(join(made, 'dist'));
}

export type InstalledService = {
  /** The home directory for which npm installed the package. */
  readonly homeDirectory: string;
  /** The folder of the package. */
  readonly home: string;
  /** The program on the path of a shell. */
  readonly launcher: string;
};

/** The service, installed from its archive by the commands of docs/deployment.md. */
export async function installedService(): Promise<InstalledService> {
  const { folder } = await packed();
  const homeDirectory = await madeOnce(join(sharedFolder, 'home'), (unfinished) =>
    installByDocumentation(folder, unfinished),
  );
  const modules = join(homeDirectory, 'keywright', 'node_modules');
  return {
    homeDirectory,
    home: join(modules, 'keywright'),
    launcher: join(modules, '.bin', 'keywright'),
  };
}

/** Runs the commands of the documentation with a new home directory. */
function installByDocumentation(dist: string, homeDirectory: string): void {
  const page = readFileSync(join(projectDirectory, 'docs', 'deployment.md'), 'utf8');
  const [, commands] = /<!-- npm -->\s*```sh\n(.*?)```/s.exec(page) ?? [];
  assert(commands !== undefined, 'docs/deployment.md marks the block npm');
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const printed = execFileSync('sh', ['-e', '-c', commands], {
    cwd: dirname(dist),
    env: { PATH: path, HOME: homeDirectory },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { version } = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8'));
  assert.match(printed, new RegExp(`^keywright ${version.replaceAll('.', '\\.')}$`, 'm'));
}

/** Packs the project, or a copy of it, into a folder of this file. */
export function pack({
  project = projectDirectory,
  environment = {},
}: {
  readonly project?: string;
  readonly environment?: Readonly<Record<string, string>>;
} = {}): Packed {
  const folder = join(temporaryDirectory(), 'dist');
  packTo(folder, project, environment);
  return packedIn(folder);
}

/** Runs `npm run pack` in a process of its own. */
function packTo(
  folder: string,
  project: string,
  environment: Readonly<Record<string, string>>,
): void {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const [, ...words] = scripts.pack.split(' ');
  execFileSync(process.execPath, [...words, '--to', folder], {
    cwd: project,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function packedIn(folder: string): Packed {
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
 * Returns a folder of this file with a project that installed the package of the client. A run installs the
 * package once, without a network or a cache of npm.
 */
export async function projectWithClient(): Promise<string> {
  const archive = (await packed()).file(/^keywright-client-.*\.tgz$/);
  const made = await madeOnce(join(sharedFolder, 'stranger'), (folder) => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    const cache = ['--cache', join(temporaryDirectory(), 'cache')];
    const offline = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...offline, ...cache, archive], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });
  const folder = join(temporaryDirectory(), 'stranger');
  cpSync(made, folder, { recursive: true, verbatimSymlinks: true });
  return folder;
}
