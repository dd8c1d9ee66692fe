// The values of the chain that a transaction of Ethereum needs before it is signed, from a node.

import { numberOf, quantityOf } from '../balances/evm_values.ts';
import { ChainFault, listOf, membersOf, type Question } from '../balances/node_answer.ts';

/** A call as it will be sent: addresses in hex with `0x`, `value` in wei. */
export type EthereumCall = {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
};

/** All in wei for a unit of gas. */
export type EthereumFees = { readonly baseFee: bigint; readonly tip: bigint };

const blocks = 5;

/** Asks for the number of the sender's transactions in blocks, and for recent fees. */
export function fillQuestion(from: string): Question<{ readonly used: bigint } & EthereumFees> {
  return {
    calls: [
      { method: 'eth_getTransactionCount', params: [from, 'latest'] },
      { method: 'eth_feeHistory', params: [`0x${blocks.toString(16)}`, 'latest', [50]] },
    ],
    read: ([count, history]) => {
      const { baseFeePerGas, reward } = membersOf(history);
      // One more than blocks: the last is that of the next block.
      const baseFee = quantityOf(listOf(baseFeePerGas).at(-1));
      const tips = listOf(reward ?? []).map((block) => quantityOf(listOf(block)[0]));
      return { used: BigInt(numberOf(count)), baseFee, tip: median(tips) };
    },
  };
}

/** Asks for the gas of a call on the newest block. Raises `ChainFault` with `data` if it reverts. */
export function estimateQuestion({ from, to, value, data }: EthereumCall): Question<bigint> {
  const call = { from, to, value: `0x${value.toString(16)}`, data };
  return {
    calls: [{ method: 'eth_estimateGas', params: [call, 'latest'] }],
    read: ([gas]) => quantityOf(gas),
  };
}

function median(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a === b ? 0 : a < b ? -1 : 1));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new ChainFault('the node knows no tips');
  return middle;
}
