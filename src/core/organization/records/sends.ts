// The records of transactions that the service sends.

import type { Row } from './row.ts';

/** Statuses of a transaction in the API. */
export const sendStatuses = ['INITIALIZED', 'BROADCASTING', 'INCLUDED', 'FAILED'] as const;
type SendStatus = (typeof sendStatuses)[number];

/**
 * The transactions of one address on one chain that may still land, with the nonces that they use. Part of
 * small state, so that two requests never use the same nonce.
 */
export type Sender = Row & {
  /** CAIP-2. */
  readonly caip2: string;
  /** Normalized: lower-case hex, or base58. */
  readonly address: string;
  readonly taken: readonly UnderWay[];
};

export type UnderWay = {
  readonly sendId: string;
  /** In decimal; only for chains with numbered transactions. */
  readonly nonce?: string;
  /** Number of consecutive nonces from that one. Default: one. Authorizations of the sender use more. */
  readonly nonces?: number;
  /** Step of the send's current row; an older row is refused if it reappears. */
  readonly step: number;
  /** Length of the signed transaction as text. */
  readonly characters: number;
  /** Set for a sponsored transaction of Ethereum. */
  readonly station?: StationUse;
  /** The user who requested the signature. Undefined for an already signed transaction, and in old rows. */
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
 * The first nonce of an address that no known final transaction has used. Lagging nodes report lower nonces
 * as free.
 */
export type SentNonce = Row & {
  /** CAIP-2. */
  readonly caip2: string;
  /** Spelled like the sender's address. */
  readonly address: string;
  /** Decimal; it only grows. */
  readonly next: string;
};

/** A transaction that the service sends: signed once, and sent again unchanged until it is final. */
export type Send = EthereumSend | SolanaSend;

export type EthereumSend = SendOfFamily & {
  /** Absent in rows from before other families were sent. */
  readonly family?: 'eip155';
  readonly nonce: string;
  /**
   * Set if the client submitted a signed transaction. Its key may be external, so the organization cannot
   * force it to land.
   */
  readonly isSignedElsewhere?: true;
};

export type SolanaSend = SendOfFamily & {
  readonly family: 'solana';
  readonly lifetime: SolanaLifetime;
  /** The first slot whose block may contain the transaction. */
  readonly sinceSlot: number;
  /** Set if an external account pays: its owner can sign the message again, which changes its ID. */
  readonly isPaidByOthers?: true;
};

/**
 * Lifetime of a Solana transaction: while its blockhash (base58) is recent, or while a nonce account holds
 * it.
 */
export type SolanaLifetime =
  | {
      readonly hash: string;
      /** The last block height at which the transaction may land. */
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
  /** Number of changes of this row. */
  readonly step: number;
  /** The block of the transaction. Optional. */
  readonly block?: SendBlock;
  /** The reason of its failure, or the result of its execution. */
  readonly error?: SendError;
  /** Set if a sponsor pays the fee. */
  readonly isSponsored?: true;
  /** Set when the service stops tracking the transaction: it is final, can never land, or was set aside. */
  readonly isSettled?: true;
  /** Set if the organization abandoned it: it is set aside once most nodes report it in no block. */
  readonly isAbandoned?: true;
  /** Set with `isSettled` if it may still land, although it is no longer sent or watched. */
  readonly isSetAside?: true;
  /** The parties whose freeze stops the send. Absent in rows of older releases. */
  readonly origin?: SendOrigin;
};

/** The submitter of a transaction, and the organization's wallets and private keys that signed it. */
export type SendOrigin = {
  readonly submitterId: string;
  readonly keyIds: readonly string[];
  /** The sub-organization of the submitter. Default: the organization that stores the row. */
  readonly organizationId?: string;
};

/** A block. On Solana, the slot identifies it. */
export type SendBlock = { readonly number: number; readonly hash?: string };

export type SendError = {
  readonly message: string;
  readonly revertChain?: readonly Revert[];
  readonly solana?: SolanaFailure;
};

/** Failure of a Solana transaction, in the words of the public clients; long texts are truncated. */
export type SolanaFailure = {
  /** The source of the report. */
  readonly source: string;
  readonly transactionErrorJson?: string;
  readonly logs?: readonly string[];
  /** Decimal. */
  readonly unitsConsumed?: string;
  readonly innerInstructionsJson?: string;
};

/** A revert of a contract call, in the words of the public clients. */
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
