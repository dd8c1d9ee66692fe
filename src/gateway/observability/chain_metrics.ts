// Metrics of transactions in progress, and of lookups at the operator's servers.

import type { Registry } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** Registers the metrics, and returns the functions that set them. */
export function chainMetrics(
  { Counter, Gauge }: Pick<typeof import('prom-client'), 'Counter' | 'Gauge'>,
  registry: Registry,
) {
  const registers = [registry];
  const underWay = new Gauge({
    name: 'keywright_sends_under_way',
    help: 'Transactions that are sent and not yet final.',
    labelNames: ['chain'],
    registers,
  });
  const looks = new Counter({
    name: 'keywright_send_looks_total',
    help: 'Queries of the nodes of a chain about a transaction: `agreed`, `disagreed` without a majority, or `unanswered`.',
    labelNames: ['chain', 'outcome'],
    registers,
  });
  const waiting = new Gauge({
    name: 'keywright_lookups_waiting',
    help: 'Requests to chain nodes and sources of rewards that wait for a place: by the kind of server.',
    labelNames: ['server'],
    registers,
  });
  const refused = new Counter({
    name: 'keywright_lookups_refused_total',
    help: 'Requests to these servers that were refused because too many wait.',
    labelNames: ['server'],
    registers,
  });
  return {
    sendsUnderWay: (chain, count) => underWay.set({ chain }, count),
    sendLookedAt: (chain, outcome) => looks.inc({ chain, outcome }),
    lookupsWaiting: (server, count) => waiting.set({ server }, count),
    lookupRefused: (server) => refused.inc({ server }),
  } satisfies Partial<Metrics>;
}
