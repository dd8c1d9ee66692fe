// Reads the transfers of Solana blocks: the changes of balances in each transaction. Rejects a whole block
// that contradicts itself: one wrong member makes all members doubtful.

import type { Chain } from './chains.ts';
import type { BlockMark } from './cursor.ts';
import {
  ChainFault,
  listOf,
  type Members,
  matching,
  membersOf,
  wholeNumber,
} from './node_answer.ts';
import { boundedTransactions, createSums, type Sums } from './sums.ts';
import type { Block, BlockTransaction, Transfer } from './transfers.ts';

type Watched = Pick<Chain, 'coin' | 'tokens'>;

/** Returns number, hash and parent of a block in a node's answer for a slot (`transactionDetails: none`). */
export function solanaMark(
  answer: unknown,
  slot: number,
): BlockMark & { readonly parent: BlockMark } {
  const block = membersOf(answer);
  const parentSlot = Number(wholeNumber(block['parentSlot']));
  if (parentSlot >= slot && slot > 0)
    throw new ChainFault('the slot of a block is not above the slot of its parent');
  const parent = { number: parentSlot, hash: keyOf(block['previousBlockhash']) };
  return { number: slot, hash: keyOf(block['blockhash']), parent };
}

/**
 * Returns the transfers of a block (`getBlock` with `transactionDetails: accounts`, which includes accounts
 * of look-up tables). They state how a successful transaction changed the SOL and listed tokens of an
 * address, summed over its token accounts. The fee is not a transfer.
 */
export function solanaBlock(
  answer: unknown,
  { slot, watched }: { readonly slot: number; readonly watched: Watched },
): Block {
  const block = membersOf(answer);
  const mark = solanaMark(answer, slot);
  const mints = new Map(watched.tokens.map((token) => [token.contract, token]));
  const sums = createSums();
  const seen: BlockTransaction[] = [];
  for (const each of listOf(block['transactions'])) {
    const { transaction, meta } = membersOf(each);
    const outcome = membersOf(meta);
    const sent = membersOf(transaction);
    const [first] = listOf(sent['signatures']);
    const signature = matching(first, /^[1-9A-HJ-NP-Za-km-z]{64,88}$/, 'a signature');
    if (outcome['err'] === undefined) throw new ChainFault('missing execution status in block');
    const accounts = listOf(sent['accountKeys']).map(membersOf);
    const hasFailed = outcome['err'] !== null;
    if (!isVote(accounts)) seen.push(transactionOf(signature, accounts, outcome, hasFailed));
    if (hasFailed) continue;
    addCoins(sums, signature, accounts, outcome, watched);
    addTokens(sums, signature, outcome, mints);
  }
  const timestampMs = Number(wholeNumber(block['blockTime'])) * 1000;
  const transfers = withCounterparties(sums.transfers());
  return { ...mark, timestampMs, transfers, transactions: boundedTransactions(seen) };
}

/** Most transactions are votes of validators, which no wallet casts. */
const voteProgram = 'Vote111111111111111111111111111111111111111';

function isVote(accounts: readonly Members[]): boolean {
  return accounts.some(({ pubkey }) => pubkey === voteProgram);
}

function transactionOf(
  txHash: string,
  accounts: readonly Members[],
  outcome: Members,
  hasFailed: boolean,
): BlockTransaction {
  const signers = accounts.flatMap(({ pubkey, signer, writable }) =>
    signer === true ? [{ address: keyOf(pubkey), isWritable: writable === true }] : [],
  );
  const from = keyOf(accounts[0]?.['pubkey']);
  return {
    txHash,
    from,
    to: undefined,
    fee: String(wholeNumber(outcome['fee'])),
    hasFailed,
    signers,
  };
}

/** Adds the counterparty of each transfer: the only address with the opposite change of the asset. */
function withCounterparties(transfers: readonly Transfer[]): Transfer[] {
  const placeOf = ({ txHash, asset }: Transfer, operation: string) =>
    `${txHash}/${asset.caip19}/${operation}`;
  const parties = Map.groupBy(transfers, (each) => placeOf(each, each.operation));
  return transfers.map((each) => {
    const other = each.operation === 'deposit' ? 'withdraw' : 'deposit';
    const [party, ...more] = parties.get(placeOf(each, other)) ?? [];
    return { ...each, counterparty: more.length > 0 ? undefined : party?.address };
  });
}

function addCoins(
  sums: Sums,
  signature: string,
  accounts: readonly Members[],
  outcome: Members,
  { coin }: Watched,
): void {
  const before = listOf(outcome['preBalances']);
  const after = listOf(outcome['postBalances']);
  if (before.length !== accounts.length || after.length !== accounts.length) {
    throw new ChainFault('balances are missing');
  }
  if (coin === undefined) return;
  for (const [i, account] of accounts.entries()) {
    // The first account pays the fee; most other balances stay the same.
    if (i > 0 && before[i] === after[i]) continue;
    const fee = i === 0 ? wholeNumber(outcome['fee']) : 0n;
    const change = wholeNumber(after[i]) - wholeNumber(before[i]) + fee;
    addChange(sums, signature, keyOf(account['pubkey']), coin, change);
  }
}

/** Adds the changes of a token, each summed over all token accounts of an address. */
function addTokens(
  sums: Sums,
  signature: string,
  outcome: Members,
  mints: ReadonlyMap<string, Watched['tokens'][number]>,
): void {
  const changes = new Map<string, { owner: string; mint: string; change: bigint }>();
  const add = (balances: unknown, sign: bigint): void => {
    for (const each of listOf(balances)) {
      const { mint, owner: named, uiTokenAmount } = membersOf(each);
      if (typeof mint !== 'string') throw new ChainFault('missing mint in a token balance');
      if (!mints.has(mint)) continue;
      const owner = keyOf(named);
      const text = matching(membersOf(uiTokenAmount)['amount'], /^[0-9]{1,20}$/, 'an amount');
      const known = changes.get(`${mint}/${owner}`)?.change ?? 0n;
      changes.set(`${mint}/${owner}`, { owner, mint, change: known + sign * BigInt(text) });
    }
  };
  add(outcome['preTokenBalances'], -1n);
  add(outcome['postTokenBalances'], 1n);
  for (const { owner, mint, change } of changes.values()) {
    const token = mints.get(mint);
    if (token !== undefined) addChange(sums, signature, owner, token, change);
  }
}

function addChange(
  sums: Sums,
  signature: string,
  address: string,
  asset: NonNullable<Watched['coin']>,
  change: bigint,
): void {
  const operation = change > 0n ? 'deposit' : 'withdraw';
  sums.add(signature, address, operation, asset, change > 0n ? change : -change);
}

/** Returns 32 bytes in base58: an address or a hash. */
function keyOf(value: unknown): string {
  return matching(value, /^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'a key');
}
