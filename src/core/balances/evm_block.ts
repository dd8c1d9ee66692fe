// Reads the transfers of blocks from Ethereum's JSON-RPC. Rejects a whole block that contradicts itself: one
// wrong member makes all members doubtful.

import type { Asset, Chain } from './chains.ts';
import type { BlockMark } from './cursor.ts';
import { addressOf, addressOfTopic, hashOf, numberOf, quantityOf } from './evm_values.ts';
import { ChainFault, listOf, type Members, membersOf } from './node_answer.ts';
import { boundedTransactions, createSums, type Sums } from './sums.ts';
import type { Block, BlockTransaction } from './transfers.ts';

type Watched = Pick<Chain, 'coin' | 'tokens'>;

/** keccak-256 of `Transfer(address,address,uint256)`: ERC-20. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Returns number, hash and parent of a block in a node's answer. */
export function evmMark(
  answer: unknown,
  number?: number,
): BlockMark & { readonly parent: BlockMark } {
  const block = membersOf(answer);
  const found = numberOf(block['number']);
  if (number !== undefined && found !== number)
    throw new ChainFault('the node returned another block');
  const parent = { number: found - 1, hash: hashOf(block['parentHash']) };
  return { number: found, hash: hashOf(block['hash']), parent };
}

/** Returns true if a block has transactions, whose receipts are then needed. */
export function hasTransactions(answer: unknown): boolean {
  return listOf(membersOf(answer)['transactions']).length > 0;
}

/**
 * Returns the transfers of a block, from its full transactions (`eth_getBlockByNumber`) and receipts
 * (`eth_getBlockReceipts`): coins that successful transactions send directly, ERC-20 transfers of the listed
 * tokens in successful transactions, and coins of deposits from another chain.
 */
export function evmBlock(
  answer: unknown,
  receipts: unknown,
  { number, watched }: { readonly number: number; readonly watched: Watched },
): Block {
  const mark = evmMark(answer, number);
  const given = membersOf(answer);
  const transactions = listOf(given['transactions']).map(membersOf);
  const outcomes = listOf(receipts).map(membersOf);
  if (outcomes.length !== transactions.length) throw new ChainFault('receipts are missing');
  const sums = createSums();
  const seen: BlockTransaction[] = [];
  for (const [i, transaction] of transactions.entries()) {
    const receipt = outcomes[i] ?? {};
    const txHash = hashOf(transaction['hash']);
    const isOfBlock =
      hashOf(receipt['transactionHash']) === txHash && hashOf(receipt['blockHash']) === mark.hash;
    if (!isOfBlock) throw new ChainFault('a receipt belongs to another block');
    const hasSucceeded = quantityOf(receipt['status']) === 1n;
    seen.push(transactionOf(transaction, receipt, hasSucceeded));
    if (watched.coin !== undefined) addCoin(sums, txHash, transaction, hasSucceeded, watched.coin);
    if (!hasSucceeded) continue;
    for (const log of listOf(receipt['logs'])) addToken(sums, txHash, membersOf(log), watched);
  }
  const timestampMs = numberOf(given['timestamp']) * 1000;
  return {
    ...mark,
    timestampMs,
    transfers: sums.transfers(),
    transactions: boundedTransactions(seen),
  };
}

function transactionOf(
  transaction: Members,
  receipt: Members,
  hasSucceeded: boolean,
): BlockTransaction {
  const to = transaction['to'] ?? undefined;
  return {
    txHash: hashOf(transaction['hash']),
    from: addressOf(transaction['from']),
    to: to === undefined ? undefined : addressOf(to),
    fee: String(feeOf(transaction, receipt)),
    hasFailed: !hasSucceeded,
    signers: [],
  };
}

/**
 * Returns the fee of a transaction's sender: gas, blobs (EIP-4844), and the OP Stack's charge for data.
 * Members that a chain lacks cost nothing; deposits from another chain are free.
 */
function feeOf(transaction: Members, receipt: Members): bigint {
  if (transaction['type'] === '0x7e') return 0n;
  const costOf = (member: string) => quantityOf(receipt[member] ?? '0x0');
  const price = quantityOf(receipt['effectiveGasPrice'] ?? transaction['gasPrice'] ?? '0x0');
  const blobs = costOf('blobGasUsed') * costOf('blobGasPrice');
  return costOf('gasUsed') * price + blobs + costOf('l1Fee');
}

function addCoin(
  sums: Sums,
  txHash: string,
  transaction: Members,
  hasSucceeded: boolean,
  asset: Asset,
): void {
  const value = quantityOf(transaction['value']);
  const amount = hasSucceeded ? value : 0n;
  const change = mintedBy(transaction) - amount;
  const operation = change > 0n ? 'deposit' : 'withdraw';
  const from = addressOf(transaction['from']);
  // A transaction without a recipient creates a contract.
  const given = transaction['to'] ?? undefined;
  const to = given === undefined ? undefined : addressOf(given);
  const party = operation === 'withdraw' ? to : undefined;
  sums.add(txHash, from, operation, asset, change > 0n ? change : -change, party);
  if (to !== undefined) sums.add(txHash, to, 'deposit', asset, amount, from);
}

/**
 * Returns the amount that a deposit from another chain creates at its sender, also if it fails (OP
 * Stack specification, "Deposits", section "Execution"). No other transaction does this.
 */
function mintedBy({ type, mint }: Members): bigint {
  return type === '0x7e' && mint !== undefined && mint !== null ? quantityOf(mint) : 0n;
}

function addToken(sums: Sums, txHash: string, log: Members, { tokens }: Watched): void {
  const contract = addressOf(log['address']);
  const asset = tokens.find((token) => token.contract === contract);
  const [topic, from, to, ...others] = listOf(log['topics']);
  // A token that indexes the amount is not an ERC-20 token.
  if (asset === undefined || topic !== transferTopic || others.length > 0) return;
  const data = log['data'];
  if (typeof data !== 'string' || !/^0x[0-9a-f]{64}$/i.test(data)) return;
  const amount = BigInt(data);
  const [sender, recipient] = [addressOfTopic(from), addressOfTopic(to)];
  sums.add(txHash, sender, 'withdraw', asset, amount, recipient);
  sums.add(txHash, recipient, 'deposit', asset, amount, sender);
}
