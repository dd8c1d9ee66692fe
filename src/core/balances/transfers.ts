// Transfers, and their events for wallet accounts.

import { hex, utf8 } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import type { Asset } from './chains.ts';
import type { BlockMark } from './cursor.ts';

/** The transfer of one asset to or from one address in a transaction. */
export type Transfer = {
  readonly txHash: string;
  /** Normalized address: lower case for Ethereum. */
  readonly address: string;
  readonly operation: BalanceChange['msg']['operation'];
  readonly asset: Asset;
  /** In the smallest unit, decimal. */
  readonly amount: string;
  /** The other party; undefined if there is none, several, or it is unknown. */
  readonly counterparty: string | undefined;
};

/** A transaction of a block, with or without transfers. Its addresses are normalized like theirs. */
export type BlockTransaction = {
  readonly txHash: string;
  /** Payer of the fee. */
  readonly from: string;
  /** Recipient or callee; undefined on Solana and for contract creation. */
  readonly to: string | undefined;
  /** Fee that `from` pays in addition to the amount, in the smallest unit of the chain's coin, decimal. */
  readonly fee: string;
  /** Failed transactions move only the fee. */
  readonly hasFailed: boolean;
  /** On Solana, in the order of the transaction's accounts. */
  readonly signers: readonly { readonly address: string; readonly isWritable: boolean }[];
};

/** A block with all transfers of watched assets. */
export type Block = BlockMark & {
  readonly parent: BlockMark;
  readonly timestampMs: number;
  readonly transfers: readonly Transfer[];
  /** In the order of the block; on Solana without votes. */
  readonly transactions: readonly BlockTransaction[];
};

const balanceStages = ['confirmed', 'finalized'] as const;
export type BalanceStage = (typeof balanceStages)[number];

/** The members of a balance event that filters read. */
export type BalanceChange = {
  readonly organizationId: string;
  readonly msg: {
    readonly operation: 'deposit' | 'withdraw';
    readonly caip2: string;
    readonly address: string;
    readonly asset: { readonly symbol: string; readonly caip19: string };
  };
};

/** The event of a transfer; `parentOrganizationId` is the organization itself if it has no parent. */
type BalanceEvent = {
  /** The same content always gets the same ID, which prevents duplicate reports. */
  readonly id: string;
  readonly change: BalanceChange;
  readonly body: string;
};

export function balanceEvent(
  stage: BalanceStage,
  { asset, ...transfer }: Transfer,
  where: {
    readonly caip2: string;
    readonly block: Pick<Block, 'number' | 'hash' | 'timestampMs'>;
    readonly organizationId: string;
    readonly parentOrganizationId: string;
  },
): BalanceEvent {
  const { caip2, block, organizationId, parentOrganizationId } = where;
  const { txHash, address, operation, amount } = transfer;
  const type = `balances:${stage}`;
  // The same transaction in another block is another event.
  const what = [organizationId, caip2, block.hash, txHash, address, operation, asset.caip19];
  const idempotencyKey = `${hex(sha256(utf8(JSON.stringify(what))))}:${type}`;
  const change = { operation, caip2, txHash, address, idempotencyKey };
  const { symbol, name, decimals, caip19 } = asset;
  const msg = {
    ...change,
    asset: { symbol, name, decimals, caip19, amount },
    block: {
      number: block.number,
      hash: block.hash,
      timestamp: new Date(block.timestampMs).toISOString(),
    },
  };
  return {
    id: eventId(idempotencyKey, block.timestampMs),
    change: { organizationId, msg },
    body: JSON.stringify({ type, organizationId, parentOrganizationId, msg }),
  };
}

/** Returns a UUIDv8 (RFC 9562) of a key. It begins with a time, like other IDs. */
function eventId(key: string, timestampMs: number): string {
  const time = timestampMs.toString(16).padStart(12, '0').slice(-12);
  const digits = hex(sha256(utf8(`event/${key}`)).subarray(0, 9));
  return `${time.slice(0, 8)}-${time.slice(8)}-8${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
}
