// Limits an organization's concurrent node queries for transactions.

import type { ChainLookups } from './chain_lookups.ts';

/** Further queries wait behind others of their organization. */
const atOnce = 8;

/** Creates the limit: returns the same queries, bound to an organization. */
export function createBoundedLookups(): (
  external: ChainLookups,
  organizationId: string,
) => ChainLookups {
  const waiting = new Map<string, { underWay: number; readonly turns: (() => void)[] }>();

  async function inTurn<Answer>(organizationId: string, ask: () => Promise<Answer>) {
    const line = waiting.getOrInsertComputed(organizationId, () => ({ underWay: 0, turns: [] }));
    if (line.underWay < atOnce) line.underWay += 1;
    // A finished query passes its place on.
    else await new Promise<void>((resolve) => line.turns.push(resolve));
    try {
      return await ask();
    } finally {
      const next = line.turns.shift();
      if (next !== undefined) next();
      else line.underWay -= 1;
      if (line.underWay === 0) waiting.delete(organizationId);
    }
  }

  return (external, organizationId) => ({
    fetchEthereumFields: (asked) =>
      inTurn(organizationId, () => external.fetchEthereumFields(asked)),
    fetchSolanaFields: (asked) => inTurn(organizationId, () => external.fetchSolanaFields(asked)),
  });
}
