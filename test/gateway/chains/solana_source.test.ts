// Watches simulated Solana chains through their JSON-RPC: slots without blocks, dropped forks, lagging
// finality, and nodes that lag, vanish or answer from different forks.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { base58 } from '@scure/base';
import { type ChainCursor, cursorAfter } from '../../../src/core/balances/cursor.ts';
import { ChainFault } from '../../../src/core/balances/node_answer.ts';
import { nextStep } from '../../../src/gateway/chains/follow.ts';
import type { JsonRpc } from '../../../src/gateway/chains/json_rpc.ts';
import { createSolanaSource } from '../../../src/gateway/chains/solana_source.ts';
import { callsOf } from '../../../src/gateway/chains/start_chains.ts';
import { seededRandom } from '../../support/harness.ts';

const rules = { confirmations: 3, lag: 6, fromBlock: undefined };
const watched = { coin: undefined, tokens: [] };
const hashOf = (serial: number) => {
  const bytes = new Uint8Array(32).fill(1);
  new DataView(bytes.buffer).setUint32(0, serial);
  return base58.encode(bytes);
};

type Made = { readonly slot: number; readonly hash: string; readonly parent: Made | undefined };
type View = { readonly blocks: readonly Made[]; readonly finalSlot: number };

/** Returns the answers of a node with this view. */
function nodeOf(viewNow: () => View): JsonRpc {
  return async (method, parameters) => {
    const { blocks, finalSlot } = viewNow();
    const config = parameters.at(-1) as { commitment: string; transactionDetails: string };
    const seen = blocks.filter(
      ({ slot }) => config.commitment !== 'finalized' || slot <= finalSlot,
    );
    const [first, last] = parameters as readonly number[];
    assert(first !== undefined);
    const slots = seen.map(({ slot }) => slot).filter((slot) => slot >= first);
    if (method === 'getSlot') return finalSlot;
    if (method === 'getBlocksWithLimit') return slots.slice(0, last);
    if (method === 'getBlocks') return slots.filter((slot) => slot <= (last ?? 0));
    assert.equal(method, 'getBlock');
    const block = seen.find(({ slot }) => slot === first);
    if (block === undefined) throw new ChainFault('no block', first <= finalSlot ? -32007 : -32004);
    return {
      blockhash: block.hash,
      previousBlockhash: block.parent?.hash ?? hashOf(0),
      parentSlot: block.parent?.slot ?? 0,
      blockTime: 1,
      ...(config.transactionDetails === 'none' ? {} : { transactions: [] }),
    };
  };
}

function simulatedChain(seed: string) {
  const random = seededRandom(seed);
  const below = (bound: number) => (random(2)[0] ?? 0) % bound;
  let slot = 0;
  let view: View = { blocks: [], finalSlot: 0 };
  const earlier: View[] = [];
  const add = (blocks: readonly Made[]): readonly Made[] => {
    slot += 1 + (below(3) === 0 ? below(4) : 0);
    return [...blocks, { slot, hash: hashOf(slot), parent: blocks.at(-1) }];
  };
  const change = (mostLost: number): void => {
    // A dropped transaction is neither final nor followed by enough blocks.
    const lost = Math.min(below(3) === 0 ? below(mostLost) : 0, rules.confirmations - 1);
    const last = view.blocks.findLastIndex((block) => block.slot <= view.finalSlot);
    let blocks: readonly Made[] = view.blocks.slice(
      0,
      Math.max(last + 1, view.blocks.length - lost),
    );
    for (let i = 0; i <= lost; i += 1) blocks = add(blocks);
    const depth = below(3) === 0 ? 1 : rules.confirmations + below(8);
    const finalSlot = Math.max(view.finalSlot, blocks.at(-1 - depth)?.slot ?? 0);
    view = { blocks, finalSlot };
    earlier.push(view);
  };
  for (let i = 0; i < 12; i += 1) change(1);
  return {
    change: () => change(3),
    settle: () => {
      view = { ...view, finalSlot: view.blocks.at(-1)?.slot ?? 0 };
    },
    blocks: () => view.blocks,
    node: (isGood: boolean): JsonRpc => {
      const good = nodeOf(() => view);
      const bad = nodeOf(() => earlier.at(-1 - (below(3) === 0 ? below(6) : 0)) ?? view);
      return async (method, parameters) => {
        if (isGood) return good(method, parameters);
        if (below(10) === 0) throw new ChainFault('gone');
        return bad(method, parameters);
      };
    },
  };
}

describe('a watched Solana chain', () => {
  for (const seed of Array.from({ length: 20 }, (_, i) => `solana ${i}`)) {
    test(`becomes final block by block, each once and without dropped blocks: ${seed}`, async () => {
      const chain = simulatedChain(seed);
      const final: string[] = [];
      const counts = { rewind: 0, confirm: 0, finalize: 0, begin: 0, faults: 0 };
      let longest = 0;
      let cursor: ChainCursor = [];
      const step = async (isGood: boolean): Promise<boolean> => {
        const source = createSolanaSource(chain.node(isGood), watched);
        const next = await nextStep(cursor, source, rules).catch((error) => {
          assert(error instanceof ChainFault && !isGood, String(error));
          counts.faults += 1;
          return undefined;
        });
        if (next === undefined) return false;
        const { kind, block } = next;
        const after = cursorAfter(cursor, { kind, block, parent: block.parent }, rules);
        assert(after !== undefined, `${kind} of ${block.number} fits`);
        counts[kind] += 1;
        if (kind === 'finalize') final.push(block.hash);
        cursor = after;
        longest = Math.max(longest, cursor.length);
        return true;
      };
      for (let turn = 0; turn < 150; turn += 1) {
        chain.change();
        for (let i = 0; i < 4; i += 1) await step(false);
      }
      chain.settle();
      while (await step(true)) assert(counts.confirm < 10_000);
      const blocks = chain.blocks().map(({ hash }) => hash);
      const first = blocks.indexOf(final[0] ?? '');
      const last = blocks.length - 1 - rules.confirmations;
      assert.deepEqual(final, blocks.slice(first, last + 1));
      assert.deepEqual(
        cursor.map(({ hash }) => hash),
        blocks.slice(last),
      );
      assert(longest > rules.confirmations + 2, 'blocks are told of while finality lags');
      assert(longest <= rules.confirmations + 2 + rules.lag);
      assert(counts.rewind > 0 && counts.faults > 0 && counts.begin === 1, JSON.stringify(counts));
    });
  }
});

const made = (slot: number, parent?: Made): Made => ({ slot, hash: hashOf(slot), parent });

test('starts after the newest block before the named one, once that is final', async () => {
  const [a, c] = [made(5), made(9, made(5))];
  const from = async (fromBlock: number | undefined, finalSlot: number) => {
    const source = createSolanaSource(
      nodeOf(() => ({ blocks: [a, c], finalSlot })),
      watched,
    );
    return (await nextStep([], source, { ...rules, fromBlock }))?.block.number;
  };
  assert.equal(await from(9, 9), 5);
  assert.equal(await from(10, 9), 9);
  assert.equal(await from(10, 8), undefined);
  assert.equal(await from(11, 9), undefined);
  assert.equal(await from(undefined, 9), 5);
  await assert.rejects(from(5, 9), /no such old blocks/);
});

test('a block takes two requests when it is new and three when it is final', async () => {
  const blocks = [made(5)];
  for (const slot of [7, 8, 10, 11]) blocks.push(made(slot, blocks.at(-1)));
  const view = { blocks, finalSlot: 11 };
  const asked: string[] = [];
  const source = createSolanaSource((method, parameters) => {
    asked.push(method);
    return nodeOf(() => view)(method, parameters);
  }, watched);
  const marks = blocks.map(({ slot, hash }) => ({ number: slot, hash }));
  assert.equal((await nextStep(marks.slice(0, 4), source, rules))?.kind, 'confirm');
  assert.deepEqual(asked.splice(0), ['getBlocksWithLimit', 'getBlock']);
  assert.equal((await nextStep(marks, source, rules))?.kind, 'finalize');
  assert.deepEqual(asked, ['getBlock', 'getBlocksWithLimit', 'getBlock']);
});

test('a refusal without information about a block is a failure', async () => {
  const source = createSolanaSource(async (method) => {
    if (method === 'getBlocksWithLimit') return [7];
    throw new ChainFault('unhealthy', -32005);
  }, watched);
  await assert.rejects(source.next(6), /unhealthy/);
  const earlier = createSolanaSource(async () => [3], watched);
  await assert.rejects(earlier.next(6), /earlier slot than requested/);
});

test('a block with later transaction versions is read like any other', async () => {
  const versions: unknown[] = [];
  const tip = made(7, made(5));
  const node = nodeOf(() => ({ blocks: [tip], finalSlot: 0 }));
  const source = createSolanaSource(async (method, parameters) => {
    const { maxSupportedTransactionVersion: version } = parameters.at(-1) as {
      maxSupportedTransactionVersion?: number;
    };
    if (version !== undefined) versions.push(version);
    if (version === 0) throw new ChainFault('a version', -32015);
    return node(method, parameters);
  }, watched);
  assert.equal((await source.next(5))?.hash, tip.hash);
  assert.deepEqual(versions, [0, 255]);
});

test('a node reports its chain at first, and again after a failure', async () => {
  const genesisHash = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
  const chain = { caip2: `solana:${genesisHash.slice(0, 32)}`, family: 'solana' } as const;
  const asked: string[] = [];
  let own = genesisHash;
  let fault: ChainFault | undefined;
  const call = callsOf(chain, async (method) => {
    asked.push(method);
    if (method === 'getGenesisHash') return own;
    if (fault !== undefined) throw fault;
    return 1;
  });
  await call('getSlot', []);
  await call('getSlot', []);
  fault = new ChainFault('no such block', -32004);
  await assert.rejects(call('getBlock', []), fault);
  fault = new ChainFault('network');
  await assert.rejects(call('getSlot', []), fault);
  own = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY';
  await assert.rejects(call('getSlot', []), /belongs to another chain/);
  assert.deepEqual(asked, [
    ...['getGenesisHash', 'getSlot', 'getSlot', 'getBlock', 'getSlot'],
    'getGenesisHash',
  ]);
});
