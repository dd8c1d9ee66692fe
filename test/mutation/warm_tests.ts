// One process that keeps the tests of an area loaded, and another after it once it is spent.

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

export type Fault = {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
};

export type Baseline = {
  /** The indexes of the faults whose place runs while the sources load. */
  readonly atLoad: readonly number[];
  /** By test file: its processor time, and the indexes of the faults whose place it reaches. */
  readonly files: Readonly<
    Record<string, { readonly ms: number; readonly reaches: readonly number[] }>
  >;
  /** Files that do not pass here, with their failure. */
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
  outcomeOf(
    fault: Fault,
    files: readonly string[],
  ): Promise<Extract<Answer, { kind: 'killed' | 'unsure' }>>;
  end(): void;
};

/** A process that says nothing for so long is in an endless loop. */
const silenceMs = 600_000;

export async function startWarmTests(
  tests: readonly string[],
  faults: readonly Fault[],
): Promise<WarmTests> {
  const sources = [...new Set(faults.map(({ file }) => file))];
  let child = start(sources);
  const answer = await ask(child, { kind: 'baseline', tests, faults });
  if (answer.kind !== 'baseline') throw new Error(`no baseline: ${JSON.stringify(answer)}`);
  const { baseline } = answer;
  const usable = Object.keys(baseline.files);
  return {
    baseline,
    async outcomeOf(fault, files) {
      if (child.exitCode !== null || child.signalCode !== null) {
        child = start(sources);
        await ask(child, { kind: 'load', tests: usable });
      }
      const timed = files.map((file) => ({ file, ms: baseline.files[file]?.ms ?? 0 }));
      const answer = await ask(child, { kind: 'fault', fault, tests: timed });
      if (answer.kind !== 'killed' && answer.kind !== 'unsure') {
        throw new Error(`no outcome: ${JSON.stringify(answer)}`);
      }
      if (answer.kind === 'unsure' && answer.isSpent) await ended(child);
      return answer;
    },
    end: () => void child.kill('SIGKILL'),
  };
}

function start(sources: readonly string[]): ChildProcess {
  const here = (name: string) => join(import.meta.dirname, name);
  return fork(here('warm_process.ts'), sources, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: here('../../node_modules/.cache/compiled_tests'),
    },
  });
}

async function ended(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill('SIGKILL');
  await promise;
}

/** Sends a call, and returns the answer that ends it. */
async function ask(child: ChildProcess, call: Call): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const over = (why: string) => resolve({ kind: 'unsure', why, isPassed: false, isSpent: true });
  const silence = () => over('silent');
  let timer = setTimeout(silence, silenceMs);
  const onMessage = (answer: Answer) => {
    clearTimeout(timer);
    if (answer.kind === 'running') timer = setTimeout(silence, silenceMs);
    else resolve(answer);
  };
  const onExit = () => over('the process ended');
  child.on('message', onMessage).once('exit', onExit);
  child.send(call);
  const answer = await promise;
  clearTimeout(timer);
  child.off('message', onMessage).off('exit', onExit);
  return answer;
}
