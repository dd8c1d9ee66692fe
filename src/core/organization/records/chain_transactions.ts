// The records of transactions that concern a wallet account, as the watch of their chain saw them.

import type { Row } from './row.ts';

/** A transaction of a block, as it concerns one address. */
export type ChainTransaction = Row & {
  /** CAIP-2. */
  readonly caip2: string;
  /** The chain's own spelling: lower-case hex, or base58. */
  readonly address: string;
  /** Under which those of an address and a watch are grouped: a keyed hash, hex. */
  readonly addressBlind: string;
  readonly txHash: string;
  readonly block: ChainBlock;
  /** Set once the block is final: counts those of the group from 1. */
  readonly finalNumber?: number;
  /** Payer of the fee. The fee is in the smallest unit of the chain's coin, decimal. */
  readonly from: string;
  readonly fee: string;
  /** Recipient or callee on Ethereum; absent for contract creation. */
  readonly to?: string;
  /** On Solana, in the order of its accounts. */
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
  /** Absent without another party, with several, or if it is unknown. */
  readonly counterparty?: string;
};
