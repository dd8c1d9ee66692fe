import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChainFault } from '../../../src/core/balances/node_answer.ts';
import type { Block, Transfer } from '../../../src/core/balances/transfers.ts';
import { agreeing } from '../../../src/gateway/chains/agreeing_source.ts';
import type { ChainSource } from '../../../src/gateway/chains/follow.ts';

const asset = { symbol: 'ETH', name: 'Ether', decimals: 18, caip19: 'eip155:1/slip44:60' };
const moved: Transfer = {
  txHash: '0x1',
  address: '0xa',
  operation: 'deposit',
  asset,
  amount: '5',
  counterparty: undefined,
};
const block = (members: Partial<Block> = {}): Block => ({
  number: 7,
  hash: 'h7',
  parent: { number: 6, hash: 'h6' },
  timestampMs: 1,
  transfers: [moved],
  transactions: [],
  ...members,
});
const invented = block({ transfers: [moved, { ...moved, txHash: '0x2' }] });

/** Creates a node that returns one block for every query, no block, or no answer. */
function node(shown: Block | 'none' | 'gone', newest = 7): ChainSource {
  const answer = async () => {
    if (shown === 'gone') throw new ChainFault('timeout');
    return shown === 'none' ? undefined : shown;
  };
  return {
    newest: async () => {
      await answer();
      return newest;
    },
    upTo: answer,
    mark: answer,
    next: answer,
    final: answer,
  };
}

test('the block of most nodes is used, so a single node neither invents nor hides a transfer', async () => {
  const lies = [invented, block({ transfers: [] }), block({ hash: 'x' }), 'none', 'gone'] as const;
  for (const lie of lies) {
    for (const order of [
      [lie, block(), block()],
      [block(), lie, block()],
      [block(), block(), lie],
    ]) {
      const source = agreeing(order.map((shown) => node(shown)));
      assert.deepEqual(await source.next(6), block());
      assert.deepEqual(await source.final(7), block());
      assert.deepEqual(await source.mark(7), block());
    }
  }
});

test('a block of only half of the nodes is not accepted', async () => {
  await assert.rejects(agreeing([node(block()), node(invented)]).next(6), /contradict each other/);
  await assert.rejects(agreeing([node(block()), node('gone')]).next(6), ChainFault);
  const three = agreeing([node(block()), node('gone'), node('gone')]);
  await assert.rejects(three.next(6), ChainFault);
  await assert.rejects(three.newest(), ChainFault);
  const different = [node(block()), node(invented), node(block({ hash: 'x' }))];
  await assert.rejects(agreeing(different).next(6), ChainFault);
});

test('a block that most nodes do not have yet counts as absent', async () => {
  const late = [node(block()), node('none'), node('none')];
  assert.equal(await agreeing(late).next(6), undefined);
  assert.equal(await agreeing([node(block()), node('none')]).next(6), undefined);
  assert.equal(await agreeing([node(block()), node(invented), node('none')]).next(6), undefined);
  // A node far ahead or behind does not set the start of a watch.
  const ahead = [node(block(), 7), node(block(), 1_000_000), node(block(), 8)];
  assert.equal(await agreeing(ahead).newest(), 8);
});

test('a single node is believed', async () => {
  const alone = node(invented);
  assert.equal(agreeing([alone]), alone);
});
