// Health of the chain nodes: one light call to each chain, with a minimum interval.

import { ServiceError } from '../../core/errors/errors.ts';
import { pause } from '../base/pause.ts';

/** Maximum age of a cached result, so that status pages do not flood the nodes. */
const freshMs = 15_000;
/** A node that takes longer counts as silent, and the caller does not wait for it. */
const boundMs = 3_000;

/** Returns a function that returns the chains whose nodes answer in time. */
export function createChainHealth(of: {
  readonly chains: readonly string[];
  /** Calls a chain. Raises `chain_node_unavailable`. */
  readonly ask: (caip2: string) => Promise<unknown>;
  readonly clock: () => number;
  readonly patienceMs?: number;
}): () => Promise<ReadonlySet<string>> {
  const { chains, ask, clock, patienceMs = boundMs } = of;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<ReadonlySet<string>> = Promise.resolve(new Set<string>());

  async function answers(caip2: string): Promise<boolean> {
    const ended = new AbortController();
    try {
      const asked = ask(caip2).then(() => true, rejectedByNode);
      return await Promise.race([asked, pause(patienceMs, ended.signal).then(() => false)]);
    } finally {
      ended.abort();
    }
  }

  return () => {
    if (clock() < checkedAt + freshMs) return latest;
    checkedAt = clock();
    latest = Promise.all(chains.map(answers)).then(
      (found) => new Set(chains.filter((_, i) => found[i] === true)),
    );
    return latest;
  };
}

function rejectedByNode(error: unknown): boolean {
  if (error instanceof ServiceError && error.code === 'chain_node_unavailable') return false;
  throw error;
}
