// Records of transactions that concern a wallet account, as the watch of their chain reported them.

import type { Row } from './row.ts';

/** A transaction of a block, from the view of one address. */
export type ChainTransaction = Row & {
  /** CAIP-2. */
  readonly caip2: string;
  /** Normalized: lower-case hex, or base58. */
  readonly address: string;
  /** Groups the transactions of an address: a keyed hash, hex. */
  readonly addressBlind: string;
  readonly txHash: string;
  readonly block: ChainBlock;
  /** Set when the block is final: numbers the final transactions of the group from 1. */
  readonly finalNumber?: number;
  /** Payer of the fee. The fee is in the smallest unit of the chain's coin, decimal. */
  readonly from: string;
  readonly fee: string;
  /** Recipient or callee on Ethereum; absent for contract creation. */
  readonly to?: string;
  /** Signers on Solana, in the order of the transaction's accounts. */
  readonly signers?: readonly ChainSigner[];
  /** Its execution failed. */
  readonly hasFailed?: true;
  readonly transfers: readonly ChainTransfer[];
};

type ChainBlock = {
  readonly number: number;
  readonly hash: string;
  readonly timestampMs: number;
};

type ChainSigner = { readonly address: string; readonly isWritable: boolean };

/** The amounts of one asset that the address received or sent. */
export type ChainTransfer = {
  readonly direction: 'IN' | 'OUT';
  readonly caip19: string;
  /** In the smallest unit, decimal. */
  readonly amount: string;
  /** Undefined if there is no other party, there are several, or it is unknown. */
  readonly counterparty?: string;
};
