// Watches each chain that the operator configured.

import { chainIdentities, requireChain } from '../../core/balances/chain_identity.ts';
import type { Chain, ChainFamily } from '../../core/balances/chains.ts';
import type { ChainCursor } from '../../core/balances/cursor.ts';
import { ChainFault } from '../../core/balances/node_answer.ts';
import { ServiceError } from '../../core/errors/errors.ts';
import { backoffMs, pause } from '../base/pause.ts';
import type { Supervisor } from '../enclave/supervise.ts';
import type { Log } from '../observability/log.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { agreeing } from './agreeing_source.ts';
import { createEvmSource } from './evm_source.ts';
import { type ChainSource, nextStep } from './follow.ts';
import { createJsonRpc, type JsonRpc } from './json_rpc.ts';
import { resting } from './several_nodes.ts';
import { createSolanaSource } from './solana_source.ts';

export type ChainWatch = {
  /** Starts no further step, and waits for the current one. */
  stop(): Promise<void>;
};

const sources: Readonly<Record<ChainFamily, typeof createEvmSource>> = {
  eip155: createEvmSource,
  solana: createSolanaSource,
};

const firstPauseMs = 1_000;
const lastPauseMs = 60_000;

export function startChains(of: {
  readonly chains: readonly Chain[];
  readonly enclave: Pick<Supervisor, 'call'>;
  readonly log: Log;
  readonly clock: () => number;
}): ChainWatch {
  const { chains, enclave, log, clock } = of;
  // The operator configured the addresses, and nodes often run next to the service.
  const outbound = createOutbound({ allowPrivateTargets: true });
  const stopping = new AbortController();
  const watches = chains.map((chain) => {
    const nodes = chain.rpcUrls.map((url) => callsOf(chain, createJsonRpc(url, outbound.send)));
    // A silent node does not delay the others.
    const calls = nodes.length === 1 ? nodes : nodes.map((node) => resting(node, clock));
    const source = agreeing(calls.map((call) => sources[chain.family](call, chain)));
    return watch({ chain, source, enclave, log, signal: stopping.signal });
  });
  return {
    stop: async () => {
      stopping.abort();
      // A silent node must not delay the stop.
      outbound.close();
      await Promise.all(watches);
    },
  };
}

/** Checks the chain of a node at its first call, and after a failure, when it may be another node. */
export function callsOf(chain: Pick<Chain, 'caip2' | 'family'>, call: JsonRpc): JsonRpc {
  let isKnown = false;
  return async (method, params) => {
    try {
      if (!isKnown) requireChain(chain, await call(chainIdentities[chain.family].method, []));
      isKnown = true;
      return await call(method, params);
    } catch (error) {
      // A rejection of one call is an answer.
      if (!(error instanceof ChainFault) || error.code === undefined) isKnown = false;
      throw error;
    }
  };
}

type Watch = {
  readonly chain: Chain;
  readonly source: ChainSource;
  readonly enclave: Pick<Supervisor, 'call'>;
  readonly log: Log;
  readonly signal: AbortSignal;
};

/** Takes steps until it is stopped. Retries failed steps after increasing pauses. */
async function watch({ chain, source, enclave, log, signal }: Watch): Promise<void> {
  const { caip2, pollMs } = chain;
  let failures = 0;
  let complaint = '';
  while (!signal.aborted) {
    let waitMs = 0;
    try {
      waitMs = (await follow({ chain, source, enclave })) ? 0 : pollMs;
      if (failures > 0) log('info', 'a chain is watched again', { chain: caip2 });
      failures = 0;
      complaint = '';
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      waitMs = backoffMs(failures, firstPauseMs, lastPauseMs);
      const detail = detailOf(error);
      // Logs each problem once, however long it lasts.
      if (detail !== complaint)
        log('warn', 'a chain cannot be watched now', { chain: caip2, detail });
      complaint = detail;
    }
    if (waitMs > 0) await pause(waitMs, signal);
  }
}

/** Takes one step. Returns true if the next step can follow immediately. */
export async function follow({
  chain,
  source,
  enclave,
}: Pick<Watch, 'chain' | 'source' | 'enclave'>): Promise<boolean> {
  const { caip2, fromBlock, confirmations, lag } = chain;
  const name = { caip2, fromBlock };
  const { version, blocks } = await enclave.call('chainCursor', name);
  const cursor: ChainCursor = blocks;
  const step = await nextStep(cursor, source, chain);
  if (step === undefined) return false;
  const { kind, block } = step;
  const transfers = block.transfers.map(({ asset, ...transfer }) => ({ ...transfer, ...asset }));
  const { outcome } = await enclave.call('observe', {
    ...name,
    version,
    confirmations,
    lag,
    step: kind,
    block: { ...block, transfers },
  });
  if (outcome === 'refused') throw new ChainFault('the step does not match the watched blocks');
  return true;
}

function detailOf(error: unknown): string {
  if (error instanceof ChainFault) return error.message;
  if (error instanceof ServiceError) return error.code;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
