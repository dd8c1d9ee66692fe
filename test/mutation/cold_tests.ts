// Runs tests in separate processes, which load a source with a fault. This is slow, but reliable.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Fault } from './warm_tests.ts';

/** The fixed part of the time limit, after which a fault that makes a loop endless is noticed. */
const leastTimeLimitMs = 30_000;
/** The other part of the time limit, as a multiple of the processor time of the tests. */
const slowdown = 30;

/** An edit that changes nothing, of a file that always exists. */
const noFault: Fault = { file: 'src/core/base/bytes.ts', start: 0, end: 0, replacement: '' };

/** The longest delay of a timer. */
const longestTimerMs = 2 ** 31 - 1;

/** The running process groups, which this process kills when it is interrupted. */
const groups = new Set<number>();
process.once('exit', () => {
  for (const group of groups) endGroup(group);
});

type Outcome = { readonly outcome: 'killed' | 'timed out' | 'survived'; readonly by: string };
export type ColdTests = {
  outcomeOf(fault: Fault, tests: readonly string[]): Promise<Outcome>;
};

/**
 * Creates the separate processes. `msOf` returns the known processor time of a test file. A fault is noticed
 * if the tests fail with it, and pass right afterwards without it.
 */
export function coldTests(msOf: (file: string) => number): ColdTests {
  return {
    async outcomeOf(fault, tests) {
      // The first few files notice most faults, in less time than it takes to load all files.
      const parts = [tests.slice(0, 3), tests.slice(3, 10), tests.slice(10)];
      for (const part of parts.filter(({ length }) => length > 0)) {
        const totalMs = part.reduce((sum, file) => sum + msOf(file), 0);
        const limitMs = leastTimeLimitMs + slowdown * totalMs;
        const { isLate, code, output } = await runTests(fault, part, limitMs);
        if (code === 0) continue;
        const without = await runTests(noFault, part, limitMs);
        if (without.code !== 0) throw new Error(`without a fault a test fails: ${without.output}`);
        if (isLate) return { outcome: 'timed out', by: '' };
        return { outcome: 'killed', by: output.trim().split('\n')[0] ?? '' };
      }
      return { outcome: 'survived', by: '' };
    },
  };
}

async function runTests(fault: Fault, tests: readonly string[], timeLimitMs: number) {
  const { file, start, end, replacement } = fault;
  const here = (name: string) => join(import.meta.dirname, name);
  const child = spawn(
    process.execPath,
    ['--import', here('faulty_source.ts'), here('first_failure.ts'), ...tests],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      // Runs in its own session, so that processes that the tests start end with it.
      detached: true,
      env: {
        ...process.env,
        MUTANT: JSON.stringify({ file, start, end, replacement }),
        NODE_COMPILE_CACHE: here('../../node_modules/.cache/compiled_tests'),
      },
    },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error('the tests cannot be started');
  groups.add(pid);
  let isLate = false;
  const timer = setTimeout(
    () => {
      isLate = true;
      endGroup(pid);
    },
    Math.min(timeLimitMs, longestTimerMs),
  );
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, code] = await Promise.all([text(child.stdout), ended]);
  clearTimeout(timer);
  endGroup(pid);
  groups.delete(pid);
  return { isLate, code, output };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // Every process of the group has ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
