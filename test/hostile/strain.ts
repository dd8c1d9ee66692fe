// The load of hostile input on the process: retained memory, and the longest time without another turn of
// the event loop.

import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that intended caches may use meanwhile. */
const maximumGrowthBytes = 32 * 1024 * 1024;

export type Strain = ReturnType<typeof watchStrain>;

/** Monitors a run of this number of cases; `done` is called after each. */
export function watchStrain(cases: number) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const startMs = performance.now();
  let half = 0;
  delay.enable();

  return {
    /** Yields to the event loop, so that only the time of a case counts. */
    done: async (count: number): Promise<void> => {
      if (count === Math.floor(cases / 2)) {
        delay.disable();
        half = usedHeapBytes();
        delay.enable();
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
    /** Ends the monitoring. Fails if the second half of the run retained memory. */
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

/** Returns the results as one line of text. */
export function strainText({ longestStallMs, grownBytes, casesPerSecond }: Strained): string {
  const grownMiB = grownBytes / 1024 / 1024;
  return [
    `${casesPerSecond.toFixed(0)} per second`,
    `longest stall ${longestStallMs.toFixed(0)} ms`,
    `heap ${grownMiB < 0 ? '' : '+'}${grownMiB.toFixed(1)} MiB in the second half`,
  ].join(', ');
}

/** Returns the used heap after a full garbage collection. */
function usedHeapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  assert(typeof collect === 'function');
  collect();
  return process.memoryUsage().heapUsed;
}
