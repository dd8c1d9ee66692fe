// Loaded first by each process of a run. It reports what the process used, over the descriptor of the run.

import childProcess from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { report } from './report.ts';

/** Ticks of the kernel's clock, in which /proc counts processor time. */
const ticksPerSecond = 100;

// A process that calls exit loses unwritten output: the last lines of its log.
const { _handle: handle } = process.stdout as unknown as {
  readonly _handle?: { readonly setBlocking?: (isBlocking: boolean) => void };
};
handle?.setBlocking?.(true);

// Resolves relative imports of sources by text. Node would look up the real path and the package of each of
// 4,000 imports, a quarter of the time in which the modules of a test load.
registerHooks({
  resolve: (specifier, context, next) =>
    context.parentURL !== undefined && /^\.{1,2}\/.*\.ts$/.test(specifier)
      ? {
          url: new URL(specifier, context.parentURL).href,
          format: 'module-typescript',
          shortCircuit: true,
        }
      : next(specifier, context),
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
