// The view that policies, limits and people have of a parsed transaction.

import type { ChainFormat, SigningAccount } from '../chains/chain.ts';
import type { TransactionExplanation } from '../organization/records/transaction_explanation.ts';
import type { FactStruct } from '../policy/language/values.ts';

/** Interfaces that an organization stores, by the address as the transaction names it. */
export type InterfaceTexts = ReadonlyMap<string, InterfaceText>;

/** A stored interface: valid JSON of an ABI or IDL. */
export type InterfaceText = {
  /** SHA-256 of the text, hex: equal for equal texts, so parsed interfaces are remembered by it. */
  readonly digest: string;
  readonly text: string;
};

/** The descriptions of one contract, newest first, and the names of addresses. */
export type Descriptions = {
  readonly texts: readonly { readonly digest: string; readonly text: string }[];
  readonly nameOf: (address: string) => string | undefined;
};

/** Money that a transaction visibly moves. */
export type VisibleTransfer = {
  /**
   * Empty for the chain's own coin, else the address of the token's contract or mint. Undefined for a
   * token that the transaction does not name: it counts as any token of the chain.
   */
  readonly token: string | undefined;
  readonly from: string;
  readonly to: string;
  /** In the smallest unit. */
  readonly amount: bigint;
  /** True if the amount may be higher. A limit that counts the asset then cannot be checked. */
  readonly isAtLeast?: true;
};

/** One kind of transaction: its reader and its explanation. All functions are pure. */
export type TransactionKind<Transaction> = {
  readonly format: ChainFormat<Transaction>;
  /** Contracts or programs whose interfaces help to read the transaction; each address once. */
  readonly contracts: (transaction: Transaction) => readonly string[];
  /** The namespace of the policy language: `{ eth: { tx } }`. */
  readonly facts: (
    transaction: Transaction,
    account: SigningAccount,
    interfaces: InterfaceTexts,
  ) => FactStruct;
  readonly explain: (
    transaction: Transaction,
    account: SigningAccount,
    interfaces: InterfaceTexts,
    /** Undefined if the organization stores no description. */
    descriptions?: Descriptions,
  ) => TransactionExplanation;
  /** Returns the transfers that limits over time count. */
  readonly transfers: (
    transaction: Transaction,
    account: SigningAccount,
  ) => readonly VisibleTransfer[];
  /** The chain in CAIP-2 form, or its namespace alone (`solana`) if the transaction does not name it. */
  readonly chain: (transaction: Transaction, account: SigningAccount) => string;
};
