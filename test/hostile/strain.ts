// The strain of hostile input on the process: memory that stays held, and the longest time in
// which nobody else had a turn.

import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that what is remembered on purpose, caches above all, may take meanwhile. */
const maximumGrowthBytes = 32 * 1024 * 1024;

export type Strain = ReturnType<typeof watchStrain>;

/** Watches a run of so many cases; `done` is told after each of them. */
export function watchStrain(cases: number) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const startMs = performance.now();
  let half = 0;
  delay.enable();

  return {
    /** Gives everybody a turn, so that only what a case itself holds up counts. */
    done: async (count: number): Promise<void> => {
      if (count === Math.floor(cases / 2)) {
        delay.disable();
        half = usedHeapBytes();
        delay.enable();
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
    /** Ends it. Fails where the second half of the run held on to memory. */
    end: () => {
      delay.disable();
      const grownBytes = usedHeapBytes() - half;
      assert.ok(grownBytes < maximumGrowthBytes, `the heap grew by ${grownBytes} bytes`);
      return {
        longestStallMs: delay.max / 1e6,
        grownBytes,
        casesPerSecond: (cases / (performance.now() - startMs)) * 1000,
      };
    },
  };
}

export type Strained = ReturnType<Strain['end']>;

/** One line to read. */
export function strainText({ longestStallMs, grownBytes, casesPerSecond }: Strained): string {
  const grownMiB = grownBytes / 1024 / 1024;
  return [
    `${casesPerSecond.toFixed(0)} per second`,
    `longest stall ${longestStallMs.toFixed(0)} ms`,
    `heap ${grownMiB < 0 ? '' : '+'}${grownMiB.toFixed(1)} MiB in the second half`,
  ].join(', ');
}

/** The memory that is held after everything unreachable was collected. */
function usedHeapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  assert(typeof collect === 'function');
  collect();
  return process.memoryUsage().heapUsed;
}
