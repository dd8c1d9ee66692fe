// Finds the transaction that used a nonce, for nodes that have discarded the receipt.

import { hashOf, quantityOf } from '../../core/balances/evm_values.ts';
import { ChainFault, listOf, membersOf } from '../../core/balances/node_answer.ts';
import type { JsonRpc } from '../chains/json_rpc.ts';

/** Maximum blocks to search before the final one; nodes rarely keep older states. */
const furthest = 2 ** 20;

/**
 * Returns the block in which a transaction used its nonce, without a receipt. Returns undefined if another
 * transaction used it, or if the node no longer has the data. Raises `ChainFault`.
 */
export async function blockThatHas(
  call: JsonRpc,
  of: {
    readonly address: string;
    readonly nonce: bigint;
    readonly transactionHash: string;
    /** Number of a final block in which the nonce is already used. */
    readonly final: number;
  },
): Promise<{ readonly number: number; readonly hash: string } | undefined> {
  try {
    const number = await firstUse(call, of);
    const block = membersOf(await call('eth_getBlockByNumber', [quantity(number), false]));
    const isIn = listOf(block['transactions']).includes(of.transactionHash);
    return isIn ? { number, hash: hashOf(block['hash']) } : undefined;
  } catch (error) {
    // The node has discarded the states of those blocks.
    if (error instanceof ChainFault && error.code !== undefined) return undefined;
    throw error;
  }
}

/** Finds the first block after which a nonce is used. */
async function firstUse(
  call: JsonRpc,
  { address, nonce, final }: { address: string; nonce: bigint; final: number },
): Promise<number> {
  const isUsedAt = async (block: number) =>
    block >= 0 &&
    quantityOf(await call('eth_getTransactionCount', [address, quantity(block)])) > nonce;
  let used = final;
  let back = 1;
  while (back <= furthest && (await isUsedAt(final - back))) {
    used = final - back;
    back *= 2;
  }
  let unused = Math.max(-1, final - back);
  while (used - unused > 1) {
    const between = Math.floor((used + unused) / 2);
    if (await isUsedAt(between)) used = between;
    else unused = between;
  }
  return used;
}

const quantity = (number: number): string => `0x${number.toString(16)}`;
