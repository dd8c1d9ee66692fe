// Loads the tests of an area with their sources once, and tries one fault after the other. For each fault
// it loads another variant of the source, to which it forwards the imports of other modules. A fault is
// killed if a test file fails with it, and passes right afterwards with a variant without a fault.
// Otherwise a new process that loads the fault decides.

import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mutated } from './mutants.ts';
import { forward, use } from './variants.ts';
import type { Answer, Call, Fault, Reached } from './warm_tests.ts';

const root = join(import.meta.dirname, '../..');
const urlOf = (file: string) => pathToFileURL(join(root, file)).href;
const nodeTest = urlOf('test/mutation/node_test.ts');
/** The sources that have variants, by the address that other modules import. */
const sources = new Map(process.argv.slice(2).map((file) => [urlOf(file), file]));
const noEdit = { start: 0, end: 0, replacement: '' };
/** The edit of each variant, by its number. The first variants of all sources have the number 0. */
const edits = [noEdit];

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test' && context.parentURL !== nodeTest
      ? { url: nodeTest, shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) => {
    const [address = '', variant] = url.split('?variant=');
    const file = sources.get(address);
    if (file === undefined) return next(url, context);
    const text = readFileSync(join(root, file), 'utf8');
    const source =
      variant === undefined
        ? forward(address, text)
        : mutated(text, edits[Number(variant)] ?? noEdit);
    return { format: 'module', source, shortCircuit: true };
  },
});
const { collected, firstFailure } = await import('./node_test.ts');

/** The fixed part of the time limit of a test file; slow files have more. */
const leastTimeLimitMs = 30_000;
const slowdown = 30;

const session = new Session();
session.connect();

/**
 * The number of errors that no test awaited. The test that ran at the time neither passes nor fails for
 * sure.
 */
let strayErrors = 0;
process.on('uncaughtException', () => {
  strayErrors += 1;
});
process.on('unhandledRejection', () => {
  strayErrors += 1;
});

let loads = 0;

/** Loads a test file again with the current sources, and runs its tests. */
async function run(file: string): Promise<string | undefined> {
  loads += 1;
  try {
    const suite = await collected(() => import(`${urlOf(file)}?load=${loads}`));
    return await firstFailure(suite);
  } catch (error) {
    return `${file}: ${String(error).split('\n')[0]}`;
  }
}

async function runWithin(file: string, limitMs: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), limitMs);
  const outcome = await Promise.race([run(file), promise]);
  clearTimeout(timer);
  return outcome;
}

/** The faults whose places are executed while the sources load; undefined unless coverage is measured. */
let atLoad: readonly number[] | undefined;

/** Measures the processor time of a test file, and finds the faults whose places it reaches. */
async function measurementOf(file: string, faults: readonly Fault[]): Promise<Answer> {
  if (atLoad === undefined) {
    await post('Profiler.enable');
    await post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    for (const address of sources.keys()) await import(address);
    atLoad = (await reached(faults)).reaches;
  }
  tell({ kind: 'running', file });
  const before = process.cpuUsage();
  const failure = await run(file);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  return { kind: 'measured', atLoad, test: { ms, ...(await reached(faults)) }, failure };
}

async function stopMeasuring(): Promise<void> {
  if (atLoad === undefined) return;
  await post('Profiler.stopPreciseCoverage');
  atLoad = undefined;
}

type Coverage = {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { startOffset: number; endOffset: number; count: number }[];
    }[];
  }[];
};

/**
 * Returns the faults whose places were executed since the last call, and the sources of which any function
 * was.
 */
async function reached(faults: readonly Fault[]): Promise<Reached> {
  const { result } = await post<Coverage>('Profiler.takePreciseCoverage');
  const ranges = new Map(
    result.map(({ url, functions }) => [url, functions.flatMap((one) => one.ranges)]),
  );
  const rangesOf = (file: string) => ranges.get(`${urlOf(file)}?variant=0`) ?? [];
  const reaches = faults.flatMap(({ file, start }, index) => {
    const innermost = rangesOf(file)
      .filter(({ startOffset, endOffset }) => startOffset <= start && start < endOffset)
      .reduce<{ size: number; count: number }>(
        (inner, { startOffset, endOffset, count }) =>
          endOffset - startOffset <= inner.size ? { size: endOffset - startOffset, count } : inner,
        { size: Number.POSITIVE_INFINITY, count: 0 },
      );
    return innermost.count > 0 ? [index] : [];
  });
  const hasRun = (file: string) => rangesOf(file).some(({ count }) => count > 0);
  return { reaches, sources: [...sources.values()].filter(hasRun) };
}

/** The part of the answer after which the process is replaced. */
const spent = { kind: 'unsure', isPassed: false, isSpent: true } as const;

async function outcomeOf({ fault, tests }: Extract<Call, { kind: 'fault' }>): Promise<Answer> {
  const address = urlOf(fault.file);
  try {
    await useVariant(address, fault);
  } catch (error) {
    return { kind: 'killed', by: `does not load: ${String(error)}` };
  }
  for (const { file, ms } of tests) {
    tell({ kind: 'running', file });
    const before = strayErrors;
    const limitMs = leastTimeLimitMs + slowdown * ms;
    const failure = await runWithin(file, limitMs);
    if (failure === 'late') return { ...spent, why: `${file} is late` };
    if (strayErrors > before) return { ...spent, why: `${file}: stray error` };
    if (failure === undefined) continue;
    await useVariant(address, noEdit);
    const still = await runWithin(file, limitMs);
    if (still !== undefined) return { ...spent, why: `still: ${still}`, failsAgain: file };
    return { kind: 'killed', by: `${file}: ${failure}` };
  }
  return { kind: 'unsure', why: 'no test fails', isPassed: true, isSpent: false };
}

/** Loads a variant of a source, and uses it from now on. */
async function useVariant(address: string, edit: typeof noEdit): Promise<void> {
  const number = edits.push(edit) - 1;
  use(address, await import(`${address}?variant=${number}`));
}

function post<T>(method: string, params: object = {}): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  session.post(method, params, (error, result) => {
    if (error === null) resolve(result as T);
    else reject(error);
  });
  return promise;
}

function tell(answer: Answer): void {
  process.send?.(answer);
}

async function answerOf(call: Call): Promise<Answer> {
  if (call.kind === 'measure') return await measurementOf(call.file, call.faults);
  await stopMeasuring();
  if (call.kind === 'fault') return await outcomeOf(call);
  if (call.kind === 'repeat') {
    const failure = (await run(call.file)) ?? (await run(call.file));
    return { kind: 'repeated', failure };
  }
  // Loads modules before any fault, so that values that they compute while they load are without it.
  for (const file of call.tests) {
    tell({ kind: 'running', file });
    await collected(() => import(urlOf(file)));
  }
  return { kind: 'loaded' };
}

process.on('message', async (call: Call) => {
  try {
    tell(await answerOf(call));
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    tell({ ...spent, why });
  }
});
process.on('disconnect', () => process.exit());
