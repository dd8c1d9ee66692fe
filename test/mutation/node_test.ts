// Replaces `node:test` where one process runs the same test files repeatedly, which Node's runner cannot.
// Collects the tests of a file, and runs them until the first failure.

import * as runner from 'node:test';

type Body = (context: Context) => unknown;
type Hooks = { readonly before: Body[]; readonly after: Body[] };
type Test = { readonly title: string; readonly body: Body };
export type Suite = {
  readonly title: string;
  readonly entries: (Test | Suite)[];
  readonly once: Hooks;
  readonly each: Hooks;
};
type Options = { readonly skip?: unknown };

/** The members of a TestContext that tests of the core use. */
type Context = {
  readonly name: string;
  readonly mock: runner.MockTracker;
  after(body: Body): void;
  diagnostic(message: string): void;
};

let current = suiteOf('');

/** Returns the tests that modules define while they load. */
export async function collected(load: () => Promise<unknown>): Promise<Suite> {
  const suite = suiteOf('');
  current = suite;
  await load();
  return suite;
}

/**
 * Runs the tests in their order. Returns the title and the error of the first failing test; undefined if
 * all pass.
 */
export async function firstFailure(
  suite: Suite,
  outer: Hooks = noHooks,
): Promise<string | undefined> {
  const each = {
    before: [...outer.before, ...suite.each.before],
    after: [...suite.each.after, ...outer.after],
  };
  return await runBetween(suite.title, suite.once, async () => {
    for (const entry of suite.entries) {
      const failure =
        'entries' in entry
          ? await firstFailure(entry, each)
          : await runBetween(entry.title, each, async (context) => {
              await entry.body(context);
              return undefined;
            });
      if (failure !== undefined) return failure;
    }
    return undefined;
  });
}

export function test(title: string, ...rest: readonly [Body] | readonly [Options, Body?]): void {
  const body = rest.at(-1);
  const [options] = rest;
  const isSkipped = typeof options === 'object' && Boolean(options.skip);
  if (typeof body === 'function' && !isSkipped) current.entries.push({ title, body });
}

export function describe(
  title: string,
  ...rest: readonly [() => void] | readonly [Options, () => void]
): void {
  const body = rest.at(-1);
  const [options] = rest;
  if (typeof body !== 'function' || (typeof options === 'object' && Boolean(options.skip))) return;
  const outer = current;
  current = suiteOf(title);
  outer.entries.push(current);
  (body as () => void)();
  current = outer;
}

export const before = (body: Body): unknown => current.once.before.push(body);
export const after = (body: Body): unknown => current.once.after.push(body);
export const beforeEach = (body: Body): unknown => current.each.before.push(body);
export const afterEach = (body: Body): unknown => current.each.after.push(body);
export const { mock } = runner;

const noHooks: Hooks = { before: [], after: [] };

function suiteOf(title: string): Suite {
  return { title, entries: [], once: { before: [], after: [] }, each: { before: [], after: [] } };
}

/** Runs the hooks, and the body between them. The hooks that clean up run even after a failure. */
async function runBetween(
  title: string,
  hooks: Hooks,
  body: (context: Context) => Promise<string | undefined>,
): Promise<string | undefined> {
  const failures: unknown[] = [];
  const ends: Body[] = [];
  const tracker: runner.MockTracker = new (Object.getPrototypeOf(mock).constructor)();
  const context: Context = {
    name: title,
    mock: tracker,
    after: (end) => void ends.push(end),
    diagnostic: () => {},
  };
  const attempt = async (step: Body) => {
    try {
      await step(context);
    } catch (error) {
      failures.push(error);
    }
  };
  let inner: string | undefined;
  for (const step of hooks.before) if (failures.length === 0) await attempt(step);
  if (failures.length === 0) {
    await attempt(async () => {
      inner = await body(context);
    });
  }
  for (let end = ends.shift(); end !== undefined; end = ends.shift()) await attempt(end);
  for (const step of hooks.after) await attempt(step);
  tracker.restoreAll();
  if (failures.length === 0) return inner;
  return `${title}: ${String(failures[0]).split('\n')[0]}`;
}
