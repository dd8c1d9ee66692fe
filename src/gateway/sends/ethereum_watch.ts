// A node's view of a pending Ethereum transaction.

import type { Chain } from '../../core/balances/chains.ts';
import { hashOf, numberOf, quantityOf } from '../../core/balances/evm_values.ts';
import { ChainFault, membersOf } from '../../core/balances/node_answer.ts';
import { stationNonceQuestion } from '../../core/sends/ethereum_fill.ts';
import {
  agreed,
  deliverable,
  type Inclusion,
  progressAfter,
  type Seen,
} from '../../core/sends/progress.ts';
import type { JsonRpc } from '../chains/json_rpc.ts';
import { type Look, outcomeOf, progressOf, seenBy, type UnsettledSend } from './look.ts';
import { blockThatHas } from './nonce_use.ts';

/** The members of a pending transaction that queries to nodes need. */
type Underway = {
  readonly address: string;
  readonly nonce: bigint;
  readonly signedTransaction: string;
  readonly transactionHash: string;
  /** Sender and nonce of the calls in a sponsored transaction. */
  readonly station: UnsettledSend['station'];
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
  { address, nonce, signedTransaction, transactionHash, station }: Underway,
  {
    confirmations,
    maySend,
  }: Pick<Chain, 'confirmations'> & { readonly maySend: () => Promise<boolean> },
): Promise<Seen> {
  const newest = numberOf(await call('eth_blockNumber', []));
  const final = newest - confirmations;
  // The count is read before the receipt: if the count includes the transaction, its receipt exists by then.
  const usedAtFinal =
    final < 0
      ? undefined
      : quantityOf(await call('eth_getTransactionCount', [address, quantity(final)]));
  const before = await inclusionOf(call, transactionHash, station);
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

async function inclusionOf(
  call: JsonRpc,
  hash: string,
  station: Underway['station'],
): Promise<Inclusion | undefined> {
  const receipt = await call('eth_getTransactionReceipt', [hash]);
  if (receipt === null) return undefined;
  const { transactionHash, blockNumber, blockHash, status } = membersOf(receipt);
  if (hashOf(transactionHash) !== hash) throw new ChainFault('a receipt of another transaction');
  const number = numberOf(blockNumber);
  const included = { number, hash: hashOf(blockHash) };
  if (quantityOf(status) !== 0n) return included;
  return { ...included, error: { message: await whyReverted(call, number, station) } };
}

/**
 * Returns the message for a reverted transaction. The signed calls of a sponsored transaction are public. If
 * another transaction has delivered them, this one reverts although the calls ran. The message says so,
 * because a repeated payment would pay twice.
 */
async function whyReverted(
  call: JsonRpc,
  block: number,
  station: Underway['station'],
): Promise<string> {
  const reverted = 'execution reverted';
  if (station === undefined) return reverted;
  const nextAt = async (at: string): Promise<bigint> => {
    const { calls, read } = stationNonceQuestion(station.sender, at);
    return read(await Promise.all(calls.map(({ method, params }) => call(method, params))));
  };
  const next = await nextAt(quantity(block)).catch((error) => {
    // Nodes discard the states of earlier blocks.
    if (error instanceof ChainFault && error.code !== undefined) return nextAt('latest');
    throw error;
  });
  return next > BigInt(station.nonce)
    ? `${reverted}: another transaction used the nonce of the calls, and may have run them`
    : `${reverted}: ${deliverable}`;
}

/** Returns true if the node has the transaction, because nodes reject known transactions. */
async function isKnown(call: JsonRpc, hash: string): Promise<boolean> {
  return (await call('eth_getTransactionByHash', [hash])) !== null;
}

/** Sends a transaction. Returns true if the node accepted it. */
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
