// Loaded first by each process of a run. It reports what the process used, over the descriptor of the run.

import childProcess from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { type ResolveFnOutput, registerHooks, syncBuiltinESMExports } from 'node:module';
import { report } from './report.ts';

/** Ticks of the kernel's clock, in which /proc counts processor time. */
const ticksPerSecond = 100;

// A process that calls exit loses unwritten output: the last lines of its log.
const { _handle: handle } = process.stdout as unknown as {
  readonly _handle?: { readonly setBlocking?: (isBlocking: boolean) => void };
};
handle?.setBlocking?.(true);

// Node would look up the real path and the package of each of 4,000 imports, which takes a quarter of the
// load time of a test. This hook resolves relative imports of sources and within packages by text. A name has
// the same result in all files of a package.
const resolved = new Map<string, ResolveFnOutput>();
const relativeSource = /^\.{1,2}\/.*\.ts$/;
const relativeScript = /^\.{1,2}(\/[^/]+)+\.[cm]?js$/;
const nameOfPackage = /^(?!node:)[\w@]/;
const folderOfPackage = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//;
registerHooks({
  resolve: (specifier, context, next) => {
    const { parentURL: parent = '', conditions } = context;
    const [folder] = folderOfPackage.exec(parent) ?? [];
    const url = () => new URL(specifier, parent).href;
    if (parent !== '' && relativeSource.test(specifier)) {
      return { url: url(), format: 'module-typescript', shortCircuit: true };
    }
    if (folder === undefined) return next(specifier, context);
    if (relativeScript.test(specifier)) return { url: url(), shortCircuit: true };
    if (!nameOfPackage.test(specifier)) return next(specifier, context);
    return resolved.getOrInsertComputed(`${conditions} ${folder} ${specifier}`, () => ({
      ...next(specifier, context),
      shortCircuit: true,
    }));
  },
});

let processes = 0;
subscribe('child_process', () => {
  processes += 1;
});
// The channel does not report processes that are started synchronously.
for (const name of ['spawnSync', 'execFileSync', 'execSync'] as const) {
  const original = childProcess[name];
  Reflect.set(childProcess, name, (...given: readonly unknown[]): unknown => {
    processes += 1;
    return Reflect.apply(original, undefined, given);
  });
}
syncBuiltinESMExports();

// A fork would hand on the options of the test runner.
process.execArgv = [];

process.on('exit', () => report({ kind: 'usage', ...processorSeconds(), processes }));

/** Processor seconds of this process, and of its children that have ended. */
function processorSeconds(): { readonly own: number; readonly children: number } {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return { own: (user + system) / 1e6, children: 0 };
  }
  // The program name is in parentheses and may contain any character.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const [user = 0, system = 0, usersOfChildren = 0, systemOfChildren = 0] = fields
    .slice(11, 15)
    .map(Number);
  return {
    own: (user + system) / ticksPerSecond,
    children: (usersOfChildren + systemOfChildren) / ticksPerSecond,
  };
}
