// Gives tests the service as JavaScript, for processes that start it. The first test of a run compiles it.
// `test/packages` tests the program as a package contains it.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileCache } from './compile_cache.ts';

const root = join(import.meta.dirname, '../..');

/** The folder of the test run; undefined for a test file started on its own. */
const runFolder = process.env['TEST_RUN_FOLDER'];

export type Program = {
  /** The path of the command. */
  readonly main: string;
  /** Environment variables with which it loads in a third of the time. */
  readonly environment: Readonly<Record<string, string>>;
};

let found: Program | undefined;

/** Returns the compiled command in a test run, else the source. */
export function serviceProgram(): Program {
  found ??=
    runFolder === undefined
      ? { main: join(root, 'src/main.ts'), environment: compileCache }
      : compiledProgram(runFolder);
  return found;
}

function compiledProgram(run: string): Program {
  const folder = compiledOnce(run, 'service');
  return {
    main: join(folder, 'src/main.js'),
    environment: { NODE_COMPILE_CACHE: join(folder, 'cache') },
  };
}

/** Returns the folder that `compile_NAME.ts` prints. A run starts this program once. */
export function compiledOnce(run: string, name: 'service' | 'clients'): string {
  const note = join(run, `compiled_${name}`);
  const folder = existsSync(note) ? readFileSync(note, 'utf8') : compile(name);
  if (!existsSync(note)) {
    // Concurrent test files write the same text.
    writeFileSync(`${note}.${process.pid}`, folder);
    renameSync(`${note}.${process.pid}`, note);
  }
  const now = new Date();
  utimesSync(folder, now, now);
  return folder;
}

/** A process of its own compiles, so that test processes load no bundler. */
function compile(name: string): string {
  const program = join(import.meta.dirname, `compile_${name}.ts`);
  const flags = ['--disable-warning=ExperimentalWarning'];
  return execFileSync(process.execPath, [...flags, program], { encoding: 'utf8' });
}
