// Runs node:test without its async hook for each promise.
//
// node:test finds the test of an error by an async hook that follows each promise, which takes up to two
// fifths of the processor time of tests in memory. Here the hook follows timers, sockets and the like only.
// An AsyncLocalStorage carries the test across promises, at no cost. This file alone relies on internals of
// node:test.

import { AsyncLocalStorage, AsyncResource, createHook } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import { after, afterEach, before, beforeEach, type HookOptions, run } from 'node:test';
import { promisify } from 'node:util';
import { takeHook, withHooks } from './file_hooks.ts';

/** The root of the tests, as far as it is used here. */
type Root = {
  run(): Promise<void>;
  createSubtest: Method;
  createHook: Method;
  readonly harness: { teardown(): Promise<void> };
};

type Method = (this: unknown, ...given: unknown[]) => unknown;

/** Takes the timer at load, because a test may replace the timers. */
const turn = promisify(setImmediate);

const hooks = { after, afterEach, before, beforeEach };

/** The events by which node:test learns of errors that no test awaits. */
const events = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * Runs the tests of a file, then ends this process. `onError` gets each error that no test awaits, before
 * node:test does.
 */
export function runTests(
  file: string,
  { timeoutMs, onError }: { readonly timeoutMs: number; onError(error: unknown): void },
): ReturnType<typeof run> {
  /** The scope of the running test: a resource that node:test maps to it. */
  const scopes = new AsyncLocalStorage<AsyncResource>();
  tracingChannel('node.test').start.bindStore(scopes, () => new AsyncResource('TestScope'));
  const [stream, root] = untracked(() =>
    run({ files: [file], isolation: 'none', timeout: timeoutMs }),
  );
  attributeErrors(scopes, onError);
  placeLateDefinitions(root, scopes);
  exitAfterwards(root);
  return stream;
}

/** Runs the handlers of node:test in the scope of the test that caused the error. */
function attributeErrors(
  scopes: AsyncLocalStorage<AsyncResource>,
  onError: (error: unknown) => void,
): void {
  for (const event of events) {
    for (const handler of process.listeners(event) as Method[]) {
      process.off(event, handler);
      process.on(event, (...given: unknown[]) => {
        onError(given[0]);
        const scope = scopes.getStore();
        if (scope === undefined) handler.apply(process, given);
        else scope.runInAsyncScope(handler, process, ...given);
      });
    }
  }
}

/**
 * Registers a hook with the test that defines it, even after an await, where node:test finds the root.
 * Rejects a test that another test defines there: the two would wait for each other.
 */
function placeLateDefinitions(root: Root, scopes: AsyncLocalStorage<AsyncResource>): void {
  const { createHook: createRootHook, createSubtest } = root;
  root.createHook = (...given) => {
    const [name, run, options] = given as [keyof typeof hooks, () => unknown, HookOptions];
    const scope = scopes.getStore();
    if (scope === undefined) {
      return takeHook(name, run) ? undefined : createRootHook.apply(root, given);
    }
    return scope.runInAsyncScope(hooks[name], undefined, run, options);
  };
  root.createSubtest = (...given) => {
    const [kind, ...words] = given;
    if (scopes.getStore() === undefined)
      return createSubtest.call(root, kind, ...hooked(kind, words));
    throw new Error('define tests before the first await, or by the context of their test');
  };
}

/** Returns the words that define a test, with the hooks of its file. Suites have their own hooks. */
function hooked(kind: unknown, words: readonly unknown[]): readonly unknown[] {
  if (typeof kind !== 'function' || kind.name !== 'Test') return words;
  return words.map((word) => (typeof word === 'function' ? withHooks(word as Method) : word));
}

/**
 * Ends this process after the last test, one turn later, in which Node reports a rejection of that test. A
 * file that fails while it loads may have started processes that nothing stops.
 */
function exitAfterwards(root: Root): void {
  const original = root.run;
  root.run = async () => {
    await original.call(root);
    await turn();
    await root.harness.teardown();
    process.exit();
  };
}

/** Starts node:test with a hook that tracks no promises. Returns the result of `start` and the root. */
function untracked<Started>(start: () => Started): readonly [Started, Root] {
  let root: Root | undefined;
  const search = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'Test') root ??= resource as Root;
    },
    trackPromises: false,
  });
  const tracksNone = Object.getOwnPropertySymbols(search).find(
    ({ description }) => description === 'kNoPromiseHook',
  );
  const prototype: { enable(this: object): unknown } = Object.getPrototypeOf(search);
  const { enable } = prototype;
  search.enable();
  prototype.enable = function () {
    if (tracksNone !== undefined) Reflect.set(this, tracksNone, true);
    return enable.call(this);
  };
  const started = start();
  prototype.enable = enable;
  search.disable();
  if (tracksNone === undefined || root === undefined)
    throw new Error('this version of Node enables the hook of its tests in another way');
  return [started, root];
}
