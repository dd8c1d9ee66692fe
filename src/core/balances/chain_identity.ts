// Compares the chain that a node reports with the configured chain. Detects a mistaken address, not a lying
// node.

import type { Chain, ChainFamily } from './chains.ts';
import { quantityOf } from './evm_values.ts';
import { ChainFault, matching, type Question } from './node_answer.ts';

type Identity = {
  /** The name of the method, without parameters. */
  readonly method: string;
  /** Returns the CAIP-2 name of the chain in a result. */
  readonly nameOf: (result: unknown) => string;
};

export const chainIdentities: Readonly<Record<ChainFamily, Identity>> = {
  eip155: { method: 'eth_chainId', nameOf: (result) => `eip155:${quantityOf(result)}` },
  solana: {
    method: 'getGenesisHash',
    nameOf: (result) =>
      `solana:${matching(result, /^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'a hash').slice(0, 32)}`,
  },
};

type Named = Pick<Chain, 'caip2' | 'family'>;

/** Raises `ChainFault` if a node answered for another chain. */
export function requireChain({ caip2, family }: Named, result: unknown): void {
  if (chainIdentities[family].nameOf(result) !== caip2) {
    throw new ChainFault('the node belongs to another chain');
  }
}

/** Adds a check of the node's chain to a question. */
export function ofChain<Answer>(chain: Named, { calls, read }: Question<Answer>): Question<Answer> {
  return {
    calls: [{ method: chainIdentities[chain.family].method, params: [] }, ...calls],
    read: ([identity, ...results]) => {
      requireChain(chain, identity);
      return read(results);
    },
  };
}
