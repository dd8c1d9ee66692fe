// Sends pending transactions: the same bytes again, until each is in a final block or can no longer land.
// Every node of the service may do so concurrently: repeated sends change nothing, and only one of two equal
// reports is recorded.

import type { Chain, ChainFamily } from '../../core/balances/chains.ts';
import { ServiceError } from '../../core/errors/errors.ts';
import { pause } from '../base/pause.ts';
import { createGatheredJsonRpc } from '../chains/gathered_calls.ts';
import { type JsonRpc, lookLimits } from '../chains/json_rpc.ts';
import { resting } from '../chains/several_nodes.ts';
import { callsOf } from '../chains/start_chains.ts';
import type { Supervisor } from '../enclave/supervise.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { lookAtEthereum } from './ethereum_watch.ts';
import type { Look, UnsettledSend } from './look.ts';
import { lookAtSolana } from './solana_watch.ts';

type SendMetrics = Pick<Metrics, 'sendsUnderWay' | 'sendLookedAt'>;

export type SendLoop = {
  /** Starts no further lookup, and waits for the current one. */
  stop(): Promise<void>;
};

const looks: Readonly<Record<ChainFamily, Look>> = {
  eip155: lookAtEthereum,
  solana: lookAtSolana,
};

/** Interval after which the same bytes are sent to a node again. */
const resendAfterMs = 30_000;
/** Maximum transactions in concurrent lookups, whose calls are batched. */
const looksAtOnce = 50;
const lastPauseMs = 60_000;

/** Starts to send the pending transactions on the chains. */
export function startSends(of: {
  readonly chains: readonly Chain[];
  readonly enclave: Pick<Supervisor, 'call'>;
  readonly log: Log;
  /** Monotonic clock in milliseconds. */
  readonly clock: () => number;
  readonly metrics: SendMetrics;
}): SendLoop {
  const { chains, enclave, log, clock, metrics } = of;
  // The operator configured the addresses, and nodes often run next to the service.
  const outbound = createOutbound({ allowPrivateTargets: true });
  const stopping = new AbortController();
  const { signal } = stopping;
  const loops = chains.map((chain) => {
    const nodes = chain.rpcUrls.map((url) =>
      callsOf(chain, createGatheredJsonRpc(url, outbound.send, lookLimits)),
    );
    const step = createStep({
      chain,
      enclave,
      log,
      clock,
      metrics,
      nodes: nodes.length === 1 ? nodes : nodes.map((node) => resting(node, clock)),
    });
    return repeat({ chain, step, log, signal });
  });
  return {
    stop: async () => {
      stopping.abort();
      outbound.close();
      await Promise.all(loops);
    },
  };
}

/** Creates the lookup of all pending transactions of a chain. It raises the errors of the enclave. */
export function createStep(of: {
  readonly chain: Pick<Chain, 'caip2' | 'confirmations' | 'family'>;
  readonly nodes: readonly JsonRpc[];
  readonly enclave: Pick<Supervisor, 'call'>;
  readonly log: Log;
  readonly clock: () => number;
  readonly metrics: SendMetrics;
}): () => Promise<void> {
  const { chain, nodes, enclave, log, clock, metrics } = of;
  const { caip2, confirmations } = chain;
  const lookAt = looks[chain.family];
  let sentAt = new Map<string, number>();
  return async () => {
    const unsettled = await enclave.call('unsettledSends', { caip2 });
    metrics.sendsUnderWay(caip2, unsettled.length);
    const before = sentAt;
    // Drops settled transactions.
    sentAt = new Map();
    const lastReport = new Map<string, Promise<unknown>>();
    for (let first = 0; first < unsettled.length; first += looksAtOnce) {
      const some = unsettled.slice(first, first + looksAtOnce);
      const ended = await Promise.allSettled(some.map(advance));
      for (const each of ended) if (each.status === 'rejected') throw each.reason;
    }

    async function advance(send: UnsettledSend): Promise<void> {
      const last = before.get(send.sendId);
      const isDue = last === undefined || clock() - last >= resendAfterMs;
      const { organizationId, sendId, givenUp, isFrozen } = send;
      const mayHand = isDue && givenUp === undefined && !isFrozen;
      const maySend = async () =>
        mayHand && (await enclave.call('maySend', { organizationId, sendId }));
      sentAt.set(send.sendId, isDue ? clock() : last);
      const { isIncluded, news, outcome } = await lookAt({ chain, nodes, log }, send, maySend);
      metrics.sendLookedAt(caip2, outcome);
      // A transaction that is in no block any more is sent again immediately.
      if (isIncluded) sentAt.delete(send.sendId);
      if (news === undefined) return;
      const request = { organizationId, sendId, confirmations, ...news };
      // Each changes its organization, and concurrent changes would conflict.
      const report = (lastReport.get(organizationId) ?? Promise.resolve()).then(() =>
        enclave.call('sendSeen', request),
      );
      lastReport.set(
        organizationId,
        report.catch(() => undefined),
      );
      try {
        await report;
      } catch (error) {
        // The report was lost, so the next lookup sends the bytes and the report again.
        sentAt.delete(sendId);
        throw error;
      }
    }
  };
}

async function repeat(of: {
  readonly chain: Pick<Chain, 'caip2' | 'pollMs'>;
  readonly step: () => Promise<void>;
  readonly log: Log;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { chain, step, log, signal } = of;
  let failures = 0;
  while (!signal.aborted) {
    try {
      await step();
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      const detail = error instanceof ServiceError ? error.code : String(error);
      log('warn', 'could not follow transactions', { chain: chain.caip2, detail });
    }
    await pause(Math.min(chain.pollMs * 2 ** Math.min(failures, 10), lastPauseMs), signal);
  }
}
