// Transactions that concern an address: their rows, order and visible status.

import type { ChainCursor } from '../balances/cursor.ts';
import { evenShare } from '../balances/even_share.ts';
import type { Block, BlockTransaction, Transfer } from '../balances/transfers.ts';
import { hex, utf8 } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import type {
  ChainTransaction,
  ChainTransfer,
} from '../organization/records/chain_transactions.ts';

/** Maximum number of final transactions stored for an address on a chain; the oldest are removed. */
export const keptOfAddress = 10_000;

/** Maximum number of stored rows of a block, for all organizations. */
export const keptOfBlock = 10_000;

/** The transactions of a block that concern an address. */
type Concerning = {
  readonly transaction: BlockTransaction;
  /** Position in the block, from 0. */
  readonly position: number;
  readonly transfers: readonly Transfer[];
};

/** Returns the transactions that concern each address, in the order of the block. */
export function concerning(
  { transactions, transfers }: Pick<Block, 'transactions' | 'transfers'>,
  isWanted: (address: string) => boolean,
): ReadonlyMap<string, readonly Concerning[]> {
  const moved = Map.groupBy(
    transfers.filter(({ address }) => isWanted(address)),
    ({ txHash }) => txHash,
  );
  const found = new Map<string, Concerning[]>();
  for (const [position, transaction] of transactions.entries()) {
    const own = Map.groupBy(moved.get(transaction.txHash) ?? [], ({ address }) => address);
    const { from } = transaction;
    // Includes an address that only pays the fee.
    if (isWanted(from) && !own.has(from)) own.set(from, []);
    for (const [address, each] of own) {
      const one = { transaction, position, transfers: each };
      const before = found.get(address);
      // Appends in place; copying would take quadratic time for a block with tens of thousands.
      if (before === undefined) found.set(address, [one]);
      else before.push(one);
    }
  }
  return found;
}

/** The transactions of an address, for an organization that has an account of it. */
type AddressShare<State> = {
  readonly state: State;
  readonly address: string;
  readonly each: readonly Concerning[];
};

/**
 * Bounds the rows of a block to about `total`: an equal share for each organization. Organizations with fewer
 * rows keep all of them.
 */
export function withinShares<State extends { readonly id: string }>(
  places: readonly AddressShare<State>[],
  total: number,
): readonly AddressShare<State>[] {
  const demand = new Map<string, number>();
  for (const { state, each } of places) {
    demand.set(state.id, (demand.get(state.id) ?? 0) + each.length);
  }
  // Each organization gets at least one row, even beyond the total.
  const share = Math.max(1, evenShare(demand.values(), total));
  const seen = new Map<string, number>();
  return places.flatMap((place) => {
    const { state, each } = place;
    const before = seen.get(state.id) ?? 0;
    seen.set(state.id, before + each.length);
    return before >= share ? [] : [{ ...place, each: each.slice(0, share - before) }];
  });
}

/** Returns the row of a transaction that is not final. */
export function chainTransaction(
  { transaction, position, transfers }: Concerning,
  {
    block,
    now,
    ...group
  }: Pick<ChainTransaction, 'caip2' | 'address' | 'addressBlind' | 'block'> & {
    readonly now: number;
  },
): ChainTransaction {
  const { txHash, from, to, fee, hasFailed, signers } = transaction;
  return {
    id: chainTransactionId(block, position, [group.addressBlind, txHash]),
    ...group,
    txHash,
    block,
    from,
    fee,
    ...(to === undefined ? {} : { to }),
    ...(signers.length === 0 ? {} : { signers }),
    ...(hasFailed ? { hasFailed: true } : {}),
    transfers: transfers.map(transferOf),
    createdAtMs: now,
    updatedAtMs: now,
  };
}

function transferOf({ operation, asset, amount, counterparty }: Transfer): ChainTransfer {
  return {
    direction: operation === 'deposit' ? 'IN' : 'OUT',
    caip19: asset.caip19,
    amount,
    ...(counterparty === undefined ? {} : { counterparty }),
  };
}

/**
 * Returns a UUIDv8 (RFC 9562) that sorts in the order of the chain: by block number, then by position up to
 * 65,535. The same transaction in the same block always has the same ID.
 */
function chainTransactionId(
  { number, hash }: ChainTransaction['block'],
  position: number,
  of: readonly string[],
): string {
  const order = Math.min(position, 0xffff).toString(16).padStart(4, '0');
  const digits = hex(sha256(utf8(JSON.stringify([hash, ...of])))).slice(0, 14);
  const { front } = idsOfBlock(number);
  return `${front}-8${order.slice(0, 3)}-8${order.slice(3)}${digits.slice(0, 2)}-${digits.slice(2)}`;
}

/** Returns the common prefix of the IDs of a block, and the least possible ID. */
export function idsOfBlock(number: number): { readonly front: string; readonly first: string } {
  const digits = number.toString(16).padStart(12, '0');
  const front = `${digits.slice(0, 8)}-${digits.slice(8)}`;
  return { front, first: `${front}-8000-8000-000000000000` };
}

/** Returns the visible status of a transaction; undefined if its block left the chain. */
export function chainStatus(
  { block, finalNumber }: Pick<ChainTransaction, 'block' | 'finalNumber'>,
  cursor: ChainCursor,
): 'CONFIRMED' | 'FINALIZED' | undefined {
  if (finalNumber !== undefined) return 'FINALIZED';
  const isThere = cursor.slice(1).some(({ hash }) => hash === block.hash);
  return isThere ? 'CONFIRMED' : undefined;
}
