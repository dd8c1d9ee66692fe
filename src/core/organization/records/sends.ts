// The records of transactions that the service sends.

import type { Row } from './row.ts';

/** The statuses of a transaction that clients read. */
export const sendStatuses = ['INITIALIZED', 'BROADCASTING', 'INCLUDED', 'FAILED'] as const;
type SendStatus = (typeof sendStatuses)[number];

/**
 * The transactions of one address on one chain that may still come into a final block, with the nonces that
 * they take. Small state, so that two requests never take the same nonce.
 */
export type Sender = Row & {
  /** CAIP-2. */
  readonly caip2: string;
  /** The chain's own spelling: lower-case hex, or base58. */
  readonly address: string;
  readonly taken: readonly UnderWay[];
};

export type UnderWay = {
  readonly sendId: string;
  /** Decimal; of chains whose transactions are numbered. */
  readonly nonce?: string;
  /** Number of nonces used from that one on. Default: one. Authorizations of the sender use more. */
  readonly nonces?: number;
  /** Step of the current row of the send: an older row that was put back is refused. */
  readonly step: number;
  /** Length of the signed transaction as text. */
  readonly characters: number;
  /** Set for a sponsored transaction of Ethereum. */
  readonly station?: StationUse;
  /** The user who had it signed; absent if it was submitted with its signature, and in old rows. */
  readonly userId?: string;
  /** The sending sub-organization, if this organization is the sponsor. Absent in old rows. */
  readonly organizationId?: string;
};

/** The sender of the calls in a sponsored transaction, and the nonce of these calls at the delegate. */
export type StationUse = {
  /** Lower-case hex. */
  readonly sender: string;
  /** Decimal. */
  readonly nonce: string;
  /** Set if the transaction delivers the authorization of the sender (EIP-7702). */
  readonly isDelegation?: true;
};

/**
 * The first nonce of an address that no final transaction is known to have used. Lagging nodes report lower
 * ones as free.
 */
export type SentNonce = Row & {
  /** CAIP-2. */
  readonly caip2: string;
  /** Spelled like the sender's address. */
  readonly address: string;
  /** Decimal; it only grows. */
  readonly next: string;
};

/** A transaction that the service sends: signed once, and the same bytes are sent again until it is final. */
export type Send = EthereumSend | SolanaSend;

export type EthereumSend = SendOfFamily & {
  /** Absent in rows from before other families were sent. */
  readonly family?: 'eip155';
  readonly nonce: string;
  /**
   * Set if it was submitted with its signature. Its key may be foreign, and the organization cannot force it
   * to land.
   */
  readonly isSignedElsewhere?: true;
};

export type SolanaSend = SendOfFamily & {
  readonly family: 'solana';
  readonly lifetime: SolanaLifetime;
  /** It is in no block of an earlier slot. */
  readonly sinceSlot: number;
  /** Set where others pay: the payer can sign the same message anew, which gives it another name. */
  readonly isPaidByOthers?: true;
};

/**
 * Lifetime of a Solana transaction: while its blockhash (base58) is recent, or while a nonce account holds
 * it.
 */
export type SolanaLifetime =
  | {
      readonly hash: string;
      /** No block above this height takes it. */
      readonly lastBlockHeight: number;
    }
  | { readonly hash: string; readonly nonceAccount: string };

type SendOfFamily = Row & {
  readonly activityId: string;
  readonly caip2: string;
  /** Spelled like the sender's address. */
  readonly address: string;
  /** In the nodes' form: lower-case hex with `0x`, or base64. */
  readonly signedTransaction: string;
  /** The chain's name of the transaction: its hash, or its first signature. */
  readonly transactionHash: string;
  readonly status: SendStatus;
  /** Counts the changes of this row from 0. */
  readonly step: number;
  /** The block it is in. */
  readonly block?: SendBlock;
  /** The reason of its failure, or the result of its execution. */
  readonly error?: SendError;
  /** Set if a sponsor pays the fee. */
  readonly isSponsored?: true;
  /** Set once nothing can change any more: final, or never to land. */
  readonly isSettled?: true;
  /** Set if the organization abandoned it: it is set aside once most nodes show it in no block. */
  readonly isAbandoned?: true;
  /** Set with `isSettled` if it may still land: it is no longer sent or watched. */
  readonly isSetAside?: true;
  /** The parties whose freeze stops the send. Absent in rows of older releases. */
  readonly origin?: SendOrigin;
};

/** The submitter of a transaction, and the wallets and private keys of the organization that signed it. */
export type SendOrigin = {
  readonly submitterId: string;
  readonly keyIds: readonly string[];
  /** The sub-organization of the submitter. Default: the organization that stores the row. */
  readonly organizationId?: string;
};

/** A block; on Solana named by its slot alone, which has one block that others build on. */
export type SendBlock = { readonly number: number; readonly hash?: string };

export type SendError = {
  readonly message: string;
  readonly revertChain?: readonly Revert[];
  readonly solana?: SolanaFailure;
};

/** Failure of a Solana transaction, in the words of the public clients; long texts are cut off. */
export type SolanaFailure = {
  /** The source of the report. */
  readonly source: string;
  readonly transactionErrorJson?: string;
  readonly logs?: readonly string[];
  /** Decimal. */
  readonly unitsConsumed?: string;
  readonly innerInstructionsJson?: string;
};

/** Refusal of a call by a contract, in the words of the public clients. */
export type Revert = {
  readonly address: string;
  readonly errorType: 'native' | 'custom' | 'unknown';
  readonly displayMessage: string;
  readonly native?: {
    readonly nativeType: 'error_string' | 'panic' | 'execution_reverted';
    readonly message: string;
    readonly panicCode?: string;
  };
  readonly unknown?: { readonly selector: string; readonly data: string };
};
