// A node's view of an Ethereum transaction under way.

import type { Chain } from '../../core/balances/chains.ts';
import { hashOf, numberOf, quantityOf } from '../../core/balances/evm_values.ts';
import { ChainFault, membersOf } from '../../core/balances/node_answer.ts';
import { agreed, type Inclusion, progressAfter, type Seen } from '../../core/sends/progress.ts';
import type { JsonRpc } from '../chains/json_rpc.ts';
import { type Look, outcomeOf, progressOf, seenBy } from './look.ts';
import { blockThatHas } from './nonce_use.ts';

/** The members of a transaction under way that questions to nodes need. */
type Underway = {
  readonly address: string;
  readonly nonce: bigint;
  readonly signedTransaction: string;
  readonly transactionHash: string;
};

export const lookAtEthereum: Look = async (of, send, maySend) => {
  const { confirmations } = of.chain;
  const underway = { ...send, nonce: BigInt(send.nonce ?? '') };
  const seen = await seenBy(of, (node) => look(node, underway, { confirmations, maySend }));
  const isIncluded = seen.every(({ inclusion }) => inclusion !== undefined);
  const shown = agreed(seen, of.nodes.length);
  const outcome = outcomeOf(seen, shown, of);
  if (shown === undefined) return { isIncluded, news: undefined, outcome };
  const { givenUp, nonce = '' } = send;
  const known = { ...progressOf(send), nonce, givenUp };
  const isNews = progressAfter(known, shown, confirmations) !== undefined;
  return { isIncluded, news: isNews ? writtenSeen(shown) : undefined, outcome };
};

function writtenSeen({ usedAtFinal, inclusion, newest, isTaken }: Seen) {
  const ethereum = {
    newest,
    isTaken,
    usedAtFinal: usedAtFinal === undefined ? undefined : String(usedAtFinal),
    inclusion: inclusion && { ...inclusion, error: inclusion.error?.message },
  };
  return { ethereum, solana: undefined };
}

/** Looks up a transaction, and sends it to the node if `maySend` allows it. Raises `ChainFault`. */
async function look(
  call: JsonRpc,
  { address, nonce, signedTransaction, transactionHash }: Underway,
  {
    confirmations,
    maySend,
  }: Pick<Chain, 'confirmations'> & { readonly maySend: () => Promise<boolean> },
): Promise<Seen> {
  const newest = numberOf(await call('eth_blockNumber', []));
  const final = newest - confirmations;
  // The number of transactions first: one that is in a final block by then has a receipt afterwards.
  const usedAtFinal =
    final < 0
      ? undefined
      : quantityOf(await call('eth_getTransactionCount', [address, quantity(final)]));
  const before = await inclusionOf(call, transactionHash);
  if (before !== undefined) return { newest, usedAtFinal, inclusion: before, isTaken: true };
  if (usedAtFinal !== undefined && usedAtFinal > nonce) {
    const block = await blockThatHas(call, { address, nonce, transactionHash, final });
    return { newest, usedAtFinal, inclusion: block, isTaken: block !== undefined };
  }
  const isTaken =
    (await maySend()) &&
    ((await send(call, signedTransaction)) || (await isKnown(call, transactionHash)));
  return { newest, usedAtFinal, inclusion: undefined, isTaken };
}

async function inclusionOf(call: JsonRpc, hash: string): Promise<Inclusion | undefined> {
  const receipt = await call('eth_getTransactionReceipt', [hash]);
  if (receipt === null) return undefined;
  const { transactionHash, blockNumber, blockHash, status } = membersOf(receipt);
  if (hashOf(transactionHash) !== hash) throw new ChainFault('a receipt of another transaction');
  const failed = quantityOf(status) === 0n;
  return {
    number: numberOf(blockNumber),
    hash: hashOf(blockHash),
    ...(failed ? { error: { message: 'execution reverted' } } : {}),
  };
}

/** Nodes refuse what they have already. */
async function isKnown(call: JsonRpc, hash: string): Promise<boolean> {
  return (await call('eth_getTransactionByHash', [hash])) !== null;
}

/** Returns true if the node took the transaction. */
async function send(call: JsonRpc, signedTransaction: string): Promise<boolean> {
  try {
    await call('eth_sendRawTransaction', [signedTransaction]);
    return true;
  } catch (error) {
    if (!(error instanceof ChainFault) || error.code === undefined) throw error;
    return false;
  }
}

const quantity = (number: number): string => `0x${number.toString(16)}`;
