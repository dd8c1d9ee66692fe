// The hooks of a file, around all of its tests and around each. node:test would run them around the tests of
// all files of a unit.

type Run = (...given: unknown[]) => unknown;
type Name = 'before' | 'beforeEach' | 'afterEach' | 'after';
type File = {
  readonly hooks: Readonly<Record<Name, Run[]>>;
  /** The tests that have not ended. */
  waiting: number;
  /** The hooks before all tests, once they have started. */
  begun: Promise<void> | undefined;
};

let current: File | undefined;
const files: File[] = [];

/** Begins a file, whose hooks and tests follow. */
export function beginFile(): void {
  const hooks = { before: [], beforeEach: [], afterEach: [], after: [] };
  current = { hooks, waiting: 0, begun: undefined };
  files.push(current);
}

/** Begins a file whose hooks stay with node:test. */
export function beginFileOfNodeTest(): void {
  current = undefined;
}

/** Takes a hook of the file. Returns false for a hook that node:test may run. */
export function takeHook(name: unknown, run: unknown): boolean {
  if (current === undefined || typeof run !== 'function') return false;
  if (typeof name !== 'string' || !(name in current.hooks)) return false;
  current.hooks[name as Name].push(run as Run);
  return true;
}

/** Returns a test of the file that runs the hooks of the file. A hook may be defined after the test. */
export function withHooks(run: Run): Run {
  const file = current;
  if (file === undefined) return run;
  const { hooks } = file;
  file.waiting += 1;
  return async (...given) => {
    try {
      file.begun ??= runEach(hooks.before, given);
      await file.begun;
      try {
        await runEach(hooks.beforeEach, given);
        await run(...given);
      } finally {
        await runEach(hooks.afterEach, given);
      }
    } finally {
      file.waiting -= 1;
      if (file.waiting === 0) await end(file, given);
    }
  };
}

/** Runs the last hooks of files whose tests did not all run, because some were skipped. */
export async function endFiles(): Promise<void> {
  for (const file of files) await end(file, []);
}

async function end({ hooks }: File, given: readonly unknown[]): Promise<void> {
  await runEach(hooks.after.splice(0), given);
}

async function runEach(hooks: readonly Run[], given: readonly unknown[]): Promise<void> {
  for (const hook of hooks) await hook(...given);
}
