// Metrics of the queues of organization changes, by rank.

import type { Registry } from 'prom-client';
import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';

type ChangeWaits = AnswerOf<EnclaveMessages['vitals']>['changeWaits'];

const ranks = ['first', 'users', 'strangers'] as const;

/** Registers the metrics, and returns the function that sets them. */
export function changeWaitMetrics(
  { Counter, Gauge }: Pick<typeof import('prom-client'), 'Counter' | 'Gauge'>,
  registry: Registry,
): (waits: ChangeWaits) => void {
  const of = { labelNames: ['rank'] as const, registers: [registry] };
  const waiting = new Gauge({
    ...of,
    name: 'keywright_changes_waiting',
    help: 'Changes waiting for their turn, by rank.',
  });
  const ended = new Counter({
    ...of,
    name: 'keywright_changes_waited_total',
    help: 'Changes that waited for their turn and received it, by rank.',
  });
  const seconds = new Counter({
    ...of,
    name: 'keywright_changes_waited_seconds_total',
    help: 'Total waiting time of these changes, by rank.',
  });
  let before: ChangeWaits | undefined;
  return (waits) => {
    for (const rank of ranks) {
      const now = waits[rank];
      const last = before?.[rank];
      // The counters of a restarted enclave begin at zero.
      const base = last !== undefined && last.ended <= now.ended ? last : { ended: 0, waitedMs: 0 };
      waiting.set({ rank }, now.waiting);
      ended.inc({ rank }, now.ended - base.ended);
      seconds.inc({ rank }, Math.max(0, now.waitedMs - base.waitedMs) / 1000);
    }
    before = waits;
  };
}
