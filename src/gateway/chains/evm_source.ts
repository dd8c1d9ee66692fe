import type { Chain } from '../../core/balances/chains.ts';
import { evmBlock, evmMark, hasTransactions } from '../../core/balances/evm_block.ts';
import { ChainFault } from '../../core/balances/node_answer.ts';
import type { ChainSource } from './follow.ts';
import type { JsonRpc } from './json_rpc.ts';

/** Creates a source over Ethereum's JSON-RPC, with at most two requests for a block. */
export function createEvmSource(
  call: JsonRpc,
  watched: Pick<Chain, 'coin' | 'tokens'>,
): ChainSource {
  const quantity = (number: number) => `0x${number.toString(16)}`;

  async function mark(number: number) {
    const answer = await call('eth_getBlockByNumber', [quantity(number), false]);
    return answer === null ? undefined : evmMark(answer, number);
  }

  async function block(number: number) {
    const answer = await call('eth_getBlockByNumber', [quantity(number), true]);
    if (answer === null) return undefined;
    const receipts = hasTransactions(answer)
      ? await call('eth_getBlockReceipts', [quantity(number)])
      : [];
    // The chain may change between two requests.
    return receipts === null ? undefined : evmBlock(answer, receipts, { number, watched });
  }

  return {
    newest: async () => {
      const answer = await call('eth_getBlockByNumber', ['latest', false]);
      if (answer === null) throw new ChainFault('the node has no newest block');
      return evmMark(answer).number;
    },
    upTo: mark,
    mark,
    next: (number) => block(number + 1),
    final: block,
  };
}
