// Blocks of chains with Ethereum's JSON-RPC as transfers. What does not fit together is refused as a
// whole: a node that is wrong about one thing is believed in nothing.

import type { Asset, Chain } from './chains.ts';
import type { BlockMark } from './cursor.ts';
import type { Block, Transfer } from './transfers.ts';

/** An answer of a node that is not what its interface says, or contradicts itself. */
export class ChainFault extends Error {}

type Members = Readonly<Record<string, unknown>>;
type Watched = Pick<Chain, 'coin' | 'tokens'>;

/** keccak-256 of `Transfer(address,address,uint256)`: ERC-20. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const maximumTransfers = 50_000;

/** Number, hash and parent of a block that a node answered with. */
export function evmMark(answer: unknown, number?: number): BlockMark & { parentHash: string } {
  const block = membersOf(answer);
  const found = numberOf(block['number']);
  if (number !== undefined && found !== number) throw new ChainFault('another block was asked for');
  return { number: found, hash: hashOf(block['hash']), parentHash: hashOf(block['parentHash']) };
}

/** Whether a block has transactions, whose receipts are then needed. */
export function hasTransactions(answer: unknown): boolean {
  return listOf(membersOf(answer)['transactions']).length > 0;
}

/**
 * The transfers of a block, from its full transactions (`eth_getBlockByNumber`) and their receipts
 * (`eth_getBlockReceipts`): coins that a transaction itself sends, and ERC-20 transfers of the listed
 * tokens, of transactions that succeeded.
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
  for (const [i, transaction] of transactions.entries()) {
    const receipt = outcomes[i] ?? {};
    const txHash = hashOf(transaction['hash']);
    const isOfBlock =
      hashOf(receipt['transactionHash']) === txHash && hashOf(receipt['blockHash']) === mark.hash;
    if (!isOfBlock) throw new ChainFault('a receipt is of another block');
    if (quantityOf(receipt['status']) !== 1n) continue;
    if (watched.coin !== undefined) addCoin(sums, txHash, transaction, watched.coin);
    for (const log of listOf(receipt['logs'])) addToken(sums, txHash, membersOf(log), watched);
  }
  const timestampMs = numberOf(given['timestamp']) * 1000;
  return { ...mark, timestampMs, transfers: sums.transfers() };
}

function addCoin(sums: Sums, txHash: string, transaction: Members, asset: Asset): void {
  const amount = quantityOf(transaction['value']);
  const to = transaction['to'] ?? undefined;
  sums.add(txHash, addressOf(transaction['from']), 'withdraw', asset, amount);
  // Without a recipient it makes a contract.
  if (to !== undefined) sums.add(txHash, addressOf(to), 'deposit', asset, amount);
}

function addToken(sums: Sums, txHash: string, log: Members, { tokens }: Watched): void {
  const contract = addressOf(log['address']);
  const asset = tokens.find((token) => token.contract === contract);
  const [topic, from, to, ...others] = listOf(log['topics']);
  // A token that indexes the amount is none of ERC-20.
  if (asset === undefined || topic !== transferTopic || others.length > 0) return;
  const data = log['data'];
  if (typeof data !== 'string' || !/^0x[0-9a-f]{64}$/i.test(data)) return;
  const amount = BigInt(data);
  sums.add(txHash, addressOfTopic(from), 'withdraw', asset, amount);
  sums.add(txHash, addressOfTopic(to), 'deposit', asset, amount);
}

type Sums = ReturnType<typeof createSums>;

/** Transfers of one transaction, address, direction and asset are one. */
function createSums() {
  const sums = new Map<string, Omit<Transfer, 'amount'> & { amount: bigint }>();
  return {
    add: (
      txHash: string,
      address: string,
      operation: Transfer['operation'],
      asset: Asset,
      amount: bigint,
    ): void => {
      if (amount === 0n) return;
      const key = `${txHash}/${address}/${operation}/${asset.caip19}`;
      const known = sums.get(key);
      if (known !== undefined) known.amount += amount;
      else sums.set(key, { txHash, address, operation, asset, amount });
      if (sums.size > maximumTransfers) throw new ChainFault('a block has too many transfers');
    },
    transfers: (): Transfer[] =>
      [...sums.values()].map((each) => {
        const { symbol, name, decimals, caip19 } = each.asset;
        return { ...each, asset: { symbol, name, decimals, caip19 }, amount: String(each.amount) };
      }),
  };
}

function membersOf(value: unknown): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ChainFault('an object was expected');
  }
  return value as Members;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new ChainFault('a list was expected');
  return value;
}

function hashOf(value: unknown): string {
  return matching(value, /^0x[0-9a-f]{64}$/i, 'a hash');
}

function addressOf(value: unknown): string {
  return matching(value, /^0x[0-9a-f]{40}$/i, 'an address');
}

function addressOfTopic(value: unknown): string {
  return `0x${matching(value, /^0x0{24}[0-9a-f]{40}$/i, 'an address').slice(26)}`;
}

/** A number without bound. */
function quantityOf(value: unknown): bigint {
  return BigInt(matching(value, /^0x[0-9a-f]{1,64}$/i, 'a quantity'));
}

function numberOf(value: unknown): number {
  return Number(matching(value, /^0x[0-9a-f]{1,10}$/i, 'a small quantity'));
}

function matching(value: unknown, pattern: RegExp, expected: string): string {
  if (typeof value !== 'string' || !pattern.test(value)) {
    throw new ChainFault(`${expected} was expected`);
  }
  return value.toLowerCase();
}
