// Metrics of the enclave's process: memory and event loop.

import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';

type Vitals = Omit<
  AnswerOf<EnclaveMessages['vitals']>,
  'requests' | 'largeReadsWaiting' | 'unrecordedRefusals' | 'changeWaits'
>;
/** Returns the metrics since the last call. */
export type ReadVitals = () => Vitals;

/** Returns zero metrics, for tests. */
export const noVitals: ReadVitals = () => ({
  residentBytes: 0,
  heapUsedBytes: 0,
  externalBytes: 0,
  lagP99Micros: 0,
  lagMaximumMicros: 0,
  busyPermille: 0,
});

/** Starts to measure this process. */
export function createVitals(): ReadVitals {
  // Measures each turn of the event loop. Samples at fixed times would wake an idle process.
  const delays = monitorEventLoopDelay({ samplePerIteration: true });
  delays.enable();
  let before = performance.eventLoopUtilization();
  return () => {
    const { rss, heapUsed, external } = process.memoryUsage();
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const lags = { p99: microsOf(delays.percentile(99)), maximum: microsOf(delays.max) };
    delays.reset();
    return {
      residentBytes: rss,
      heapUsedBytes: heapUsed,
      externalBytes: external,
      lagP99Micros: lags.p99,
      lagMaximumMicros: lags.maximum,
      busyPermille: Math.round(utilization * 1_000),
    };
  };
}

/** Minimum interval between readings of thread use, because a reading has a cost. */
const busyEveryMs = 5;

/**
 * Returns how long the thread has been busy so far, in whole milliseconds. Returns undefined shortly after
 * the last reading.
 */
export function createBusyTime(clock: () => number, activeMs = threadActiveMs) {
  let readAtMs = Number.NEGATIVE_INFINITY;
  return (): number | undefined => {
    const nowMs = clock();
    if (nowMs - readAtMs < busyEveryMs) return undefined;
    readAtMs = nowMs;
    return Math.round(activeMs());
  };
}

/** Returns how long the thread has been active so far, in milliseconds. */
export function threadActiveMs(): number {
  return performance.eventLoopUtilization().active;
}

const microsOf = (nanoseconds: number): number => Math.round(nanoseconds / 1_000);
