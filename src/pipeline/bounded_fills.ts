// How many questions about transactions one organization has nodes answer at one time.

import type { Fills } from './fills.ts';

/** Those beyond it wait for their turn, behind others of their organization alone. */
const atOnce = 8;

/** Creates the bound: returns the same questions, asked for an organization. */
export function createBoundedFills(): (external: Fills, organizationId: string) => Fills {
  const waiting = new Map<string, { underWay: number; readonly turns: (() => void)[] }>();

  async function inTurn<Answer>(organizationId: string, ask: () => Promise<Answer>) {
    const line = waiting.getOrInsertComputed(organizationId, () => ({ underWay: 0, turns: [] }));
    if (line.underWay < atOnce) line.underWay += 1;
    // Whoever ends hands its place on.
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
    fillEthereum: (asked) => inTurn(organizationId, () => external.fillEthereum(asked)),
    fillSolana: (asked) => inTurn(organizationId, () => external.fillSolana(asked)),
  });
}
