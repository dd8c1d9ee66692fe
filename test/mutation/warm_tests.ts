// A process that has loaded the tests of an area, which is replaced when it becomes unusable.

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

export type Fault = {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
};

export type TestFile = Reached & {
  /** The processor time in milliseconds. */
  readonly ms: number;
};

export type Reached = {
  /** The indexes of the faults whose places the file executes. */
  readonly reaches: readonly number[];
  /** The sources of which the file executes some function. */
  readonly sources: readonly string[];
};

export type Baseline = {
  /** The indexes of the faults whose places are executed while the sources load. */
  readonly atLoad: readonly number[];
  /** The test files by path from the root of the project. */
  readonly files: Readonly<Record<string, TestFile>>;
  /** Files that do not pass in such a process, with their failures. */
  readonly failing: Readonly<Record<string, string>>;
};

export type Call =
  | { kind: 'baseline'; tests: readonly string[]; faults: readonly Fault[] }
  | { kind: 'load'; tests: readonly string[] }
  | { kind: 'fault'; fault: Fault; tests: readonly { file: string; ms: number }[] };

export type Answer =
  | { kind: 'running'; file: string }
  | { kind: 'baseline'; baseline: Baseline }
  | { kind: 'loaded' }
  | { kind: 'killed'; by: string }
  | { kind: 'unsure'; why: string; isPassed: boolean; isSpent: boolean };

export type WarmTests = {
  readonly baseline: Baseline;
  outcomeOf(fault: Fault, files: readonly string[]): Promise<Outcome>;
  end(): void;
};

type Outcome = Extract<Answer, { kind: 'killed' | 'unsure' }>;

/** A process without a message for this time is in an endless loop. */
const silenceMs = 600_000;
/** A test file that takes longer without a fault runs only in separate processes. */
const baselineFileMs = 120_000;

export async function startWarmTests(
  tests: readonly string[],
  faults: readonly Fault[],
): Promise<WarmTests> {
  const sources = [...new Set(faults.map(({ file }) => file))];
  const measured = await measure(sources, tests, faults);
  let { child } = measured;
  const { baseline } = measured;
  const usable = Object.keys(baseline.files);

  /** Returns undefined if a process has loaded the tests, otherwise the reason why none has. */
  async function loaded(): Promise<Outcome | undefined> {
    if (!hasEnded(child)) return undefined;
    child = start(sources);
    const { answer } = await ask(child, { kind: 'load', tests: usable });
    return answer.kind === 'loaded' ? undefined : unsure(answer);
  }

  return {
    baseline,
    async outcomeOf(fault, files) {
      const timed = files.map((file) => ({ file, ms: baseline.files[file]?.ms ?? 0 }));
      const outcome =
        (await loaded()) ??
        unsure((await ask(child, { kind: 'fault', fault, tests: timed })).answer);
      if (outcome.kind === 'unsure' && outcome.isSpent) await end(child);
      return outcome;
    },
    end: () => void child.kill('SIGKILL'),
  };
}

/**
 * Measures the tests. A test file that makes the process unusable is left out, and the others are measured
 * again.
 */
async function measure(
  sources: readonly string[],
  tests: readonly string[],
  faults: readonly Fault[],
): Promise<{ readonly child: ChildProcess; readonly baseline: Baseline }> {
  const child = start(sources);
  const call: Call = { kind: 'baseline', tests, faults };
  const { answer, running } = await ask(child, call, baselineFileMs);
  if (answer.kind === 'baseline') return { child, baseline: answer.baseline };
  await end(child);
  const why = answer.kind === 'unsure' ? answer.why : answer.kind;
  if (running === undefined) throw new Error(`no baseline: ${why}`);
  const others = tests.filter((file) => file !== running);
  const rest = await measure(sources, others, faults);
  const failing = { ...rest.baseline.failing, [running]: why };
  return { child: rest.child, baseline: { ...rest.baseline, failing } };
}

/** Treats an answer to another call as one that decides nothing. */
function unsure(answer: Answer): Outcome {
  if (answer.kind === 'killed' || answer.kind === 'unsure') return answer;
  return { kind: 'unsure', why: `answered ${answer.kind}`, isPassed: false, isSpent: true };
}

function start(sources: readonly string[]): ChildProcess {
  const here = (name: string) => join(import.meta.dirname, name);
  const child = fork(here('warm_process.ts'), sources, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: here('../../node_modules/.cache/compiled_tests'),
    },
  });
  // A process in an endless loop does not notice that this process ends, so it is killed.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Ends a process if it has not ended by itself. */
async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill('SIGKILL');
  await promise;
}

/** Sends a call. Returns the answer to it, and the test file that ran last. */
async function ask(
  child: ChildProcess,
  call: Call,
  limitMs = silenceMs,
): Promise<{ readonly answer: Answer; readonly running: string | undefined }> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  let running: string | undefined;
  const over = (what: string) => {
    const why = running === undefined ? what : `${what} while ${running} ran`;
    resolve({ kind: 'unsure', why, isPassed: false, isSpent: true });
  };
  const silence = () => over('silent');
  let timer = setTimeout(silence, limitMs);
  const onMessage = (answer: Answer) => {
    clearTimeout(timer);
    if (answer.kind === 'running') {
      running = answer.file;
      timer = setTimeout(silence, limitMs);
    } else resolve(answer);
  };
  const onExit = () => over('the process ended');
  child.on('message', onMessage).once('exit', onExit);
  child.send(call, (error) => {
    if (error !== null) over(`the process takes no call: ${error.message}`);
  });
  const answer = await promise;
  clearTimeout(timer);
  child.off('message', onMessage).off('exit', onExit);
  return { answer, running };
}
