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

/** The tests without a fault. Files move from `files` to `failing`. */
export type Baseline = {
  /** The indexes of the faults whose places are executed while the sources load. */
  readonly atLoad: readonly number[];
  /** The test files by path from the root of the project. */
  readonly files: Record<string, TestFile>;
  /** Files that do not pass in such a process, or not repeatedly, with their failures. */
  readonly failing: Record<string, string>;
};

export type Call =
  | { kind: 'measure'; file: string; faults: readonly Fault[] }
  | { kind: 'load'; tests: readonly string[] }
  | { kind: 'repeat'; file: string }
  | { kind: 'fault'; fault: Fault; tests: readonly { file: string; ms: number }[] };

export type Answer =
  | { kind: 'running'; file: string }
  | {
      kind: 'measured';
      atLoad: readonly number[];
      test: TestFile;
      failure: string | undefined;
    }
  | { kind: 'loaded' }
  | { kind: 'repeated'; failure: string | undefined }
  | { kind: 'killed'; by: string }
  | {
      kind: 'unsure';
      why: string;
      isPassed: boolean;
      isSpent: boolean;
      /** The file that failed with the fault, and then without it. */
      failsAgain?: string;
    };

export type WarmTests = {
  readonly baseline: Baseline;
  outcomeOf(fault: Fault, files: readonly string[]): Promise<Outcome>;
  end(): void;
};

type Outcome = Extract<Answer, { kind: 'killed' | 'unsure' }>;

/** A process without a message for this time is in an endless loop. */
const silenceMs = 600_000;

export async function startWarmTests(
  tests: readonly string[],
  faults: readonly Fault[],
): Promise<WarmTests> {
  const sources = [...new Set(faults.map(({ file }) => file))];
  const measured = await measure(sources, tests, faults);
  let { child } = measured;
  const { baseline } = measured;

  /** Returns undefined if a process has loaded the tests, otherwise the reason why none has. */
  async function loaded(): Promise<Outcome | undefined> {
    if (!hasEnded(child)) return undefined;
    child = start(sources);
    const { answer } = await ask(child, { kind: 'load', tests: Object.keys(baseline.files) });
    return answer.kind === 'loaded' ? undefined : unsure(answer);
  }

  /** Finds out in a new process if a file passes only once, and leaves it to separate processes then. */
  async function checkRepeated(file: string): Promise<void> {
    if ((await loaded()) !== undefined) return;
    const { answer } = await ask(child, { kind: 'repeat', file });
    if (answer.kind === 'repeated' && answer.failure === undefined) return;
    await end(child);
    delete baseline.files[file];
    baseline.failing[file] = answer.kind === 'repeated' ? `${answer.failure}` : answer.kind;
  }

  return {
    baseline,
    async outcomeOf(fault, files) {
      const timed = files.map((file) => ({ file, ms: baseline.files[file]?.ms ?? 0 }));
      const outcome =
        (await loaded()) ??
        unsure((await ask(child, { kind: 'fault', fault, tests: timed })).answer);
      if (outcome.kind === 'unsure' && outcome.isSpent) {
        await end(child);
        if (outcome.failsAgain !== undefined) await checkRepeated(outcome.failsAgain);
      }
      return outcome;
    },
    end: () => void child.kill('SIGKILL'),
  };
}

/** Measures the tests. A test file that makes the process unusable is left to separate processes. */
async function measure(
  sources: readonly string[],
  tests: readonly string[],
  faults: readonly Fault[],
): Promise<{ readonly child: ChildProcess; readonly baseline: Baseline }> {
  let atLoad: readonly number[] = [];
  const files: Baseline['files'] = {};
  const failing: Baseline['failing'] = {};
  let child = start(sources);
  for (const file of tests) {
    if (hasEnded(child)) child = start(sources);
    const { answer } = await ask(child, { kind: 'measure', file, faults });
    if (answer.kind === 'measured') {
      atLoad = answer.atLoad;
      if (answer.failure === undefined) files[file] = answer.test;
      else failing[file] = answer.failure;
    } else {
      failing[file] = answer.kind === 'unsure' ? answer.why : answer.kind;
      await end(child);
    }
  }
  // The last process lacks the modules of files that earlier ones measured, so a new one loads all.
  if (Object.keys(failing).length > 0) await end(child);
  return { child, baseline: { atLoad, files, failing } };
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

/** Sends a call, and returns the answer to it. */
async function ask(child: ChildProcess, call: Call): Promise<{ readonly answer: Answer }> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  let running: string | undefined;
  const over = (what: string) => {
    const why = running === undefined ? what : `${what} while ${running} ran`;
    resolve({ kind: 'unsure', why, isPassed: false, isSpent: true });
  };
  const silence = () => over('silent');
  let timer = setTimeout(silence, silenceMs);
  const onMessage = (answer: Answer) => {
    clearTimeout(timer);
    if (answer.kind === 'running') {
      running = answer.file;
      timer = setTimeout(silence, silenceMs);
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
  return { answer };
}
