// Tests that run in processes of their own, which load a source with a fault in it. Slow, and sure.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Fault } from './warm_tests.ts';

/** A fault that makes a loop endless is noticed by the time it takes: this, and more for slow tests. */
const leastTimeLimitMs = 30_000;
/** How much longer tests may take with a fault than all tests of the area take without one. */
const slowdown = 4;

/** An edit that changes nothing of a file that is always there. */
const noFault: Fault = { file: 'src/core/base/bytes.ts', start: 0, end: 0, replacement: '' };

/** The longest that a timer runs. */
const longestTimerMs = 2 ** 31 - 1;

/** Groups of processes that run. Broken off, this one takes them along. */
const groups = new Set<number>();
process.once('exit', () => {
  for (const group of groups) endGroup(group);
});

type Outcome = { readonly outcome: 'killed' | 'timed out' | 'survived'; readonly by: string };
export type ColdTests = {
  outcomeOf(fault: Fault, tests: readonly string[]): Promise<Outcome>;
};

/** The tests of an area, all of which have to pass without a fault before the first one is tried. */
export function coldTests(all: readonly string[]): ColdTests {
  let limit: Promise<number> | undefined;
  return {
    async outcomeOf(fault, tests) {
      if (tests.length === 0) return { outcome: 'survived', by: '' };
      limit ??= timeLimitOf(all);
      const limitMs = await limit;
      // Most faults are noticed by the first few files; loading them all takes longer than that.
      const parts = [tests.slice(0, 3), tests.slice(3, 10), tests.slice(10)];
      for (const part of parts.filter(({ length }) => length > 0)) {
        const { isLate, code, output } = await runTests(fault, part, limitMs);
        if (isLate) return { outcome: 'timed out', by: '' };
        if (code !== 0) return { outcome: 'killed', by: output.trim().split('\n')[0] ?? '' };
      }
      return { outcome: 'survived', by: '' };
    },
  };
}

/** Runs the tests of an area without a fault. They pass, and take as long as no fault should make of it. */
async function timeLimitOf(tests: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const { code, output } = await runTests(noFault, tests, Number.POSITIVE_INFINITY);
  if (code !== 0) throw new Error(`without a fault a test fails: ${output}`);
  return leastTimeLimitMs + slowdown * (performance.now() - startedAt);
}

async function runTests(fault: Fault, tests: readonly string[], timeLimitMs: number) {
  const { file, start, end, replacement } = fault;
  const here = (name: string) => join(import.meta.dirname, name);
  const child = spawn(
    process.execPath,
    ['--import', here('faulty_source.ts'), here('first_failure.ts'), ...tests],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      // In a session of its own: what its tests start ends with it.
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
    // Nothing is left of it.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
