// Reads the metrics of the enclave and the store periodically.

import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';
import type { StoreVitals } from '../../store/reads/vitals.ts';
import type { Metrics } from './metrics.ts';

export type VitalSignsOptions = {
  readonly metrics: Metrics;
  readonly enclave: () => Promise<AnswerOf<EnclaveMessages['vitals']>>;
  readonly store: () => Promise<StoreVitals>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Runs a function once after a delay. Returns a function that cancels it. */
  readonly after: (delayMs: number, run: () => void) => () => void;
};

type EnclaveVitals = AnswerOf<EnclaveMessages['vitals']>;

/**
 * Combines the vital signs of several enclaves: the sums of memory and requests, and the worst delay and
 * thread use. Raises TypeError without an enclave, so that the last values stay.
 */
export function mergedVitals(each: readonly EnclaveVitals[]): EnclaveVitals {
  return each.reduce((one, other) => ({
    residentBytes: one.residentBytes + other.residentBytes,
    heapUsedBytes: one.heapUsedBytes + other.heapUsedBytes,
    externalBytes: one.externalBytes + other.externalBytes,
    lagP99Micros: Math.max(one.lagP99Micros, other.lagP99Micros),
    lagMaximumMicros: Math.max(one.lagMaximumMicros, other.lagMaximumMicros),
    busyPermille: Math.max(one.busyPermille, other.busyPermille),
    requests: one.requests + other.requests,
    largeReadsWaiting: one.largeReadsWaiting + other.largeReadsWaiting,
    unrecordedRefusals: one.unrecordedRefusals + other.unrecordedRefusals,
    changeWaits: {
      first: sumOfWaits(one.changeWaits.first, other.changeWaits.first),
      users: sumOfWaits(one.changeWaits.users, other.changeWaits.users),
      strangers: sumOfWaits(one.changeWaits.strangers, other.changeWaits.strangers),
    },
  }));
}

type Waits = EnclaveVitals['changeWaits']['first'];

const sumOfWaits = (one: Waits, other: Waits): Waits => ({
  waiting: one.waiting + other.waiting,
  ended: one.ended + other.ended,
  waitedMs: one.waitedMs + other.waitedMs,
});

/** Interval between two readings. */
export const vitalSignsPauseMs = 10_000;

/** Reads the metrics periodically until `stop`. A process that does not answer keeps its last values. */
export function watchVitalSigns(options: VitalSignsOptions): { stop(): void } {
  const { metrics, now } = options;
  let isStopped = false;
  let cancel = (): void => undefined;

  async function measureStore(): Promise<void> {
    const before = now();
    const { waitingEvents, oldestWaitingMs, databaseMs, ...audit } = await options.store();
    const after = now();
    const ageOf = (ms: number | undefined): number =>
      ms === undefined ? 0 : Math.max(0, after - ms);
    metrics.storeMeasured({
      waitingEvents,
      oldestEventMs: ageOf(oldestWaitingMs),
      waitingAuditLines: audit.waitingAuditLines,
      oldestAuditLineMs: ageOf(audit.oldestAuditLineMs),
      clockOffsetMs: databaseMs === undefined ? undefined : databaseMs - (before + after) / 2,
    });
  }

  async function look(): Promise<void> {
    const enclave = options.enclave().then(metrics.enclaveMeasured);
    // Readiness reports a missing process.
    await Promise.allSettled([enclave, measureStore()]);
    if (!isStopped) cancel = options.after(vitalSignsPauseMs, () => void look());
  }

  void look();
  return {
    stop: () => {
      isStopped = true;
      cancel();
    },
  };
}
