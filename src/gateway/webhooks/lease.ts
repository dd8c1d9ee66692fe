// The lease of an endpoint's stream during one turn, and the outcomes that the turn stores. Each stored
// outcome prolongs the lease.

import type { DeliveryOutcome } from '../../store/reads/outbox.ts';
import type { OutcomeWriter } from './outcome_writer.ts';

/** Minimum time by which a lease outlives an attempt. */
export const leaseMarginMs = 5_000;

export type Lease = {
  /** Returns true if the lease outlives an attempt that begins now. */
  coversAttempt(): boolean;
  /** Stores an outcome soon, together with others. */
  store(outcome: DeliveryOutcome): void;
  /** Waits until all outcomes are stored. Returns false if another node has taken the lease. */
  areStored(): Promise<boolean>;
};

/** Creates the lease of a turn. Its number of unstored outcomes is bounded by the deliveries of one read. */
export function createLease(ports: {
  readonly outcomes: OutcomeWriter;
  readonly now: () => number;
  readonly timeoutMs: number;
  readonly leaseUntilMs: number;
}): Lease {
  const { outcomes, now, timeoutMs } = ports;
  let { leaseUntilMs } = ports;
  let open: Promise<boolean>[] = [];
  return {
    coversAttempt: () => now() + timeoutMs <= leaseUntilMs,
    store: (outcome) => {
      const stored = outcomes.record(outcome).then((isOurs) => {
        if (isOurs) leaseUntilMs = outcome.leaseUntilMs;
        return isOurs;
      });
      // `areStored` raises the failure.
      stored.catch(() => undefined);
      open.push(stored);
    },
    areStored: async () => {
      if (open.length === 0) return true;
      outcomes.flush();
      const all = open;
      open = [];
      return (await Promise.all(all)).every((isOurs) => isOurs);
    },
  };
}
