// The hooks of a file around each of its tests. node:test would also run them around the tests of the other
// files of a unit.

type Run = (...given: unknown[]) => unknown;
type Hooks = { readonly beforeEach: Run[]; readonly afterEach: Run[] };

let hooks: Hooks | undefined;

/** Begins a file, whose hooks and tests follow. */
export function beginFile(): void {
  hooks = { beforeEach: [], afterEach: [] };
}

/** Takes a hook of the file. Returns false for a hook that node:test may run. */
export function takeHook(name: unknown, run: unknown): boolean {
  if (name !== 'beforeEach' && name !== 'afterEach') return false;
  if (hooks === undefined || typeof run !== 'function') return false;
  hooks[name].push(run as Run);
  return true;
}

/** Returns a test of the file that runs the hooks of the file. A hook may be defined after the test. */
export function withHooks(run: Run): Run {
  const own = hooks;
  if (own === undefined) return run;
  return async (...given) => {
    try {
      for (const hook of own.beforeEach) await hook(...given);
      await run(...given);
    } finally {
      for (const hook of own.afterEach) await hook(...given);
    }
  };
}
