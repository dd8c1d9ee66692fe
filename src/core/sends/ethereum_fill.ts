// Fetches the values from a node that an Ethereum transaction needs before it is signed.

import type { GasStation } from '../balances/chains.ts';
import { numberOf, quantityOf } from '../balances/evm_values.ts';
import { ChainFault, listOf, matching, membersOf, type Question } from '../balances/node_answer.ts';

/** A call with addresses in hex with `0x`, and `value` in wei. */
export type EthereumCall = {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
};

/** In wei per unit of gas. */
type EthereumFees = { readonly baseFee: bigint; readonly tip: bigint };

const blocks = 5;

/**
 * Storage slot in which the public delegate keeps an account's nonce, in the lower 128 bits. The nonce
 * remains there while the account delegates to other code.
 */
const nonceSlot = '0x34d5be385818fa5c8c4e7f9d5a028251d28ebab8aaf203a072d1dde2d49a1100';

/** Reads the number of the sender's mined transactions, and recent fees. */
export function fillQuestion(from: string): Question<{ readonly used: bigint } & EthereumFees> {
  return {
    calls: [
      { method: 'eth_getTransactionCount', params: [from, 'latest'] },
      { method: 'eth_feeHistory', params: [`0x${blocks.toString(16)}`, 'latest', [50]] },
    ],
    read: ([count, history]) => {
      const { baseFeePerGas, reward } = membersOf(history);
      // One more entry than blocks: the last fee is that of the next block.
      const baseFee = quantityOf(listOf(baseFeePerGas).at(-1));
      const tips = listOf(reward ?? []).map((block) => quantityOf(listOf(block)[0]));
      return { used: BigInt(numberOf(count)), baseFee, tip: median(tips) };
    },
  };
}

/** Reads the nonce of a sender's next calls at the delegate in a block. */
export function stationNonceQuestion(from: string, block: string): Question<bigint> {
  return {
    calls: [{ method: 'eth_getStorageAt', params: [from, nonceSlot, block] }],
    read: ([slot]) => stationNonceOf(slot),
  };
}

const stationNonceOf = (slot: unknown): bigint => BigInt.asUintN(128, quantityOf(slot));

/** The state of a sender, and of the contracts of its sponsored transactions. */
export type StationState = {
  readonly usedBySender: bigint;
  readonly stationNonce: bigint;
  /** In lower-case hex with `0x`. */
  readonly senderCode: string;
  readonly stationCode: string;
  readonly delegateCode: string;
};

/** Requests the nonces and the code of a sender, and the code of the contracts. */
export function stationQuestion(
  from: string,
  { address, delegate }: Pick<GasStation, 'address' | 'delegate'>,
): Question<StationState> {
  const code = (of: string) => ({ method: 'eth_getCode', params: [of, 'latest'] });
  return {
    calls: [
      { method: 'eth_getTransactionCount', params: [from, 'latest'] },
      { method: 'eth_getStorageAt', params: [from, nonceSlot, 'latest'] },
      code(from),
      code(address),
      code(delegate),
    ],
    read: ([count, slot, sender, station, delegated]) => ({
      usedBySender: BigInt(numberOf(count)),
      stationNonce: stationNonceOf(slot),
      senderCode: codeOf(sender),
      stationCode: codeOf(station),
      delegateCode: codeOf(delegated),
    }),
  };
}

/** Rejects code of more than 128 KiB: no known chain accepts it, and hashing it would take long. */
const codeOf = (value: unknown): string =>
  matching(value, /^0x(?:[0-9a-f]{2}){0,131072}$/i, 'code in hex').toLowerCase();

/** Requests the gas of a call on the newest block. Raises `ChainFault` with `data` if it reverts. */
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
  if (middle === undefined) throw new ChainFault('the node reports no priority fees');
  return middle;
}
