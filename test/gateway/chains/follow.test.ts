// Watches simulated chains: blocks are created and lost at random, and nodes lag, vanish, forget receipts
// and answer from different forks. The reported history must always be consistent.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ChainCursor, cursorAfter } from '../../../src/core/balances/cursor.ts';
import { ChainFault } from '../../../src/core/balances/node_answer.ts';
import type { Block } from '../../../src/core/balances/transfers.ts';
import { type ChainSource, nextStep } from '../../../src/gateway/chains/follow.ts';
import { seededRandom } from '../../support/harness.ts';

const confirmations = 4;
const lag = 0;

/** Creates a chain whose end can be replaced, and a node that shows it well or badly. */
function simulatedChain(seed: string) {
  const random = seededRandom(seed);
  const below = (bound: number) => (random(2)[0] ?? 0) % bound;
  let made = 0;
  let blocks: Block[] = [];
  const earlier: Block[][] = [];
  const add = (): void => {
    made += 1;
    const number = blocks.length;
    const parent = { number: number - 1, hash: blocks.at(-1)?.hash ?? '' };
    const place = { number, hash: `h${made}`, parent, timestampMs: made };
    const block = { ...place, transfers: [], transactions: [] };
    blocks = [...blocks, block];
    earlier.push(blocks);
  };
  for (let i = 0; i < 10; i += 1) add();
  /** Returns the state that a node answers from: mostly the current chain, sometimes an earlier one. */
  const view = (isGood: boolean): readonly Block[] => {
    const age = isGood || below(3) > 0 ? 0 : below(6);
    return earlier.at(-1 - age) ?? blocks;
  };
  const node = (isGood: boolean): ChainSource => {
    const answer = <Value>(value: Value): Value => {
      if (!isGood && below(10) === 0) throw new ChainFault('gone');
      return value;
    };
    return {
      newest: async () => {
        const newest = view(isGood).at(-1);
        assert(newest !== undefined);
        return answer(newest.number);
      },
      upTo: async (number) => answer(view(isGood)[number]),
      mark: async (number) => answer(view(isGood)[number]),
      next: async (number) => answer(view(isGood)[number + 1]),
      final: async (number) => answer(view(isGood)[number]),
    };
  };
  return {
    node,
    blocks: () => blocks,
    change: () => {
      // A reorganization never reaches final blocks, as the number of confirmations promises.
      const lost = below(3) === 0 ? below(confirmations) : 0;
      const kept = Math.max(10, blocks.length - lost);
      const missing = blocks.length - kept + 1;
      blocks = blocks.slice(0, kept);
      for (let i = 0; i < missing; i += 1) add();
    },
  };
}

async function followed(seed: string) {
  const chain = simulatedChain(seed);
  const final: string[] = [];
  const counts = { rewind: 0, confirm: 0, finalize: 0, begin: 0, faults: 0 };
  // Only the cursor survives a step, so each step is also a restart.
  let cursor: ChainCursor = [];
  async function step(isGood: boolean): Promise<boolean> {
    const rules = { confirmations, lag, fromBlock: undefined };
    const next = await nextStep(cursor, chain.node(isGood), rules).catch((error) => {
      assert(error instanceof ChainFault && !isGood, String(error));
      counts.faults += 1;
      return undefined;
    });
    if (next === undefined) return false;
    const { kind, block } = next;
    const after = cursorAfter(cursor, { kind, block, parent: block.parent }, rules);
    assert(after !== undefined, `${kind} of ${block.hash} fits`);
    assert(after.length <= confirmations + 2);
    counts[kind] += 1;
    if (kind === 'finalize') {
      final.push(block.hash);
      const deep = after.at(-1);
      assert(deep !== undefined && deep.number - block.number >= confirmations);
    }
    cursor = after;
    return true;
  }
  for (let turn = 0; turn < 150; turn += 1) {
    chain.change();
    for (let i = 0; i < 4; i += 1) await step(false);
  }
  while (await step(true)) assert(counts.confirm < 10_000);
  return { chain: chain.blocks(), final, cursor, counts };
}

describe('a watched chain', () => {
  for (const seed of Array.from({ length: 20 }, (_, i) => `chain ${i}`)) {
    test(`becomes final block by block, each once and without lost blocks: ${seed}`, async () => {
      const { chain, final, cursor, counts } = await followed(seed);
      const first = chain.findIndex(({ hash }) => hash === final[0]);
      const last = chain.length - 1 - confirmations;
      assert.deepEqual(
        final,
        chain.slice(first, last + 1).map(({ hash }) => hash),
      );
      assert.deepEqual(
        cursor.map(({ hash }) => hash),
        chain.slice(last).map(({ hash }) => hash),
      );
      assert(counts.rewind > 0 && counts.faults > 0 && counts.begin === 1, JSON.stringify(counts));
    });
  }

  test('with a lost final block stops the watch', async () => {
    const chain = simulatedChain('deep');
    const cursor = chain.blocks().slice(2, 6);
    const other = simulatedChain('other').node(true);
    const elsewhere: ChainSource = {
      ...other,
      mark: async (number) => ({ number, hash: `x${number}` }),
      next: async () => undefined,
    };
    await assert.rejects(
      nextStep(cursor, elsewhere, { confirmations, lag, fromBlock: undefined }),
      /no longer has a block that was final/,
    );
  });

  test('starts before the named block, once there is one', async () => {
    const node = simulatedChain('begin').node(true);
    const from = (fromBlock: number) => nextStep([], node, { confirmations, lag, fromBlock });
    assert.equal((await from(7))?.block.number, 6);
    assert.equal(await from(11), undefined);
    const newest = await nextStep([], node, { confirmations, lag, fromBlock: undefined });
    assert.equal(newest?.block.number, 9 - confirmations);
  });
});
